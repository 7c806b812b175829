(type_definition (type_name name: (_) @name) (data_constructors)? @body) @definition.enum
(external_type (type_name name: (_) @name)) @definition.type
(type_alias (type_name name: (_) @name)) @definition.type
(data_constructor name: (constructor_name) @name) @definition.constant
(function name: (identifier) @name body: (_)? @body) @definition.function
(constant name: (identifier) @name) @definition.constant

; References.
(function_call function: [
  (identifier) @reference
  (field_access field: (label) @reference)]) @_outer
(binary_expression right: (identifier) @reference) @_outer
(field_access field: (label) @reference) @_outer
(unqualified_import name: (_) @reference) @_outer
(import module: (module) @reference.last) @_outer
(attribute name: (identifier) @reference) @_outer
(type_identifier) @reference
(constructor_name) @reference
(import alias: (identifier) @ignore) @_outer
(unqualified_import alias: (_) @ignore) @_outer
