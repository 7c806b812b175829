; OCaml and its interfaces. A binding of one name is taken whole, one of several by its own part.
[
  (module_definition . (module_binding . (module_name) @name body: (structure) @body) .)
  (module_definition . (module_binding . (module_name) @name module_type: (signature) @body) .)
  (module_definition . (module_binding . (module_name) @name) .)
] @definition.module
(module_binding . (module_name) @name body: (structure) @body) @definition.module
(module_binding . (module_name) @name) @definition.module
(module_type_definition (module_type_name) @name body: (signature) @body) @definition.interface
(module_type_definition (module_type_name) @name) @definition.interface
[
  (class_definition . (class_binding (class_name) @name body: (object_expression) @body) .)
  (class_definition . (class_binding (class_name) @name) .)
] @definition.class
(class_binding (class_name) @name) @definition.class
(class_type_definition . (class_type_binding (class_type_name) @name
  body: (class_body_type) @body) .) @definition.interface
(class_type_binding (class_type_name) @name) @definition.interface
(method_definition (method_name) @name body: (_) @body) @definition.method
(method_definition (method_name) @name) @definition.method
(method_specification (method_name) @name) @definition.method

(type_definition . (type_binding
  name: (type_constructor) @name body: (record_declaration) @body) .) @definition.struct
(type_definition . (type_binding
  name: (type_constructor) @name body: (variant_declaration) @body) .) @definition.enum
(type_binding name: (type_constructor) @name body: (record_declaration) @body) @definition.struct
(type_binding name: (type_constructor) @name body: (variant_declaration) @body) @definition.enum
(type_definition . (type_binding name: (type_constructor) @name) .) @definition.type
(type_binding name: (type_constructor) @name) @definition.type
(exception_definition (constructor_declaration . (constructor_name) @name)) @definition.type
(constructor_declaration . (constructor_name) @name) @definition.constant

(value_specification
  [(value_name) @name (parenthesized_operator (_) @name)]
  type: (function_type)) @definition.function
(value_specification
  [(value_name) @name (parenthesized_operator (_) @name)]) @definition.variable
(external [(value_name) @name (parenthesized_operator (_) @name)]) @definition.function

; Outside functions. `let … in` binds for one expression only.
(let_expression) @scope
[
  (value_definition . (let_binding
    pattern: [(value_name) @name (parenthesized_operator (_) @name)]
    (parameter)
    body: (_) @body) .)
  (value_definition . (let_binding
    pattern: [(value_name) @name (parenthesized_operator (_) @name)]
    body: [(fun_expression) (function_expression)] @body) .)
] @global.function
(let_binding
  pattern: [(value_name) @name (parenthesized_operator (_) @name)]
  (parameter)
  body: (_) @body) @global.function
(let_binding
  pattern: [(value_name) @name (parenthesized_operator (_) @name)]
  body: [(fun_expression) (function_expression)] @body) @global.function
((value_definition . (let_binding
  pattern: [(value_name) @name (parenthesized_operator (_) @name)]) .) @global.variable
  (#none-of? @name "_"))
((let_binding
  pattern: [(value_name) @name (parenthesized_operator (_) @name)]) @global.variable
  (#none-of? @name "_"))
((let_binding pattern: (tuple_pattern (value_name) @name @global.variable)) @_outer
  (#none-of? @name "_"))

; References.
(application_expression function: (value_path (value_name) @reference)) @_outer
(infix_expression
  operator: [(rel_operator) (concat_operator)] @_apply
  right: (value_path (value_name) @reference)
  (#one-of? @_apply "|>" ">>" ">>|" ">|=" ">>=")) @_outer
(infix_expression
  left: (value_path (value_name) @reference)
  operator: (concat_operator) @_apply
  (#one-of? @_apply "@@")) @_outer
(value_path (module_path) (value_name) @reference) @_outer
(method_invocation method: (method_name) @reference) @_outer
(class_path (class_name) @reference) @_outer
(class_type_path (class_type_name) @reference) @_outer
(type_constructor_path (type_constructor) @reference) @_outer
(constructor_path (constructor_name) @reference) @_outer
(module_path (module_name) @reference) @_outer
(extended_module_path (module_name) @reference) @_outer
(module_type_path (module_type_name) @reference) @_outer
(item_attribute (attribute_payload (expression_item
  (value_path (value_name) @reference)))) @_outer
(item_attribute (attribute_payload (expression_item
  (tuple_expression (value_path (value_name) @reference))))) @_outer
