(class name: (constant) @name body: (_) @body) @definition.class
(class name: (scope_resolution name: (constant) @name) body: (_) @body) @definition.class
(module name: (constant) @name body: (_) @body) @definition.module
(module name: (scope_resolution name: (constant) @name) body: (_) @body) @definition.module
(class name: (constant) @name) @definition.class
(class name: (scope_resolution name: (constant) @name)) @definition.class
(module name: (constant) @name) @definition.module
(module name: (scope_resolution name: (constant) @name)) @definition.module
(method name: (_) @name body: (_) @body) @definition.method
(method name: (_) @name) @definition.method
(singleton_method name: (_) @name body: (_) @body) @definition.method
(singleton_method name: (_) @name) @definition.method
(alias name: (_) @name) @definition.method
(call
  method: (identifier) @_macro
  arguments: (argument_list . (simple_symbol) @name)
  (#one-of? @_macro "define_method" "alias_method" "scope" "define_singleton_method"))
  @definition.method
(call
  method: (identifier) @_macro
  arguments: (argument_list (simple_symbol) @name)
  (#one-of? @_macro "attr_accessor" "attr_reader" "attr_writer" "cattr_accessor"
    "mattr_accessor" "class_attribute")) @definition.property

; Struct.new and Class.new make a class of the constant they are bound to.
(assignment
  left: (constant) @name
  right: (call
    receiver: (constant) @_maker
    method: (identifier) @_new
    (#one-of? @_maker "Struct" "Class" "Data" "Module")
    (#one-of? @_new "new" "define"))) @definition.class
(assignment left: (constant) @name) @definition.constant
(assignment left: (scope_resolution name: (constant) @name)) @definition.constant

; References.
(call method: [(identifier) (constant)] @reference) @_outer
(constant) @reference
(alias alias: (identifier) @reference) @_outer
(call !receiver arguments: (argument_list (simple_symbol) @reference)) @_outer
(call !receiver arguments: (argument_list (pair value: (simple_symbol) @reference))) @_outer
(body_statement (identifier) @reference) @_outer
(block_body (identifier) @reference) @_outer
(then (identifier) @reference) @_outer
