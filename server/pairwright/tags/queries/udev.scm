; A label is jumped to, a property of the device is set here and tested there.
(assignment key: "LABEL" (value (content) @name)) @definition.function
(assignment key: "ENV" (env_var) @name) @definition.variable

; References.
(assignment key: "GOTO" (value (content) @reference)) @_outer
(match key: "ENV" (env_var) @reference) @_outer
