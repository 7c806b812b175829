; Targets. Special targets and patterns are not names anything refers to.
((rule (targets . (word) @name .) (recipe) @body) @definition.function
  (#not-prefix? @name "." "%"))
((rule (targets . (word) @name .)) @definition.function
  (#not-prefix? @name "." "%"))
((targets (word) @name @definition.function) @_outer
  (#not-prefix? @name "." "%"))
(define_directive name: (word) @name value: (_) @body) @definition.macro
(variable_assignment
  !target_or_pattern
  name: (word) @name
  operator: ["=" ":=" "::=" "?="]) @definition.variable
(shell_assignment name: (word) @name) @definition.variable

; References.
((prerequisites (word) @reference) @_outer
  (#not-prefix? @reference "%"))
(variable_reference (word) @reference) @_outer
(substitution_reference text: (word) @reference) @_outer
(variable_assignment name: (word) @reference operator: "+=") @_outer
(function_call function: "call" (arguments . argument: (text) @reference.first)) @_outer
(ifdef_directive variable: (word) @reference) @_outer
(include_directive filenames: (list (word) @reference)) @_outer
