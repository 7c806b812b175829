(function_declaration
  name: [(identifier) @name (dot_index_expression field: (identifier) @name)]
  body: (_) @body) @definition.function
(function_declaration
  name: [(identifier) @name (dot_index_expression field: (identifier) @name)]) @definition.function
(function_declaration
  name: (method_index_expression method: (identifier) @name) body: (_) @body) @definition.method
(function_declaration
  name: (method_index_expression method: (identifier) @name)) @definition.method

; Functions bound to a name.
[
  (variable_declaration (assignment_statement
    (variable_list . name: (identifier) @name .)
    (expression_list . value: (function_definition body: (_) @body) .)))
  (assignment_statement
    (variable_list . name: [
      (identifier) @name
      (dot_index_expression field: (identifier) @name)
      (bracket_index_expression field: (string) @name)] .)
    (expression_list . value: (function_definition body: (_) @body) .))
] @definition.function
[
  (variable_declaration (assignment_statement
    (variable_list . name: (identifier) @name .)
    (expression_list . value: (function_definition) .)))
  (assignment_statement
    (variable_list . name: [
      (identifier) @name
      (dot_index_expression field: (identifier) @name)] .)
    (expression_list . value: (function_definition) .))
] @definition.function
(field
  name: [(identifier) (string)] @name
  value: (function_definition body: (_) @body)) @definition.method
(field name: [(identifier) (string)] @name value: (function_definition)) @definition.method

; Outside functions. A name bound to a module, or to what another name holds, is defined elsewhere;
; `M` is what every module calls itself.
(function_definition body: (_) @scope) @_outer
([
  (variable_declaration (assignment_statement
    (variable_list . name: (identifier) @name)
    (expression_list . value: [
      (table_constructor) (number) (string) (true) (false) (binary_expression) (unary_expression)])))
  (assignment_statement
    (variable_list . name: (identifier) @name)
    (expression_list . value: [
      (table_constructor) (number) (string) (true) (false) (binary_expression) (unary_expression)]))
] @global.variable
  (#none-of? @name "M" "_M"))
([
  (variable_declaration (assignment_statement
    (variable_list . name: (identifier) @name)
    (expression_list . value: (function_call name: (identifier) @_maker))))
  (assignment_statement
    (variable_list . name: (identifier) @name)
    (expression_list . value: (function_call name: (identifier) @_maker)))
] @global.variable
  (#none-of? @_maker "require"))

; References.
(function_call name: [
  (identifier) @reference
  (dot_index_expression field: (identifier) @reference)
  (method_index_expression method: (identifier) @reference)]) @_outer
((function_call
  name: (identifier) @_require
  arguments: (arguments (string content: (string_content) @reference.last))) @_outer
  (#one-of? @_require "require" "dofile" "loadfile"))
(identifier) @reference.capital
