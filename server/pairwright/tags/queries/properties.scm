(property (key) @name) @definition.property
(substitution (key) @reference) @_outer
