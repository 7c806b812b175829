; Each equation of a function is a declaration of its own in this grammar.
(header module: (module) @name.last) @definition.module
(data_type name: [
  (name) @name
  (prefix_id (_) @name)]) @definition.enum
(data_type (infix operator: (_) @name)) @definition.enum
(type_synomym (infix operator: (_) @name)) @definition.type
(class (infix operator: (_) @name) declarations: (_)? @body) @definition.trait
(newtype name: (name) @name) @definition.struct
(type_synomym name: (name) @name) @definition.type
(type_family name: (name) @name) @definition.type
(data_family name: (name) @name) @definition.type
(class name: (name) @name declarations: (_)? @body) @definition.trait
(data_constructor constructor: [
  (prefix name: (constructor) @name)
  (record name: (constructor) @name)
  (prefix name: (prefix_id (_) @name))
  (infix operator: (_) @name)]) @definition.constant
(gadt_constructor name: (constructor) @name) @definition.constant
(gadt_constructor names: (binding_list name: (constructor) @name)) @definition.constant
(newtype_constructor name: (constructor) @name) @definition.constant
(field name: (field_name (variable) @name)) @definition.field
(pattern_synonym (equation synonym: (constructor) @name)) @definition.constant
(pattern_synonym (equation synonym: (apply function: (constructor) @name))) @definition.constant
(foreign_import signature: (signature name: (variable) @name)) @definition.function
(class_declarations (signature name: [
  (variable) @name
  (prefix_id (_) @name)]) @definition.method) @_outer
(class_declarations (signature names: (binding_list name: [
  (variable) @name
  (prefix_id (_) @name)])) @definition.method) @_outer

(function
  name: [
    (variable) @name
    (prefix_id (_) @name)]
  match: (match) @body) @definition.function
(function
  (infix operator: [
    (operator) @name
    (infix_id (variable) @name)])
  match: (match) @body) @definition.function

; Outside `where` and `let`.
(bind
  name: (variable) @name
  match: (match expression: (literal))) @global.constant
(bind
  name: [
    (variable) @name
    (prefix_id (_) @name)]
  match: (match) @body) @global.function
(bind pattern: (tuple element: (variable) @name)) @global.variable
(top_splice) @scope
(local_binds) @scope

; References: a name that is applied, or is applied to something, or stands as an expression.
(apply function: [
  (variable) @reference
  (qualified id: (variable) @reference)]) @_outer
(apply
  function: [(variable) (qualified) (parens)]
  argument: (variable) @reference) @_outer
(apply
  function: (apply function: [(variable) (qualified) (apply)])
  argument: (variable) @reference) @_outer
(infix left_operand: (variable) @reference operator: [(operator) (infix_id)]) @_outer
(infix operator: [(operator) (infix_id)] right_operand: (variable) @reference) @_outer
(infix operator: (infix_id [
  (variable) @reference
  (constructor) @reference
  (qualified id: (_) @reference)])) @_outer
(infix
  operator: (operator) @reference
  (#none-of? @reference
    "$" "$!" "." "+" "-" "*" "/" "==" "/=" "<" ">" "<=" ">=" "&&" "||" "++" "<>" ">>=" ">>" "=<<"
    "<$>" "<*>" "*>" "<*" "<|>" "<$" "^" "!!")) @_outer
(match expression: (variable) @reference) @_outer
(exp (variable) @reference) @_outer
(bind expression: (variable) @reference) @_outer
(parens expression: (variable) @reference) @_outer
(left_section left_operand: (variable) @reference) @_outer
(right_section right_operand: (variable) @reference) @_outer
(qualified id: (variable) @reference) @_outer
(import_name variable: (variable) @reference) @_outer
(import module: (module) @reference.last) @_outer
(name) @reference
(constructor) @reference
(constructor_operator) @reference
(signature name: (variable) @ignore) @_outer
(pattern_synonym (signature synonym: (constructor) @ignore)) @_outer
