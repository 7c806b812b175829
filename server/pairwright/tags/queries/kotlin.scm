; Classes, interfaces, enums and annotations are one node here; a word tells them apart.
(class_declaration "interface" . (type_identifier) @name (class_body)? @body) @definition.interface
(class_declaration "enum" (type_identifier) @name (enum_class_body)? @body) @definition.enum
(class_declaration "class" . (type_identifier) @name (class_body)? @body) @definition.class
; Behind an annotation with arguments the grammar reads a class as an infix call.
((infix_expression
  .
  (simple_identifier) @_class
  .
  (simple_identifier) @name
  (#one-of? @_class "class" "interface" "object")) @definition.class)
((infix_expression
  (infix_expression (simple_identifier) @_class .)
  .
  (simple_identifier) @name @definition.class
  (#one-of? @_class "class" "interface" "object")) @_outer)
(object_declaration (type_identifier) @name (class_body)? @body) @definition.class
(companion_object (type_identifier) @name (class_body)? @body) @definition.class
(enum_entry (simple_identifier) @name) @definition.constant
(type_alias . (type_identifier) @name) @definition.type
(function_declaration
  (simple_identifier) @name
  (function_value_parameters)
  (function_body)? @body) @definition.function

; Properties of files and classes; what stands in a scope is local.
(property_declaration
  (modifiers (property_modifier) @_const)
  (variable_declaration . (simple_identifier) @name)
  (#one-of? @_const "const")) @global.constant
(property_declaration
  (variable_declaration . (simple_identifier) @name)
  [(anonymous_function) (lambda_literal)]) @global.function
(property_declaration
  (variable_declaration . (simple_identifier) @name)) @global.property
(property_declaration (multi_variable_declaration
  (variable_declaration . (simple_identifier) @name) @global.property)) @_outer
(function_body) @scope
(lambda_literal) @scope
(anonymous_initializer) @scope
(secondary_constructor) @scope

; References.
(call_expression . (simple_identifier) @reference) @_outer
(navigation_suffix (simple_identifier) @reference) @_outer
(infix_expression (_) . (simple_identifier) @reference . (_)) @_outer
(callable_reference (simple_identifier) @reference) @_outer
(import_header (identifier (simple_identifier) @reference .)) @_outer
(type_identifier) @reference
(import_alias (type_identifier) @ignore) @_outer
(type_parameter (type_identifier) @ignore) @_outer
(package_header (identifier (simple_identifier) @ignore)) @_outer
(simple_identifier) @reference.capital
