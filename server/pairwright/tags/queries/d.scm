(module_declaration (module_fqn) @name.last) @definition.module
(class_declaration (identifier) @name (aggregate_body)? @body) @definition.class
(struct_declaration (identifier) @name (aggregate_body)? @body) @definition.struct
(union_declaration (identifier) @name (aggregate_body)? @body) @definition.union
(interface_declaration (identifier) @name (aggregate_body)? @body) @definition.interface
(enum_declaration (identifier) @name "{" @body) @definition.enum
(enum_member (identifier) @name) @definition.constant
(mixin_template_declaration
  (template_declaration (identifier) @name "{" @body)) @definition.macro
(template_declaration (identifier) @name "{" @body) @definition.macro
(function_declaration (identifier) @name . (parameters) (function_body)? @body) @definition.function
(function_declaration
  (identifier) @name
  .
  (template_parameters)
  (function_body)? @body) @definition.function
(alias_declaration (alias_initializer . (identifier) @name)) @definition.type
(alias_declaration (type) . (identifier) @name) @definition.type
(manifest_declarator . (identifier) @name) @definition.constant

; Outside functions.
(variable_declaration (declarator . (identifier) @name) @global.variable) @_outer
(auto_declaration variable: (identifier) @name) @global.variable
(unittest_declaration) @scope
(constructor) @scope
(destructor) @scope
(function_literal) @scope

; References.
(call_expression . (identifier) @reference) @_outer
(call_expression . (type (identifier) @reference .)) @_outer
(property_expression (identifier) @reference .) @_outer
(template_instance (identifier) @reference) @_outer
(template_mixin (identifier) @reference) @_outer
(type (identifier) @reference .) @_outer
(base_class (identifier) @reference .) @_outer
(at_attribute (identifier) @reference) @_outer
(imported (module_fqn (identifier) @reference .)) @_outer
(import_bind (identifier) @reference .) @_outer
(new_expression (type (identifier) @reference .)) @_outer
(identifier) @reference.capital
(template_parameter (identifier) @ignore) @_outer
(version_condition (identifier) @ignore) @_outer
