; A function with a receiver is a method.
(function_item
  name: (_) @name
  parameters: (parameters (self_parameter))
  body: (_) @body) @definition.method
(function_signature_item
  name: (_) @name
  parameters: (parameters (self_parameter))) @definition.method
(function_item name: (_) @name body: (_) @body) @definition.function
(function_signature_item name: (_) @name) @definition.function
(struct_item name: (_) @name body: (_) @body) @definition.struct
(struct_item name: (_) @name) @definition.struct
(enum_item name: (_) @name body: (_) @body) @definition.enum
(union_item name: (_) @name body: (_) @body) @definition.union
(trait_item name: (_) @name body: (_) @body) @definition.trait
(mod_item name: (_) @name body: (_) @body) @definition.module
(type_item name: (_) @name) @definition.type
(associated_type name: (_) @name) @definition.type
(enum_variant name: (identifier) @name) @definition.constant
(macro_definition name: (_) @name) @definition.macro
(const_item name: (_) @name) @definition.constant
(static_item name: (_) @name) @definition.constant

; References.
(call_expression function: [
  (identifier) @reference
  (scoped_identifier name: (identifier) @reference)
  (generic_function function: [
    (identifier) @reference
    (scoped_identifier name: (identifier) @reference)])]) @_outer
(call_expression function: (field_expression field: (field_identifier) @reference)) @_outer
(call_expression function: (generic_function
  function: (field_expression field: (field_identifier) @reference))) @_outer
(macro_invocation macro: [
  (identifier) @reference
  (scoped_identifier name: (identifier) @reference)]) @_outer
(attribute [
  (identifier) @reference
  (scoped_identifier name: (identifier) @reference)]) @_outer
(use_declaration argument: [
  (identifier) @reference
  (scoped_identifier name: (identifier) @reference)
  (use_as_clause path: [
    (identifier) @reference
    (scoped_identifier name: (identifier) @reference)])]) @_outer
(use_list [
  (identifier) @reference
  (scoped_identifier name: (identifier) @reference)
  (use_as_clause path: [
    (identifier) @reference
    (scoped_identifier name: (identifier) @reference)])]) @_outer
(type_identifier) @reference

; Inside macro arguments there are only tokens: a name in front of a group is a call.
(token_tree (identifier) @reference . (token_tree)) @_outer
(identifier) @reference.capital
(type_parameter name: (type_identifier) @ignore) @_outer
(const_parameter name: (identifier) @ignore) @_outer
