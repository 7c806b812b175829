(object_type_definition (name) @name (fields_definition)? @body) @definition.class
(interface_type_definition (name) @name (fields_definition)? @body) @definition.interface
(input_object_type_definition (name) @name (input_fields_definition)? @body) @definition.struct
(enum_type_definition (name) @name (enum_values_definition)? @body) @definition.enum
(union_type_definition (name) @name) @definition.union
(scalar_type_definition (name) @name) @definition.type
(directive_definition (name) @name) @definition.macro
(enum_value_definition (enum_value (name) @name)) @definition.constant
(fields_definition (field_definition (name) @name) @definition.field) @_outer
(input_fields_definition (input_value_definition (name) @name) @definition.field) @_outer
(operation_definition (name) @name (selection_set) @body) @definition.function
(fragment_definition
  (fragment_name (name) @name)
  (selection_set) @body) @definition.struct

; References. What is extended is defined elsewhere.
(named_type (name) @reference) @_outer
(directive (name) @reference) @_outer
(fragment_spread (fragment_name (name) @reference)) @_outer
(field (name) @reference) @_outer
(object_type_extension (name) @reference) @_outer
(interface_type_extension (name) @reference) @_outer
(input_object_type_extension (name) @reference) @_outer
(enum_type_extension (name) @reference) @_outer
(union_type_extension (name) @reference) @_outer
(scalar_type_extension (name) @reference) @_outer
(value (enum_value (name) @reference)) @_outer
