(class_definition name: (identifier) @name body: (_) @body) @definition.class
(class_definition name: (identifier) @name) @definition.class
(object_definition name: (identifier) @name body: (_) @body) @definition.class
(object_definition name: (identifier) @name) @definition.class
(package_object name: (identifier) @name body: (_) @body) @definition.module
(trait_definition name: (identifier) @name body: (_) @body) @definition.trait
(trait_definition name: (identifier) @name) @definition.trait
(enum_definition name: (identifier) @name body: (_) @body) @definition.enum
(enum_case_definitions . (simple_enum_case name: (identifier) @name) .) @definition.constant
(simple_enum_case name: (identifier) @name) @definition.constant
(full_enum_case name: (identifier) @name) @definition.constant
(type_definition name: (type_identifier) @name) @definition.type
((function_definition
  name: [(identifier) (operator_identifier)] @name body: (_) @body) @definition.function
  (#none-of? @name "this"))
(function_declaration name: [(identifier) (operator_identifier)] @name) @definition.function
(given_definition name: (identifier) @name body: (_) @body) @definition.property
(template_body (val_definition pattern: (identifier) @name) @definition.property) @_outer
(template_body (var_definition pattern: (identifier) @name) @definition.property) @_outer
(with_template_body (val_definition pattern: (identifier) @name) @definition.property) @_outer
(val_declaration name: (identifier) @name) @definition.property
(var_declaration name: (identifier) @name) @definition.property

; Outside functions.
(block) @scope
(indented_block) @scope
(val_definition pattern: (identifier) @name) @global.variable
(var_definition pattern: (identifier) @name) @global.variable

; References.
(call_expression function: [
  (identifier) @reference
  (generic_function function: (identifier) @reference)]) @_outer
(field_expression field: (identifier) @reference) @_outer
(infix_expression operator: (identifier) @reference) @_outer
(postfix_expression (_) (identifier) @reference) @_outer
(import_declaration path: (identifier) @reference .) @_outer
(import_declaration (namespace_selectors [
  (identifier) @reference
  (arrow_renamed_identifier name: (identifier) @reference)])) @_outer
(type_identifier) @reference
(identifier) @reference.capital
(type_parameters name: (identifier) @ignore) @_outer
(covariant_type_parameter name: (identifier) @ignore) @_outer
(contravariant_type_parameter name: (identifier) @ignore) @_outer
(arrow_renamed_identifier alias: (identifier) @ignore) @_outer
