; C++ beyond C. Templates begin at `template`.
(function_definition
  type: (class_specifier !body)
  declarator: (identifier) @name
  body: (_) @body) @definition.class
[
  (class_specifier name: (_) @declarator body: (_) @body)
  (template_declaration (class_specifier name: (_) @declarator body: (_) @body))
] @definition.class
(template_declaration (struct_specifier
  name: (_) @declarator body: (_) @body)) @definition.struct
(template_declaration (alias_declaration name: (type_identifier) @name)) @definition.type
; A function with a qualified name is a method defined outside its class.
(template_declaration (function_definition
  declarator: [
    (function_declarator declarator: (qualified_identifier))
    (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier)))
    (reference_declarator (function_declarator declarator: (qualified_identifier)))] @declarator
  body: (_) @body)) @definition.method
(function_definition
  declarator: [
    (function_declarator declarator: (qualified_identifier))
    (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier)))
    (reference_declarator (function_declarator declarator: (qualified_identifier)))] @declarator
  body: (_) @body) @definition.method
(template_declaration (function_definition
  declarator: (_) @declarator body: (_) @body)) @definition.function
(field_declaration_list (function_definition
  declarator: (_) @declarator
  (default_method_clause)) @definition.method) @_outer
(namespace_definition name: (_) @name body: (_) @body) @definition.namespace
(alias_declaration name: (type_identifier) @name) @definition.type
(concept_definition name: (identifier) @name) @definition.type

(lambda_expression body: (_) @scope) @_outer

; Members declared in a class.
(field_declaration declarator: [
  (function_declarator declarator: [
    (field_identifier)
    (operator_name)
    (destructor_name)] @name)
  (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name))
  (reference_declarator (function_declarator declarator: [
    (field_identifier)
    (operator_name)] @name))]) @definition.method
(field_declaration_list (declaration declarator: (function_declarator declarator: [
  (identifier)
  (destructor_name)] @name)) @definition.method) @_outer

; References.
(call_expression function: [
  (qualified_identifier) @reference.declarator
  (template_function name: (identifier) @reference)]) @_outer
(call_expression function: (field_expression field: (template_method
  name: (field_identifier) @reference))) @_outer
(field_initializer (field_identifier) @reference.capital) @_outer
(using_declaration (qualified_identifier) @reference.declarator) @_outer
(template_parameter_list (type_parameter_declaration (type_identifier) @ignore)) @_outer
(template_parameter_list (parameter_declaration declarator: (identifier) @ignore)) @_outer
