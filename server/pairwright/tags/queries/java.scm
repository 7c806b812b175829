(class_declaration name: (identifier) @name body: (_) @body) @definition.class
(record_declaration name: (identifier) @name body: (_) @body) @definition.class
(interface_declaration name: (identifier) @name body: (_) @body) @definition.interface
(annotation_type_declaration name: (identifier) @name body: (_) @body) @definition.interface
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(method_declaration name: (identifier) @name body: (_) @body) @definition.method
(method_declaration name: (identifier) @name) @definition.method
(constructor_declaration name: (identifier) @name body: (_) @body) @definition.method
(compact_constructor_declaration name: (identifier) @name body: (_) @body) @definition.method
(annotation_type_element_declaration name: (identifier) @name) @definition.method
(field_declaration
  (modifiers "static" "final")
  declarator: (variable_declarator name: (identifier) @name)) @definition.constant
(field_declaration
  (modifiers "final" "static")
  declarator: (variable_declarator name: (identifier) @name)) @definition.constant
(constant_declaration
  declarator: (variable_declarator name: (identifier) @name)) @definition.constant
(module_declaration name: (_) @name.last) @definition.module
(enum_constant name: (identifier) @name) @definition.constant

; References.
(method_invocation name: (identifier) @reference) @_outer
(method_reference "::" . (identifier) @reference) @_outer
(marker_annotation name: [
  (identifier) @reference
  (scoped_identifier name: (identifier) @reference)]) @_outer
(annotation name: [
  (identifier) @reference
  (scoped_identifier name: (identifier) @reference)]) @_outer
(import_declaration (scoped_identifier name: (identifier) @reference)) @_outer
(type_identifier) @reference
(identifier) @reference.capital
(type_parameter (type_identifier) @ignore) @_outer
