; Types.
(type_declaration
  (type_symbol_declaration
    name: [(identifier) @name (exported_symbol (identifier) @name)
      (accent_quoted (identifier) @name) (exported_symbol (accent_quoted (identifier) @name))])
  [(object_declaration (field_declaration_list) @body)
    (ref_type (object_declaration (field_declaration_list) @body))]) @definition.struct
(type_declaration
  (type_symbol_declaration
    name: [(identifier) @name (exported_symbol (identifier) @name)
      (accent_quoted (identifier) @name) (exported_symbol (accent_quoted (identifier) @name))])
  [(object_declaration) (ref_type (object_declaration))]) @definition.struct
(type_declaration
  (type_symbol_declaration
    name: [(identifier) @name (exported_symbol (identifier) @name)])
  (enum_declaration)) @definition.enum
(type_declaration
  (type_symbol_declaration
    name: [(identifier) @name (exported_symbol (identifier) @name)])
  (concept_declaration)) @definition.interface
(type_declaration
  (type_symbol_declaration
    name: [(identifier) @name (exported_symbol (identifier) @name)
      (accent_quoted (identifier) @name) (exported_symbol (accent_quoted (identifier) @name))]))
  @definition.type
(enum_field_declaration (symbol_declaration
  name: [(identifier) @name (exported_symbol (identifier) @name)])) @definition.constant

; Routines.
(proc_declaration
  name: [(identifier) @name (exported_symbol (identifier) @name)
    (accent_quoted (_) @name) (exported_symbol (accent_quoted (_) @name))]
  body: (_) @body) @definition.function
(proc_declaration
  name: [(identifier) @name (exported_symbol (identifier) @name)
    (accent_quoted (_) @name) (exported_symbol (accent_quoted (_) @name))]) @definition.function
(func_declaration
  name: [(identifier) @name (exported_symbol (identifier) @name)
    (accent_quoted (_) @name) (exported_symbol (accent_quoted (_) @name))]
  body: (_) @body) @definition.function
(func_declaration
  name: [(identifier) @name (exported_symbol (identifier) @name)
    (accent_quoted (_) @name) (exported_symbol (accent_quoted (_) @name))]) @definition.function
(method_declaration
  name: [(identifier) @name (exported_symbol (identifier) @name)
    (accent_quoted (_) @name) (exported_symbol (accent_quoted (_) @name))]
  body: (_) @body) @definition.method
(method_declaration
  name: [(identifier) @name (exported_symbol (identifier) @name)]) @definition.method
(iterator_declaration
  name: [(identifier) @name (exported_symbol (identifier) @name)
    (accent_quoted (_) @name) (exported_symbol (accent_quoted (_) @name))]
  body: (_) @body) @definition.function
(iterator_declaration
  name: [(identifier) @name (exported_symbol (identifier) @name)]) @definition.function
(converter_declaration
  name: [(identifier) @name (exported_symbol (identifier) @name)]
  body: (_) @body) @definition.function
(template_declaration
  name: [(identifier) @name (exported_symbol (identifier) @name)
    (accent_quoted (_) @name) (exported_symbol (accent_quoted (_) @name))]
  body: (_) @body) @definition.macro
(macro_declaration
  name: [(identifier) @name (exported_symbol (identifier) @name)
    (accent_quoted (_) @name) (exported_symbol (accent_quoted (_) @name))]
  body: (_) @body) @definition.macro

; Outside functions and blocks handed to calls.
(proc_expression body: (_) @scope) @_outer
(func_expression body: (_) @scope) @_outer
(argument_list (statement_list) @scope) @_outer
(when condition: (identifier) @_main consequence: (_) @scope
  (#one-of? @_main "isMainModule")) @_outer
(const_section (variable_declaration (symbol_declaration_list (symbol_declaration
  name: [(identifier) @name (exported_symbol (identifier) @name)]))) @global.constant) @_outer
(variable_declaration (symbol_declaration_list (symbol_declaration
  name: [(identifier) @name (exported_symbol (identifier) @name)]))) @global.variable
(variable_declaration (symbol_declaration_list (tuple_deconstruct_declaration (symbol_declaration
  name: [(identifier) @name (exported_symbol (identifier) @name)] @global.variable)))) @_outer

; References. Anything behind a dot may be a call.
(call function: [
  (identifier) @reference
  (bracket_expression left: (identifier) @reference)]) @_outer
(dot_expression right: (identifier) @reference) @_outer
(type_expression [
  (identifier) @reference
  (bracket_expression left: (identifier) @reference)
  (bracket_expression right: (argument_list (identifier) @reference))]) @_outer
(pragma_list (identifier) @reference) @_outer
(import_statement (expression_list [
  (identifier) @reference
  (infix_expression right: [
    (identifier) @reference
    (array_construction (identifier) @reference)])])) @_outer
(import_from_statement [
  module: (identifier) @reference
  (expression_list [
    (identifier) @reference
    (accent_quoted (identifier) @reference)])]) @_outer
(include_statement (expression_list (identifier) @reference)) @_outer
(export_statement (expression_list (identifier) @reference)) @_outer
(identifier) @reference.capital
