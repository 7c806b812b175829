; An extension defines nothing: what it names is defined elsewhere. Its members are kept.
(class_declaration "class" name: (type_identifier) @name body: (_) @body) @definition.class
(class_declaration "actor" name: (type_identifier) @name body: (_) @body) @definition.class
(class_declaration "struct" name: (type_identifier) @name body: (_) @body) @definition.struct
(class_declaration "enum" name: (type_identifier) @name body: (_) @body) @definition.enum
(protocol_declaration name: (type_identifier) @name body: (_) @body) @definition.interface
(typealias_declaration name: (type_identifier) @name) @definition.type
(associatedtype_declaration name: (type_identifier) @name) @definition.type
(precedence_group_declaration . (simple_identifier) @name) @definition.type
(macro_declaration (simple_identifier) @name) @definition.macro
[
  (enum_entry . name: (simple_identifier) @name .)
  (enum_entry . name: (simple_identifier) @name . data_contents: (_) .)
  (enum_entry . name: (simple_identifier) @name . raw_value: (_) .)
] @definition.constant
(enum_entry name: (simple_identifier) @name @definition.constant) @_outer

(class_body (function_declaration "func" . name: _ @name body: (_) @body) @definition.method) @_outer
(enum_class_body (function_declaration "func" . name: _ @name body: (_) @body) @definition.method) @_outer
(function_declaration "func" . name: _ @name body: (_) @body) @definition.function
(protocol_function_declaration name: (simple_identifier) @name) @definition.method
(init_declaration "init" @name body: (_)? @body) @definition.method
(deinit_declaration "deinit" @name body: (_) @body) @definition.method
(subscript_declaration "subscript" @name (computed_property) @body) @definition.method

(protocol_property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)) @definition.property
(class_body (property_declaration
  name: (pattern (simple_identifier) @name)
  computed_value: (_)? @body) @definition.property) @_outer
(enum_class_body (property_declaration
  name: (pattern (simple_identifier) @name)
  computed_value: (_)? @body) @definition.property) @_outer

; Outside functions.
(property_declaration
  name: (pattern (simple_identifier) @name)
  computed_value: (_)? @body) @global.variable
(lambda_literal) @scope
(computed_property) @scope

; References.
(call_expression . (simple_identifier) @reference (call_suffix (value_arguments "("))) @_outer
(call_expression . (simple_identifier) @reference (call_suffix (lambda_literal))) @_outer
(call_expression (navigation_expression (_ (simple_identifier) @reference))) @_outer
(prefix_expression operation: "." target: (simple_identifier) @reference) @_outer
(constructor_expression constructed_type: (user_type (type_identifier) @reference)) @_outer
(macro_invocation . (simple_identifier) @reference) @_outer
(import_declaration (identifier (simple_identifier) @reference .)) @_outer
(selector_expression (navigation_expression (_ (simple_identifier) @reference))) @_outer
(selector_expression (simple_identifier) @reference) @_outer
(key_path_expression (simple_identifier) @reference) @_outer
(type_identifier) @reference
(simple_identifier) @reference.capital
(type_parameter . (type_identifier) @ignore) @_outer
(value_argument_label (simple_identifier) @ignore) @_outer
