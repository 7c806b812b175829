(function_statement (function_name) @name.last (script_block) @body) @definition.function
(function_statement (function_name) @name.last) @definition.function
(class_statement . (simple_name) @name) @definition.class
(enum_statement . (simple_name) @name) @definition.enum
(enum_member . (simple_name) @name) @definition.constant
(class_method_definition (simple_name) @name (script_block) @body) @definition.method
(class_method_definition (simple_name) @name) @definition.method
(class_property_definition (variable) @name.last) @definition.property
(command
  command_name: (command_name) @_word
  command_elements: (command_elements (generic_token) @name (generic_token))
  (#one-of? @_word "New-Alias" "Set-Alias" "new-alias" "set-alias" "sal" "nal")) @definition.function
(command
  command_name: (command_name) @_word
  command_elements: (command_elements . (command_argument_sep) (generic_token) @name)
  (#one-of? @_word "configuration" "Configuration")) @definition.function

; References.
((command command_name: (command_name) @reference) @_outer
  (#none-of? @reference "using" "param" "configuration" "Configuration")
  (#not-prefix? @reference "." "/" "$"))
(command (command_invokation_operator) command_name: (command_name_expr
  (command_name) @reference)) @_outer
(command
  command_name: (command_name) @_word
  command_elements: (command_elements (generic_token) (generic_token) @reference)
  (#one-of? @_word "New-Alias" "Set-Alias" "new-alias" "set-alias" "sal" "nal")) @_outer
(class_statement (simple_name) (simple_name) @reference) @_outer
(invokation_expression (member_name (simple_name) @reference)) @_outer
(member_access (member_name (simple_name) @reference.capital)) @_outer
(type_identifier) @reference.capital
