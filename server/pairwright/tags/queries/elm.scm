; A value begins at its type annotation (`leads` of the language's row).
(module_declaration name: (upper_case_qid (upper_case_identifier) @name .)) @definition.module
(type_alias_declaration
  name: (upper_case_identifier) @name
  typeExpression: (type_expression part: (record_type) @body)) @definition.struct
(type_alias_declaration name: (upper_case_identifier) @name) @definition.type
(type_declaration name: (upper_case_identifier) @name) @definition.enum
(union_variant name: (upper_case_identifier) @name) @definition.constant
(port_annotation name: (lower_case_identifier) @name) @definition.function
(value_declaration
  functionDeclarationLeft: (function_declaration_left . (lower_case_identifier) @name . (_))
  body: (_) @body) @definition.function

; Outside `let`.
(value_declaration
  functionDeclarationLeft: (function_declaration_left . (lower_case_identifier) @name .)
  body: [(number_constant_expr) (string_constant_expr)]) @global.constant
(value_declaration
  functionDeclarationLeft: (function_declaration_left . (lower_case_identifier) @name)
  body: (_) @body) @global.function
(let_in_expr) @scope

; References: what is called, handed on or joined by an operator.
(function_call_expr (value_expr (value_qid (lower_case_identifier) @reference .))) @_outer
(bin_op_expr (value_expr (value_qid (lower_case_identifier) @reference .))) @_outer
(list_expr (value_expr (value_qid (lower_case_identifier) @reference .))) @_outer
(tuple_expr (value_expr (value_qid (lower_case_identifier) @reference .))) @_outer
(field expression: (value_expr (value_qid (lower_case_identifier) @reference .))) @_outer
(value_declaration body: (value_expr (value_qid (lower_case_identifier) @reference .))) @_outer
(value_qid (upper_case_identifier) (lower_case_identifier) @reference .) @_outer
(upper_case_qid (upper_case_identifier) @reference .) @_outer
(import_clause exposing: (exposing_list [
  (exposed_value (lower_case_identifier) @reference)
  (exposed_type (upper_case_identifier) @reference)])) @_outer
