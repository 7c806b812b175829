(function_definition name: (word) @name body: (_) @body) @definition.function
; A test of bats.
(command
  name: (command_name (word) @_test)
  argument: (string (string_content) @name)
  (#one-of? @_test "@test")) @definition.function
; `alias name=…`
((command
  name: (command_name (word) @_alias)
  argument: (concatenation . (word) @name.first) @definition.function
  (#one-of? @_alias "alias")) @_outer)

; Outside functions and loops; an assignment in front of a command is the command's.
(declaration_command
  "readonly"
  (variable_assignment name: (variable_name) @name)) @global.constant
(declaration_command (variable_assignment name: (variable_name) @name)) @global.variable
(declaration_command ["declare" "typeset"] (variable_name) @name) @global.variable
(variable_assignment name: (variable_name) @name) @global.variable
(command (variable_assignment) @scope) @_outer
(for_statement) @scope
(c_style_for_statement) @scope
(while_statement) @scope

; References. Builtins of every script say nothing.
(command
  name: (command_name (word) @reference)
  (#none-of? @reference
    "echo" "printf" "cd" "set" "shift" "exit" "return" "test" "[" "true" "false" "source" "." "eval"
    "exec" "read" "trap" "wait" "shopt" "alias" "break" "continue" ":" "command" "builtin" "type"
    "pushd" "popd" "kill" "getopts" "let" "umask" "print" "@test" "}")) @_outer
(command
  name: (command_name (word) @_trap)
  .
  argument: (word) @reference
  (#one-of? @_trap "trap" "run")) @_outer
(command
  name: (command_name (word) @_command)
  argument: (word) @_v
  .
  argument: (word) @reference
  (#one-of? @_command "command")
  (#one-of? @_v "-v")) @_outer
(variable_name) @reference.capital
