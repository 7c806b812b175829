(class_declaration name: (name) @name body: (_) @body) @definition.class
(interface_declaration name: (name) @name body: (_) @body) @definition.interface
(trait_declaration name: (name) @name body: (_) @body) @definition.trait
(enum_declaration name: (name) @name body: (_) @body) @definition.enum
(enum_case name: (name) @name) @definition.constant
(namespace_definition name: (namespace_name) @name body: (_) @body) @definition.namespace
(namespace_definition name: (namespace_name) @name) @definition.namespace
(function_definition name: (name) @name body: (_) @body) @definition.function
(method_declaration name: (name) @name body: (_) @body) @definition.method
(method_declaration name: (name) @name) @definition.method
(const_declaration . (const_element . (name) @name) .) @definition.constant
(const_element . (name) @name) @definition.constant
(function_call_expression
  function: (name) @_define
  arguments: (arguments . (argument (string (string_content) @name)))
  (#one-of? @_define "define")) @definition.constant
(property_declaration (property_element name: (variable_name (name) @name))) @definition.property
(property_promotion_parameter name: (variable_name (name) @name)) @definition.property

; Outside functions.
(assignment_expression
  left: (variable_name (name) @name)
  right: [
    (anonymous_function body: (_) @body)
    (arrow_function body: (_) @body)]) @global.function
(anonymous_function body: (_) @scope) @_outer

; References.
(function_call_expression function: [
  (name) @reference
  (qualified_name (name) @reference)]) @_outer
(member_call_expression name: (name) @reference) @_outer
(nullsafe_member_call_expression name: (name) @reference) @_outer
(scoped_call_expression name: (name) @reference) @_outer
(scoped_call_expression scope: [
  (name) @reference
  (qualified_name (name) @reference)]) @_outer
(object_creation_expression [
  (name) @reference
  (qualified_name (name) @reference)]) @_outer
(base_clause [
  (name) @reference
  (qualified_name (name) @reference)]) @_outer
(class_interface_clause [
  (name) @reference
  (qualified_name (name) @reference)]) @_outer
(use_declaration [
  (name) @reference
  (qualified_name (name) @reference)]) @_outer
(named_type [
  (name) @reference
  (qualified_name (name) @reference)]) @_outer
(attribute [
  (name) @reference
  (qualified_name (name) @reference)]) @_outer
(namespace_use_clause [
  (name) @reference
  (qualified_name (name) @reference)]) @_outer
(class_constant_access_expression (name) @reference) @_outer
(binary_expression
  operator: "instanceof"
  right: (qualified_name (name) @reference)) @_outer
(name) @reference.capital
(namespace_use_clause alias: (name) @ignore) @_outer
(namespace_name (name) @ignore) @_outer
((class_constant_access_expression (name) @ignore) @_outer
  (#one-of? @ignore "class"))
((object_creation_expression (name) @ignore) @_outer
  (#one-of? @ignore "static" "self" "parent"))
((named_type (name) @ignore) @_outer
  (#one-of? @ignore "self" "static"))
