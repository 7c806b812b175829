; C, and what C++ takes over from it. `@declarator` is followed down to the name it declares.

; An export macro between `class` and the name makes the grammar read a function without parameters.
(function_definition
  type: [
    (struct_specifier !body)
    (union_specifier !body)]
  declarator: (identifier) @name
  body: (_) @body) @definition.struct
(function_definition declarator: (_) @declarator body: (_) @body) @definition.function

(struct_specifier name: (_) @declarator body: (_) @body) @definition.struct
(union_specifier name: (_) @declarator body: (_) @body) @definition.union
(enum_specifier name: (_) @declarator body: (_) @body) @definition.enum
(enumerator name: (identifier) @name) @definition.constant
(type_definition declarator: (_) @declarator) @definition.type
(preproc_function_def name: (identifier) @name) @definition.macro
(preproc_def name: (identifier) @name value: (_)) @definition.macro

; Outside functions.
((declaration declarator: [
    (identifier) @name
    (array_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (identifier) @name)
    (init_declarator declarator: (_) @declarator)]) @global.variable
  (#not-prefix? @global.variable "extern"))

; References.
(call_expression function: (identifier) @reference) @_outer
(call_expression function: (field_expression field: (field_identifier) @reference)) @_outer
(type_identifier) @reference
(initializer_pair value: [
  (identifier) @reference
  (pointer_expression argument: (identifier) @reference)]) @_outer
(initializer_list (identifier) @reference) @_outer
(preproc_ifdef name: (identifier) @reference) @_outer
(preproc_defined (identifier) @reference) @_outer
(identifier) @reference.capital
