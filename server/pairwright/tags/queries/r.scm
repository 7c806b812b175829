; Classes of the object systems.
((binary_operator
  lhs: (identifier) @name
  rhs: (call function: [
    (identifier) @_maker
    (namespace_operator rhs: (identifier) @_maker)])) @definition.class
  (#one-of? @_maker "R6Class" "new_class"))
((call
  function: [(identifier) @_maker (namespace_operator rhs: (identifier) @_maker)]
  arguments: (arguments . argument: (argument value: (string) @name))) @definition.class
  (#one-of? @_maker "setClass" "setRefClass" "setClassUnion"))
((argument
  name: (identifier) @_part
  value: (call arguments: (arguments argument: (argument
    name: (identifier) @name
    value: (function_definition body: (_) @body)) @definition.method))) @_outer
  (#one-of? @_part "public" "private" "active" "methods"))
((call
  function: [(identifier) @_maker (namespace_operator rhs: (identifier) @_maker)]
  arguments: (arguments . argument: (argument value: (string) @name)
    argument: (argument value: (function_definition body: (_) @body)))) @definition.function
  (#one-of? @_maker "setGeneric" "setMethod" "setReplaceMethod" "assign"))

; Functions.
(binary_operator
  lhs: [(identifier) (string)] @name
  operator: ["<-" "=" "<<-" ":="]
  rhs: (function_definition body: (_) @body)) @definition.function
(binary_operator
  lhs: (extract_operator rhs: (identifier) @name)
  operator: ["<-" "=" "<<-"]
  rhs: (function_definition body: (_) @body)) @definition.function

; Outside functions. What makes a class is named by the class.
(function_definition body: (_) @scope) @_outer
((binary_operator
  lhs: (identifier) @name
  operator: ["<-" "=" "<<-"]
  rhs: (call function: (identifier) @_maker)) @global.variable
  (#none-of? @_maker "setClass" "setRefClass" "setClassUnion" "R6Class"))
(binary_operator
  lhs: (identifier) @name
  operator: ["<-" "=" "<<-"]
  rhs: [
    (call function: (namespace_operator)) (call function: (extract_operator))
    (float) (integer) (complex) (string) (true) (false) (null) (na) (inf) (nan) (identifier)
    (binary_operator) (unary_operator) (extract_operator) (subset) (subset2) (namespace_operator)
    (braced_expression) (if_statement) (parenthesized_expression)]) @global.variable
(binary_operator operator: ["->" "->>"] rhs: (identifier) @name) @global.variable

; References.
(call function: [
  (identifier) @reference
  (namespace_operator rhs: (identifier) @reference)
  (extract_operator rhs: (identifier) @reference)]) @_outer
((call
  function: (identifier) @_import
  arguments: (arguments . argument: (argument value: [(identifier) (string)] @reference))) @_outer
  (#one-of? @_import "library" "require" "requireNamespace" "loadNamespace" "UseMethod"
    "standardGeneric" "do.call" "new" "signature" "validObject" "setValidity" "callGeneric"))
((call
  function: (identifier) @_apply
  arguments: (arguments argument: (argument value: (identifier) @reference))) @_outer
  (#one-of? @_apply "lapply" "sapply" "vapply" "mapply" "apply" "tapply" "Map" "Reduce" "Filter"
    "do.call" "map" "map_dbl" "map_chr" "map_lgl" "map_int" "walk"))
((call
  function: (identifier) @_method
  arguments: (arguments
    . argument: (argument value: (string)) (comma)
    . argument: (argument value: (string) @reference))) @_outer
  (#one-of? @_method "setMethod"))
((argument name: (identifier) @_base value: (string) @reference) @_outer
  (#one-of? @_base "contains"))
(identifier) @reference.capital
