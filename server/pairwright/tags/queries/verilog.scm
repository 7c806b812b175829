; Verilog and SystemVerilog.
(module_declaration (module_ansi_header name: (simple_identifier) @name)) @definition.module
(module_declaration (module_nonansi_header name: (simple_identifier) @name)) @definition.module
(interface_declaration (interface_ansi_header
  name: (simple_identifier) @name)) @definition.interface
(interface_declaration (interface_nonansi_header
  name: (simple_identifier) @name)) @definition.interface
(interface_class_declaration name: (simple_identifier) @name) @definition.interface
(package_declaration name: (simple_identifier) @name) @definition.namespace
(program_declaration (program_ansi_header name: (simple_identifier) @name)) @definition.module
(program_declaration (program_nonansi_header name: (simple_identifier) @name)) @definition.module
(checker_declaration name: (simple_identifier) @name) @definition.module
(udp_declaration (udp_nonansi_declaration . (simple_identifier) @name)) @definition.module
(udp_declaration (udp_ansi_declaration . (simple_identifier) @name)) @definition.module
(class_declaration name: (simple_identifier) @name) @definition.class

(function_declaration (function_body_declaration
  (class_scope)
  name: (simple_identifier) @name
  (function_statement_or_null) @body)) @definition.method
(task_declaration (task_body_declaration
  (class_scope)
  name: (simple_identifier) @name
  (statement_or_null) @body)) @definition.method
(class_method (function_declaration (function_body_declaration
  name: (simple_identifier) @name
  (function_statement_or_null) @body))) @definition.method
(class_method (task_declaration (task_body_declaration
  name: (simple_identifier) @name
  (statement_or_null) @body))) @definition.method
(class_method (function_declaration (function_body_declaration
  name: (simple_identifier) @name))) @definition.method
(class_method (task_declaration (task_body_declaration
  name: (simple_identifier) @name))) @definition.method
(class_method (function_prototype name: (simple_identifier) @name)) @definition.method
(class_method (task_prototype name: (simple_identifier) @name)) @definition.method
(class_constructor_declaration "function" . "new" @name) @definition.method
(class_constructor_prototype "new" @name) @definition.method
(function_declaration (function_body_declaration
  name: (simple_identifier) @name
  (function_statement_or_null) @body)) @definition.function
(task_declaration (task_body_declaration
  name: (simple_identifier) @name
  (statement_or_null) @body)) @definition.function
(function_declaration (function_body_declaration name: (simple_identifier) @name)) @definition.function
(task_declaration (task_body_declaration name: (simple_identifier) @name)) @definition.function
(function_prototype name: (simple_identifier) @name) @definition.function
(property_declaration name: (simple_identifier) @name) @definition.function
(sequence_declaration name: (simple_identifier) @name) @definition.function

(covergroup_declaration name: (simple_identifier) @name) @definition.struct
(constraint_declaration (simple_identifier) @name) @definition.property
(class_property (data_declaration (list_of_variable_decl_assignments
  (variable_decl_assignment name: (simple_identifier) @name)))) @definition.property
(modport_item . (simple_identifier) @name) @definition.field
(clocking_declaration name: (simple_identifier) @name) @definition.field
(text_macro_definition (text_macro_name . (simple_identifier) @name)) @definition.macro
(type_declaration (data_type [(enum_base_type) (enum_name_declaration)])
  type_name: (simple_identifier) @name) @definition.enum
(type_declaration (data_type (struct_union "union"))
  type_name: (simple_identifier) @name) @definition.union
(type_declaration (data_type (struct_union))
  type_name: (simple_identifier) @name) @definition.struct
(type_declaration type_name: (simple_identifier) @name) @definition.type
(enum_name_declaration . (simple_identifier) @name) @definition.constant
(type_assignment name: (simple_identifier) @name) @definition.type
(param_assignment . (simple_identifier) @name) @definition.constant

; References.
(module_instantiation instance_type: (simple_identifier) @reference) @_outer
(checker_instantiation . (simple_identifier) @reference) @_outer
(udp_instantiation . (simple_identifier) @reference) @_outer
(tf_call (hierarchical_identifier (simple_identifier) @reference .)) @_outer
(method_call_body name: (simple_identifier) @reference) @_outer
(class_type (simple_identifier) @reference) @_outer
(interface_class_type (simple_identifier) @reference) @_outer
(interface_port_header interface_name: (simple_identifier) @reference) @_outer
(data_type (simple_identifier) @reference) @_outer
(net_declaration . (simple_identifier) @reference) @_outer
(package_import_item (simple_identifier) @reference) @_outer
(package_scope (simple_identifier) @reference) @_outer
(text_macro_usage (simple_identifier) @reference) @_outer
(ifdef_condition (simple_identifier) @reference) @_outer
(bind_target_scope (simple_identifier) @reference) @_outer
(named_parameter_assignment . (simple_identifier) @reference) @_outer
(hierarchical_identifier (simple_identifier) @reference.capital) @_outer
(constant_primary (simple_identifier) @reference.capital) @_outer
