; Each clause of a function is a declaration of its own in this grammar.
(module_attribute name: (_) @name) @definition.module
(fun_decl clause: (function_clause name: (atom) @name body: (_) @body)) @definition.function
(pp_define lhs: (macro_lhs name: (_) @name)) @definition.macro
(record_decl name: (_) @name) @definition.struct
(type_alias name: (type_name name: (_) @name)) @definition.type
(opaque name: (type_name name: (_) @name)) @definition.type
(nominal name: (type_name name: (_) @name)) @definition.type
(callback fun: (_) @name) @definition.function

; References.
(call expr: [
  (atom) @reference
  (remote fun: (atom) @reference)]) @_outer
(remote_module module: (atom) @reference) @_outer
(internal_fun fun: (atom) @reference) @_outer
(external_fun
  module: (module name: (atom) @reference)
  fun: (atom) @reference) @_outer
(macro_call_expr name: (_) @reference) @_outer
(record_name name: (atom) @reference) @_outer
(behaviour_attribute name: (atom) @reference) @_outer
(import_attribute module: (atom) @reference) @_outer
(import_attribute funs: (fa fun: (atom) @reference)) @_outer
(pp_ifdef name: (_) @reference) @_outer
(pp_ifndef name: (_) @reference) @_outer

; A module, a function and its arguments as data.
(call
  expr: (atom) @_apply
  args: (expr_args . (atom) @reference . (atom) @reference . (_) .)
  (#one-of? @_apply "apply" "spawn" "spawn_link" "spawn_monitor")) @_outer
(call
  expr: (atom) @_record
  args: (expr_args (_) . (atom) @reference .)
  (#one-of? @_record "is_record")) @_outer
