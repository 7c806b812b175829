(function_def
  (function_command (argument_list . (argument (unquoted_argument) @name)))
  (body) @body) @definition.function
(function_def
  (function_command (argument_list . (argument (unquoted_argument) @name)))) @definition.function
(macro_def
  (macro_command (argument_list . (argument (unquoted_argument) @name)))
  (body) @body) @definition.macro
(macro_def
  (macro_command (argument_list . (argument (unquoted_argument) @name)))) @definition.macro
(normal_command
  (identifier) @_command
  (argument_list . (argument (unquoted_argument) @name))
  (#one-of? @_command "add_library" "add_executable" "add_custom_target" "ADD_LIBRARY"
    "ADD_EXECUTABLE" "ADD_CUSTOM_TARGET")
  (#lacks? @name "$")) @definition.function
(normal_command
  (identifier) @_command
  (argument_list . (argument (unquoted_argument) @name))
  (#one-of? @_command "project" "PROJECT")
  (#lacks? @name "$")) @definition.module

; Outside functions. What CMake itself reads is set, not defined.
(normal_command
  (identifier) @_command
  (argument_list . (argument (unquoted_argument) @name))
  (#one-of? @_command "set" "option" "SET" "OPTION" "cmake_dependent_option" "find_program"
    "find_library" "find_path")
  (#not-prefix? @name "CMAKE_" "CPACK_")
  (#lacks? @name "$")) @global.variable

; References.
(normal_command (identifier) @reference) @_outer
(normal_var (variable) @reference) @_outer
((normal_command
  (identifier) @_command
  (argument_list (argument (unquoted_argument) @reference))) @_outer
  (#one-of? @_command "target_link_libraries" "add_dependencies" "target_include_directories"
    "target_compile_options" "target_compile_definitions" "target_compile_features" "target_sources"
    "set_target_properties" "set_property" "install" "add_test" "add_custom_command"
    "add_custom_target" "find_package" "include" "add_subdirectory" "list" "unset" "export"
    "add_library")
  (#not-prefix? @reference "$" "-")
  (#none-of? @reference "PUBLIC" "PRIVATE" "INTERFACE" "STATIC" "SHARED" "REQUIRED" "COMPONENTS"
    "COMMAND" "DEPENDS" "TARGETS" "DESTINATION" "APPEND" "NAME" "OUTPUT" "ALIAS" "PROPERTY"
    "PROPERTIES" "GLOBAL" "ON" "OFF" "TRUE" "FALSE"))
((if_command (argument_list (argument (unquoted_argument) @reference))) @_outer
  (#none-of? @reference "NOT" "AND" "OR" "DEFINED" "STREQUAL" "EQUAL" "MATCHES" "EXISTS" "TARGET"
    "VERSION_LESS" "VERSION_GREATER" "IN_LIST" "ON" "OFF" "TRUE" "FALSE"))
((foreach_command (argument_list
  (argument) (argument (unquoted_argument) @reference))) @_outer
  (#none-of? @reference "IN" "LISTS" "ITEMS" "RANGE"))
