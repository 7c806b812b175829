(module_definition name: (identifier) @name) @definition.module
(struct_definition (type_head [
  (identifier) @name
  (parametrized_type_expression . (identifier) @name)
  (binary_expression . (identifier) @name)
  (binary_expression . (parametrized_type_expression . (identifier) @name))])
  (block)? @body) @definition.struct
(abstract_definition (type_head [
  (identifier) @name
  (parametrized_type_expression . (identifier) @name)
  (binary_expression . (identifier) @name)
  (binary_expression . (parametrized_type_expression . (identifier) @name))])) @definition.type
(primitive_definition (type_head [
  (identifier) @name
  (binary_expression . (identifier) @name)])) @definition.type

; A function's head is a call; `where` and the type it returns stand around it.
(function_definition
  (signature [
    (identifier) @name
    (call_expression . [
      (identifier) @name
      (operator) @name
      (field_expression (identifier) @name .)
      (field_expression (quote_expression (_) @name) .)
      (parametrized_type_expression . (identifier) @name)])
    (typed_expression . (call_expression . [
      (identifier) @name
      (operator) @name
      (field_expression (identifier) @name .)
      (field_expression (quote_expression (_) @name) .)]))
    (where_expression . (call_expression . [
      (identifier) @name
      (operator) @name
      (field_expression (identifier) @name .)
      (field_expression (quote_expression (_) @name) .)
      (parametrized_type_expression . (identifier) @name)]))
    (where_expression . (typed_expression . (call_expression . [
      (identifier) @name
      (field_expression (identifier) @name .)])))
    (where_expression . (where_expression . (call_expression . [
      (identifier) @name
      (field_expression (identifier) @name .)])))])
  (block)? @body) @definition.function
(assignment . [
    (call_expression . [
      (identifier) @name
      (operator) @name
      (field_expression (identifier) @name .)
      (field_expression (quote_expression (_) @name) .)
      (parametrized_type_expression . (identifier) @name)])
    (typed_expression . (call_expression . [
      (identifier) @name
      (operator) @name
      (field_expression (identifier) @name .)
      (field_expression (quote_expression (_) @name) .)]))
    (where_expression . (call_expression . [
      (identifier) @name
      (operator) @name
      (field_expression (identifier) @name .)
      (parametrized_type_expression . (identifier) @name)]))
    (where_expression . (typed_expression . (call_expression . [
      (identifier) @name
      (field_expression (identifier) @name .)])))]) @definition.function
(macro_definition
  (signature (call_expression . (identifier) @name))
  (block)? @body) @definition.macro

; An enumeration is a macro: its name, then its values, which may be assigned.
(macrocall_expression
  (macro_identifier (identifier) @_enum)
  (macro_argument_list . [
    (identifier) @name
    (typed_expression . (identifier) @name)])
  (#one-of? @_enum "enum")) @definition.enum
((macrocall_expression
  (macro_identifier (identifier) @_enum)
  (macro_argument_list . (_) [
    (identifier) @name @definition.constant
    (assignment . (identifier) @name) @definition.constant
    (assignment (juxtaposition_expression (identifier) @name @definition.constant))
    (compound_statement (block [
      (identifier) @name @definition.constant
      (assignment . (identifier) @name) @definition.constant]))])
  (#one-of? @_enum "enum")) @_outer)

; Outside functions; a keyword argument is an assignment too.
(assignment
  .
  (identifier) @name
  (operator)
  .
  [(arrow_function_expression) (function_definition)]) @global.function
(const_statement (assignment . [
  (identifier) @name
  (parametrized_type_expression . (identifier) @name)
  (typed_expression . (identifier) @name)])) @global.constant
(assignment . (parametrized_type_expression . (identifier) @name)) @global.type
(assignment . (identifier) @name) @global.variable
(argument_list) @scope
(let_statement) @scope
(do_clause) @scope
(for_statement) @scope
(while_statement) @scope

; References.
(call_expression . [
  (identifier) @reference
  (field_expression (identifier) @reference .)
  (parametrized_type_expression . (identifier) @reference)]) @_outer
(broadcast_call_expression . [
  (identifier) @reference
  (field_expression (identifier) @reference .)]) @_outer
(macrocall_expression . [
  (macro_identifier (identifier) @reference)
  (field_expression (macro_identifier (identifier) @reference))]) @_outer
(binary_expression
  (operator) @_pipe
  .
  (identifier) @reference
  (#one-of? @_pipe "|>" ".|>" "∘")) @_outer
(typed_expression (_) . (identifier) @reference) @_outer
(selected_import (_) [
  (identifier) @reference
  (macro_identifier (identifier) @reference)]) @_outer
(using_statement (identifier) @reference) @_outer
(import_statement (identifier) @reference) @_outer
(import_path (identifier) @reference .) @_outer
(identifier) @reference.capital
