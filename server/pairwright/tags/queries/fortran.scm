(module (module_statement (name) @name)) @definition.module
(submodule (submodule_statement (name) @name)) @definition.module
(program (program_statement (name) @name)) @definition.module
(subroutine (subroutine_statement name: (name) @name)) @definition.function
(function (function_statement name: (name) @name)) @definition.function
(module_procedure (module_procedure_statement name: (name) @name)) @definition.function
(block_data (block_data_statement (name) @name)) @definition.module
(derived_type_definition (derived_type_statement (type_name) @name)) @definition.struct
(derived_type_procedures (procedure_statement
  declarator: (binding (binding_name (identifier) @name))) @definition.method) @_outer
(derived_type_procedures (procedure_statement
  (procedure_kind "procedure")
  declarator: (method_name) @name) @definition.method) @_outer
(interface (interface_statement (name) @name)) @definition.interface
(interface (interface_statement (operator (operator_name) @name))) @definition.interface
(enumerator_statement declarator: [
  (identifier) @name
  (init_declarator left: (identifier) @name)]) @definition.constant
(preproc_def name: (identifier) @name) @definition.macro
(preproc_function_def name: (identifier) @name) @definition.macro

; Of modules; what a type or a procedure declares is its own.
(variable_declaration
  attribute: (type_qualifier) @_parameter
  declarator: (init_declarator left: [
    (identifier) @name
    (sized_declarator . (identifier) @name)])
  (#one-of? @_parameter "parameter" "PARAMETER" "Parameter")) @global.constant
(variable_declaration declarator: [
  (identifier) @name
  (sized_declarator . (identifier) @name)
  (init_declarator left: [
    (identifier) @name
    (sized_declarator . (identifier) @name)])]) @global.variable
(derived_type_definition) @scope
(program) @scope

; References. A call and an element of an array look alike.
(subroutine_call subroutine: [
  (identifier) @reference
  (derived_type_member_expression (type_member) @reference .)]) @_outer
(call_expression . [
  (identifier) @reference
  (derived_type_member_expression (type_member) @reference .)]) @_outer
(use_statement (module_name) @reference) @_outer
(included_items (identifier) @reference) @_outer
(use_alias (identifier) @reference) @_outer
(derived_type name: (type_name) @reference) @_outer
(base_type_specifier (identifier) @reference) @_outer
(allocate_statement type: (identifier) @reference) @_outer
(import_statement (identifier) @reference) @_outer
(procedure_interface) @reference
(method_name) @reference
(submodule_statement ancestor: (module_name (name) @reference)) @_outer
(preproc_ifdef name: (identifier) @reference) @_outer
