(class_declaration name: (identifier) @name body: (_) @body) @definition.class
(class_declaration name: (identifier) @name) @definition.class
(record_declaration name: (identifier) @name body: (_) @body) @definition.class
(record_declaration name: (identifier) @name) @definition.class
(struct_declaration name: (identifier) @name body: (_) @body) @definition.struct
(struct_declaration name: (identifier) @name) @definition.struct
(interface_declaration name: (identifier) @name body: (_) @body) @definition.interface
(interface_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_member_declaration name: (identifier) @name) @definition.constant
(destructor_declaration name: (identifier) @name body: (_) @body) @definition.method
(delegate_declaration name: (identifier) @name) @definition.type
(namespace_declaration name: (_) @name body: (_) @body) @definition.namespace
(file_scoped_namespace_declaration name: (_) @name) @definition.namespace
(method_declaration name: (identifier) @name body: (_) @body) @definition.method
(method_declaration name: (identifier) @name) @definition.method
; An extension block looks like a constructor.
(constructor_declaration
  name: (identifier) @name
  body: (_) @body
  (#none-of? @name "extension")) @definition.method
(constructor_declaration
  name: (identifier) @name
  (#none-of? @name "extension")) @definition.method
(operator_declaration operator: _ @name body: (_) @body) @definition.method
(operator_declaration operator: _ @name) @definition.method
(indexer_declaration "this" @name [
  accessors: (_) @body
  value: (_) @body]) @definition.property
(local_function_statement name: (identifier) @name body: (_) @body) @definition.function
(property_declaration name: (identifier) @name
  [accessors: (_) @body value: (arrow_expression_clause) @body]) @definition.property
(property_declaration name: (identifier) @name) @definition.property
(event_declaration name: (identifier) @name) @definition.property
(event_field_declaration (variable_declaration
  (variable_declarator name: (identifier) @name))) @definition.property
(field_declaration
  (modifier "const")
  (variable_declaration (variable_declarator name: (identifier) @name))) @definition.constant
(field_declaration
  (modifier "static") (modifier "readonly")
  (variable_declaration (variable_declarator name: (identifier) @name))) @definition.constant
(field_declaration
  (modifier "readonly") (modifier "static")
  (variable_declaration (variable_declarator name: (identifier) @name))) @definition.constant

; References. Types are plain identifiers in this grammar; .NET names begin with a capital.
(invocation_expression function: [
  (identifier) @reference
  (generic_name (identifier) @reference)]) @_outer
(invocation_expression function: (member_access_expression name: [
  (identifier) @reference
  (generic_name (identifier) @reference)])) @_outer
(invocation_expression function: (conditional_access_expression
  (member_binding_expression name: [
    (identifier) @reference
    (generic_name (identifier) @reference)]))) @_outer
(base_list [
  (identifier) @reference
  (generic_name (identifier) @reference)]) @_outer
(attribute name: (identifier) @reference) @_outer
(object_creation_expression type: (identifier) @reference) @_outer
(identifier) @reference.capital
(type_parameter name: (identifier) @ignore) @_outer
(namespace_declaration name: (qualified_name (identifier) @ignore)) @_outer
