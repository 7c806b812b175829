; TypeScript and TSX beyond JavaScript.
[
  (interface_declaration name: (_) @name body: (_) @body)
  (export_statement declaration: (interface_declaration name: (_) @name body: (_) @body))
  (ambient_declaration (interface_declaration name: (_) @name body: (_) @body))
] @definition.interface
[
  (abstract_class_declaration name: (_) @name body: (_) @body)
  (export_statement declaration: (abstract_class_declaration name: (_) @name body: (_) @body))
  (ambient_declaration (class_declaration name: (_) @name body: (_) @body))
] @definition.class
[
  (type_alias_declaration name: (_) @name)
  (export_statement declaration: (type_alias_declaration name: (_) @name))
  (ambient_declaration (type_alias_declaration name: (_) @name))
] @definition.type
[
  (enum_declaration name: (_) @name body: (_) @body)
  (export_statement declaration: (enum_declaration name: (_) @name body: (_) @body))
  (ambient_declaration (enum_declaration name: (_) @name body: (_) @body))
] @definition.enum
[
  (internal_module name: (_) @name body: (_) @body)
  (module name: [(identifier) (nested_identifier)] @name body: (_) @body)
  (export_statement declaration: (internal_module name: (_) @name body: (_) @body))
] @definition.namespace
(module name: (string (string_fragment) @name) body: (_) @body) @definition.module

[
  (function_signature name: (identifier) @name)
  (export_statement declaration: (function_signature name: (identifier) @name))
  (ambient_declaration (function_signature name: (identifier) @name))
] @definition.function(enum_body name: (property_identifier) @name @definition.constant) @_outer
(enum_assignment name: (property_identifier) @name) @definition.constant

(method_signature name: [
  (property_identifier)
  (private_property_identifier)] @name) @definition.method
(abstract_method_signature name: (property_identifier) @name) @definition.method
(property_signature
  name: (property_identifier) @name
  type: (type_annotation (function_type))) @definition.method
(public_field_definition
  name: [(property_identifier) (private_property_identifier)] @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)]) @definition.method

; References.
(type_identifier) @reference
(extends_clause value: [
  (identifier) @reference
  (member_expression property: (property_identifier) @reference)]) @_outer
(type_query (identifier) @reference) @_outer
(type_parameter name: (type_identifier) @ignore) @_outer
