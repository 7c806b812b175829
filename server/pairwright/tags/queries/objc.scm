; What Objective-C adds to C. A category or extension defines no class; its members are kept.
(class_interface "@interface" . (identifier) @name superclass: (_)) @definition.class
(class_implementation "@implementation" . (identifier) @name !category) @definition.class
(protocol_declaration "@protocol" . (identifier) @name) @definition.interface
(method_definition (method_type) . (identifier) @name (compound_statement) @body) @definition.method
(method_declaration (method_type) . (identifier) @name) @definition.method
(method_declaration . (identifier) @name) @definition.method
(property_declaration (struct_declaration
  (struct_declarator (_) @declarator))) @definition.property

; References.
(message_expression receiver: (_) . method: (identifier) @reference) @_outer
(selector_expression (identifier) @reference) @_outer
(class_interface superclass: (identifier) @reference) @_outer
(protocol_reference_list (identifier) @reference) @_outer
(block_literal (compound_statement) @scope) @_outer
