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

; Module level, also behind if and try.
(module (assignment left: (identifier) @name right: (lambda body: (_) @body)) @definition.function)
(module (assignment left: (identifier) @name) @definition.variable)
(module (assignment left: (pattern_list (identifier) @name)) @definition.variable)
(module (assignment right: (assignment left: (identifier) @name)) @definition.variable)
(module (if_statement
  consequence: (block (assignment left: (identifier) @name) @definition.variable)))
(module (if_statement
  alternative: (_ body: (block (assignment left: (identifier) @name) @definition.variable))))
(module (try_statement
  body: (block (assignment left: (identifier) @name) @definition.variable)))
(module (try_statement
  (except_clause (block (assignment left: (identifier) @name) @definition.variable))))

; References.
(call function: (identifier) @reference)
(call function: (attribute attribute: (identifier) @reference)) @_outer
(decorator [
  (identifier) @reference
  (attribute attribute: (identifier) @reference)])
(class_definition superclasses: (argument_list [
  (identifier) @reference
  (attribute attribute: (identifier) @reference)
  (subscript value: [
    (identifier) @reference
    (attribute attribute: (identifier) @reference)])
  (keyword_argument value: [
    (identifier) @reference
    (attribute attribute: (identifier) @reference)])]))
(type [
  (identifier) @reference
  (attribute attribute: (identifier) @reference)
  (subscript value: (attribute attribute: (identifier) @reference))
  (binary_operator [
    (identifier) @reference
    (attribute attribute: (identifier) @reference)])
  (binary_operator (binary_operator (identifier) @reference))])
(generic_type . (identifier) @reference)
(member_type (identifier) @reference)
(import_statement name: (dotted_name (identifier) @reference .))
(import_statement name: (aliased_import name: (dotted_name (identifier) @reference .)))
(import_from_statement name: (dotted_name (identifier) @reference .))
(import_from_statement name: (aliased_import name: (dotted_name (identifier) @reference .)))
(class_pattern (dotted_name (identifier) @reference .))
(except_clause (attribute attribute: (identifier) @reference))
(except_clause (as_pattern (attribute attribute: (identifier) @reference)))
(raise_statement (attribute attribute: (identifier) @reference))

; Classes and constants wherever they stand: kept when they begin with a capital.
(identifier) @reference.capital
