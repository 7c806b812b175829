; A binding to a function is one wherever it stands.
((binding
  attrpath: (attrpath (_) @name .)
  expression: (function_expression body: (_) @body)) @definition.function
  (#lacks? @name "$"))

; Other bindings count where the file itself lists them: outside functions, arguments, lists and sets in sets.
(apply_expression) @scope
(list_expression) @scope
(binding expression: [(attrset_expression) (rec_attrset_expression) (let_expression)] @scope) @_outer
((binding attrpath: (attrpath (_) @name .)) @global.variable
  (#lacks? @name "$"))

; References.
(variable_expression name: (identifier) @reference) @_outer
(select_expression attrpath: (attrpath (identifier) @reference .)) @_outer
(inherited_attrs attr: (identifier) @reference) @_outer
((variable_expression name: (identifier) @ignore) @_outer
  (#one-of? @ignore "true" "false" "null" "import"))
