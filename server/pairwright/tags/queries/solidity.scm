(contract_declaration name: (identifier) @name body: (_) @body) @definition.class
(interface_declaration name: (identifier) @name body: (_) @body) @definition.interface
(library_declaration name: (identifier) @name body: (_) @body) @definition.module
(struct_declaration name: (identifier) @name body: (_) @body) @definition.struct
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_body (enum_value) @name @definition.constant) @_outer
(event_definition name: (identifier) @name) @definition.function
(error_declaration name: (identifier) @name) @definition.struct
(user_defined_type_definition name: (identifier) @name) @definition.type
(function_definition name: (identifier) @name body: (_) @body) @definition.function
(function_definition name: (identifier) @name) @definition.function
(modifier_definition name: (identifier) @name body: (_) @body) @definition.function
(modifier_definition name: (identifier) @name) @definition.function
(constructor_definition "constructor" @name body: (_) @body) @definition.method
(fallback_receive_definition ["fallback" "receive"] @name body: (_) @body) @definition.method
(yul_function_definition . (yul_identifier) @name) @definition.function
(constant_variable_declaration name: (identifier) @name) @definition.constant
(state_variable_declaration "constant" name: (identifier) @name) @definition.constant
(state_variable_declaration name: (identifier) @name) @definition.property

; References.
(call_expression function: (expression (identifier) @reference)) @_outer
(call_expression function: (expression
  (member_expression property: (identifier) @reference))) @_outer
(call_expression function: (expression (struct_expression type: (expression [
  (identifier) @reference
  (member_expression property: (identifier) @reference)])))) @_outer
(emit_statement name: (expression [
  (identifier) @reference
  (member_expression property: (identifier) @reference)])) @_outer
(revert_statement error: (expression [
  (identifier) @reference
  (member_expression property: (identifier) @reference)])) @_outer
(modifier_invocation [
  (identifier) @reference
  (_ (identifier) @reference .)]) @_outer
(user_defined_type (identifier) @reference) @_outer
(type_alias (identifier) @reference) @_outer
(import_directive import_name: (identifier) @reference) @_outer
(yul_function_call function: (yul_identifier) @reference) @_outer
(identifier) @reference.capital
