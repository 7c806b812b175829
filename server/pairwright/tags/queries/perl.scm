(package_statement name: (package) @name (block) @body) @definition.module
((package_statement name: (package) @name) @definition.module
  (#none-of? @name "main"))
(class_statement name: (package) @name (block) @body) @definition.class
(class_statement name: (package) @name) @definition.class
(role_statement name: (package) @name (block) @body) @definition.trait
(role_statement name: (package) @name) @definition.trait
(subroutine_declaration_statement name: (bareword) @name.last body: (_) @body) @definition.function
(method_declaration_statement name: (bareword) @name body: (_) @body) @definition.method
(use_statement
  module: (package) @_pragma
  (list_expression . [(autoquoted_bareword) (string_literal)] @name)
  (#one-of? @_pragma "constant")) @definition.constant
((use_statement
  module: (package) @_pragma
  (anonymous_hash_expression (list_expression
    (autoquoted_bareword) @name @definition.constant))) @_outer
  (#one-of? @_pragma "constant"))
(ambiguous_function_call_expression
  function: (function) @_has
  . arguments: [(autoquoted_bareword) (string_literal)] @name
  (#one-of? @_has "has")) @definition.property
(assignment_expression
  left: (glob (varname) @name)
  right: (refgen_expression (function))
  (#lacks? @name "{" "$")) @definition.function
(assignment_expression
  left: (glob (varname) @name)
  right: (anonymous_subroutine_expression body: (_) @body)
  (#lacks? @name "{" "$")) @definition.function
((variable_declaration "our" variable: (_ (varname) @name)) @definition.variable
  (#none-of? @name "VERSION" "ISA" "EXPORT" "EXPORT_OK" "EXPORT_TAGS" "AUTHORITY" "AUTOLOAD"))

; Outside functions.
(anonymous_subroutine_expression body: (_) @scope) @_outer
(assignment_expression
  left: (variable_declaration variable: (scalar (varname) @name))
  right: (anonymous_subroutine_expression body: (_) @body)) @global.function

; References. A package is known by its whole name, a function by its last part.
((function_call_expression function: (function) @reference.last) @_outer
  (#not-prefix? @reference.last "&"))
(function_call_expression function: (function (varname) @reference.last)) @_outer
(ambiguous_function_call_expression function: (function) @reference.last) @_outer
(refgen_expression (function (varname) @reference.last)) @_outer
(method_call_expression method: (method) @reference.last) @_outer
(method_call_expression invocant: (bareword) @reference) @_outer
(use_statement module: (package) @reference) @_outer
(use_statement (quoted_word_list content: (string_content) @reference.words)) @_outer
(use_statement (string_literal content: (string_content) @reference)) @_outer
(require_expression (bareword) @reference) @_outer
((ambiguous_function_call_expression
  function: (function) @_base
  arguments: (string_literal content: (string_content) @reference)) @_outer
  (#one-of? @_base "extends" "with"))
((use_statement module: (package) @ignore) @_outer
  (#one-of? @ignore "strict" "warnings" "utf8" "constant" "parent" "base"))
