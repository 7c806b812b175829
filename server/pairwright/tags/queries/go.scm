(function_declaration name: (identifier) @name body: (_) @body) @definition.function
(function_declaration name: (identifier) @name) @definition.function
(method_declaration name: (field_identifier) @name body: (_) @body) @definition.method
(method_elem name: (field_identifier) @name) @definition.method

; A type in a declaration of its own is taken whole, of a group by spec.
(type_declaration . (type_spec name: (type_identifier) @name
  type: (struct_type (field_declaration_list) @body)) .) @definition.struct
(type_spec name: (type_identifier) @name
  type: (struct_type (field_declaration_list) @body)) @definition.struct
(type_declaration . (type_spec name: (type_identifier) @name
  type: (interface_type)) .) @definition.interface
(type_spec name: (type_identifier) @name type: (interface_type)) @definition.interface
(type_declaration . [
  (type_spec name: (type_identifier) @name)
  (type_alias name: (type_identifier) @name)] .) @definition.type
(type_spec name: (type_identifier) @name) @definition.type
(type_alias name: (type_identifier) @name) @definition.type

; Outside functions.
(func_literal body: (_) @scope) @_outer
(const_spec name: (identifier) @name) @global.constant
(var_spec name: (identifier) @name
  value: (expression_list . (func_literal body: (_) @body))) @global.function
(var_spec name: (identifier) @name) @global.variable

; References. A package goes by the last part of its path.
(import_spec path: (interpreted_string_literal
  (interpreted_string_literal_content) @reference.last)) @_outer
(call_expression function: [
  (identifier) @reference
  (parenthesized_expression (identifier) @reference)]) @_outer
(call_expression function: (selector_expression field: (field_identifier) @reference)) @_outer
(call_expression function: (index_expression operand: [
  (identifier) @reference
  (selector_expression field: (field_identifier) @reference)])) @_outer
(type_identifier) @reference
(type_parameter_declaration name: (identifier) @ignore) @_outer
(selector_expression field: (field_identifier) @reference.capital) @_outer
(identifier) @reference.capital
