; A definition begins at `type`, with its attributes; the second of `type … and …` at its name.
(named_module name: (long_identifier) @name.last) @definition.module
(namespace name: (long_identifier) @name.last) @definition.namespace
(module_defn (identifier) @name . block: (_) @body) @definition.module
(module_abbrev . (identifier) @name) @definition.module
(exception_definition exception_name: (_) @name.last) @definition.class
[
  (type_definition . (union_type_defn
    (type_name type_name: (_) @name.last)
    block: (union_type_cases . (union_type_case . (identifier) .) .)))
  (union_type_defn
    (type_name type_name: (_) @name.last)
    block: (union_type_cases . (union_type_case . (identifier) .) .))
] @definition.type
[
  (type_definition . (union_type_defn (type_name type_name: (_) @name.last) block: (_) @body))
  (type_definition
    .
    (attributes)
    .
    (union_type_defn (type_name type_name: (_) @name.last) block: (_) @body))
  (union_type_defn (type_name type_name: (_) @name.last) block: (_) @body)
] @definition.enum
[
  (type_definition . (enum_type_defn (type_name type_name: (_) @name.last) block: (_) @body))
  (type_definition
    .
    (attributes)
    .
    (enum_type_defn (type_name type_name: (_) @name.last) block: (_) @body))
  (enum_type_defn (type_name type_name: (_) @name.last) block: (_) @body)
] @definition.enum
[
  (type_definition . (record_type_defn (type_name type_name: (_) @name.last) block: (_) @body))
  (type_definition
    .
    (attributes)
    .
    (record_type_defn (type_name type_name: (_) @name.last) block: (_) @body))
  (record_type_defn (type_name type_name: (_) @name.last) block: (_) @body)
] @definition.struct
[
  (type_definition . [
    (type_abbrev_defn (type_name type_name: (_) @name.last))
    (delegate_type_defn (type_name type_name: (_) @name.last))])
  (type_definition
    .
    (attributes)
    .
    [
      (type_abbrev_defn (type_name type_name: (_) @name.last))
      (delegate_type_defn (type_name type_name: (_) @name.last))])
  (type_abbrev_defn (type_name type_name: (_) @name.last))
  (delegate_type_defn (type_name type_name: (_) @name.last))
] @definition.type

; Without a constructor and beginning with an abstract member it is an interface.
[
  (type_definition
    .
    (anon_type_defn
      (type_name type_name: (_) @name.last)
      .
      block: (type_extension_elements (member_defn "abstract")) @body))
  (type_definition
    .
    (attributes)
    .
    (anon_type_defn
      (type_name type_name: (_) @name.last)
      .
      block: (type_extension_elements (member_defn "abstract")) @body))
] @definition.interface
[
  (type_definition
    .
    (anon_type_defn (type_name type_name: (_) @name.last) block: (_)? @body))
  (type_definition
    .
    (attributes)
    .
    (anon_type_defn (type_name type_name: (_) @name.last) block: (_)? @body))
  (anon_type_defn (type_name type_name: (_) @name.last) block: (_)? @body)
] @definition.class

; One case without a bar and without fields is another name of a type.
(union_type_cases "|" (union_type_case (identifier) @name) @definition.constant) @_outer
(union_type_cases (union_type_case (identifier) @name) @definition.constant "|") @_outer
(union_type_case (identifier) @name (union_type_fields)) @definition.constant
(enum_type_case (identifier) @name) @definition.constant

(member_defn (method_or_prop_defn
  name: [
    (property_or_ident method: (identifier) @name)
    (property_or_ident . (identifier) @name .)
    (property_or_ident (op_identifier) @name)]
  args: (_))) @definition.method
(member_defn (method_or_prop_defn name: [
  (property_or_ident method: (identifier) @name)
  (property_or_ident . (identifier) @name .)])) @definition.property
(member_defn "val" (property_or_ident [
  method: (identifier) @name
  (identifier) @name])) @definition.property
(member_defn (member_signature . (identifier) @name)) @definition.method

(function_or_value_defn
  .
  (function_declaration_left [
    (identifier) @name
    (op_identifier) @name
    (active_pattern (active_pattern_op_name) @name)])
  body: (_) @body) @definition.function
(function_or_value_defn
  (function_declaration_left (identifier) @name) @definition.function
  .
  body: (_) @body) @_outer

; Outside functions.
(declaration_expression
  .
  (attributes (attribute (simple_type (long_identifier (identifier) @_literal))))
  .
  (function_or_value_defn (value_declaration_left
    (identifier_pattern . (long_identifier_or_op (identifier) @name) .)))
  (#one-of? @_literal "Literal")) @global.constant
(function_or_value_defn
  (value_declaration_left (identifier_pattern . (long_identifier_or_op (identifier) @name) .))
  body: (fun_expression)) @global.function
(function_or_value_defn
  (value_declaration_left
    (identifier_pattern . (long_identifier_or_op (identifier) @name) .))) @global.variable
(ce_expression) @scope
(member_defn) @scope

; References: what is applied, what it is applied to, and what operators join.
(application_expression (long_identifier_or_op [
  (identifier) @reference
  (long_identifier (identifier) @reference .)])) @_outer
(infix_expression (long_identifier_or_op [
  (identifier) @reference
  (long_identifier (identifier) @reference .)])) @_outer
(application_expression (dot_expression
  field: (long_identifier_or_op (identifier) @reference))) @_outer
(dot_expression field: (long_identifier_or_op (identifier) @reference)) @_outer
(ce_expression . (long_identifier_or_op (identifier) @reference)) @_outer
(simple_type (long_identifier (identifier) @reference .)) @_outer
(generic_type (long_identifier (identifier) @reference .)) @_outer
(postfix_type (long_identifier (identifier) @reference .)) @_outer
(type_extension (type_name type_name: (_) @reference.last)) @_outer
(union_type_cases . (union_type_case . (identifier) @reference .) .) @_outer
(import_decl (long_identifier (identifier) @reference .)) @_outer
(identifier) @reference.capital
(type_argument (identifier) @ignore) @_outer
(named_module name: (long_identifier (identifier) @ignore)) @_outer
(namespace name: (long_identifier (identifier) @ignore)) @_outer
