; What JavaScript and TypeScript share. The first pattern that matches a name decides its kind.
[
  (function_declaration name: (identifier) @name body: (_) @body)
  (generator_function_declaration name: (identifier) @name body: (_) @body)
  (export_statement declaration: [
    (function_declaration name: (identifier) @name body: (_) @body)
    (generator_function_declaration name: (identifier) @name body: (_) @body)])
] @definition.function

[
  (class_declaration name: (_) @name body: (_) @body)
  (export_statement declaration: (class_declaration name: (_) @name body: (_) @body))
] @definition.class

(method_definition name: [
  (property_identifier)
  (private_property_identifier)] @name body: (_) @body) @definition.method

; Functions bound to a name. A declaration of one name is taken whole, of several by declarator.
[
  (lexical_declaration . (variable_declarator name: (identifier) @name value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)]) .)
  (variable_declaration . (variable_declarator name: (identifier) @name value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)]) .)
  (export_statement declaration: [
    (lexical_declaration . (variable_declarator name: (identifier) @name value: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)]) .)
    (variable_declaration . (variable_declarator name: (identifier) @name value: [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)]) .)])
] @definition.function
(variable_declarator name: (identifier) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
  (generator_function body: (_) @body)]) @definition.function
[
  (lexical_declaration . (variable_declarator name: (identifier) @name
    value: (class body: (_) @body)) .)
  (export_statement declaration: (lexical_declaration . (variable_declarator
    name: (identifier) @name value: (class body: (_) @body)) .))
] @definition.class

; A component or hook wrapped in calls: memo(forwardRef((props) => …)).
[
  (lexical_declaration . (variable_declarator name: (identifier) @name
    value: (call_expression arguments: (arguments . [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (call_expression arguments: (arguments . [
        (arrow_function body: (_) @body)
        (function_expression body: (_) @body)]))]))) .)
  (export_statement declaration: (lexical_declaration . (variable_declarator
    name: (identifier) @name
    value: (call_expression arguments: (arguments . [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (call_expression arguments: (arguments . [
        (arrow_function body: (_) @body)
        (function_expression body: (_) @body)]))]))) .))
] @global.function

; x.y = function …, exports.y = …, X.prototype.y = …
(assignment_expression
  left: (member_expression property: [
    (property_identifier)
    (private_property_identifier)] @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)]) @definition.method
(assignment_expression
  left: (identifier) @name
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)]) @definition.function
(pair
  key: (property_identifier) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)]) @definition.method

; Outside functions, those without a name included.
(arrow_function body: (statement_block) @scope) @_outer
(function_expression body: (_) @scope) @_outer
(generator_function body: (_) @scope) @_outer
(class_static_block) @scope
[
  (lexical_declaration . (variable_declarator name: (identifier) @name) .)
  (export_statement declaration: (lexical_declaration . (variable_declarator
    name: (identifier) @name) .))
] @global.variable
(variable_declarator name: (identifier) @name) @global.variable
; Svelte's reactive declarations.
(labeled_statement
  body: (expression_statement (assignment_expression left: (identifier) @name))) @global.variable

; References.
(call_expression function: (identifier) @reference) @_outer
(call_expression function: (member_expression property: [
  (property_identifier)
  (private_property_identifier)] @reference)) @_outer
(new_expression constructor: [
  (identifier) @reference
  (member_expression property: (property_identifier) @reference)]) @_outer
(decorator [
  (identifier) @reference
  (member_expression property: (property_identifier) @reference)]) @_outer
(import_clause (identifier) @reference) @_outer
(import_specifier name: (identifier) @reference) @_outer
(export_specifier name: (identifier) @reference) @_outer
(shorthand_property_identifier) @reference.capital
(identifier) @reference.capital

; A callback with a title: it('adds', () => {…}), app.get('/carts', function (…) {…}). With its
; quotes, so that it is never taken for what a name refers to.
(call_expression
  arguments: (arguments . (string) @title [
    (arrow_function body: (statement_block) @body)
    (function_expression body: (_) @body)])) @definition.function
