; Definitions. A decorated definition begins at its first decorator.
(decorated_definition
  definition: (class_definition name: (identifier) @name body: (_) @body)) @definition.class
(class_definition name: (identifier) @name body: (_) @body) @definition.class
(decorated_definition
  definition: (function_definition name: (identifier) @name body: (_) @body)) @definition.function
(function_definition name: (identifier) @name body: (_) @body) @definition.function

(type_alias_statement left: (type [
  (identifier) @name
  (generic_type . (identifier) @name)])) @definition.type

; Outside functions.
(assignment left: (identifier) @name right: (lambda body: (_) @body)) @global.function
(assignment left: (identifier) @name) @global.variable
(assignment left: (pattern_list (identifier) @name)) @global.variable

; References.
(call function: (identifier) @reference) @_outer
(call function: (attribute attribute: (identifier) @reference)) @_outer
(decorator [
  (identifier) @reference
  (attribute attribute: (identifier) @reference)]) @_outer
(class_definition superclasses: (argument_list [
  (identifier) @reference
  (attribute attribute: (identifier) @reference)
  (subscript value: [
    (identifier) @reference
    (attribute attribute: (identifier) @reference)])
  (keyword_argument value: [
    (identifier) @reference
    (attribute attribute: (identifier) @reference)])])) @_outer
(type [
  (identifier) @reference
  (attribute attribute: (identifier) @reference)
  (subscript value: (attribute attribute: (identifier) @reference))
  (binary_operator [
    (identifier) @reference
    (attribute attribute: (identifier) @reference)])
  (binary_operator (binary_operator (identifier) @reference))]) @_outer
(generic_type . (identifier) @reference) @_outer
(member_type (identifier) @reference) @_outer
(import_statement name: (dotted_name (identifier) @reference .)) @_outer
(import_statement name: (aliased_import name: (dotted_name (identifier) @reference .))) @_outer
(import_from_statement name: (dotted_name (identifier) @reference .)) @_outer
(import_from_statement name: (aliased_import name: (dotted_name (identifier) @reference .))) @_outer
(class_pattern (dotted_name (identifier) @reference .)) @_outer
(except_clause (attribute attribute: (identifier) @reference)) @_outer
(except_clause (as_pattern (attribute attribute: (identifier) @reference))) @_outer
(raise_statement (attribute attribute: (identifier) @reference)) @_outer

; Classes and constants wherever they stand: kept when they begin with a capital.
(identifier) @reference.capital
