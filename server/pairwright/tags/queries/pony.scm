(class_definition (identifier) @name (members) @body) @definition.class
(class_definition (identifier) @name) @definition.class
(actor_definition (identifier) @name (members) @body) @definition.class
(actor_definition (identifier) @name) @definition.class
(primitive_definition (identifier) @name (members) @body) @definition.class
(primitive_definition (identifier) @name) @definition.class
(struct_definition (identifier) @name (members) @body) @definition.struct
(struct_definition (identifier) @name) @definition.struct
(trait_definition (identifier) @name (members) @body) @definition.trait
(trait_definition (identifier) @name) @definition.trait
(interface_definition (identifier) @name (members) @body) @definition.interface
(interface_definition (identifier) @name) @definition.interface
(type_alias (identifier) @name) @definition.type
(method (identifier) @name (block) @body) @definition.method
(method (identifier) @name) @definition.method
(behavior (identifier) @name (block) @body) @definition.method
(behavior (identifier) @name) @definition.method
(constructor (identifier) @name (block) @body) @definition.method
(constructor (identifier) @name) @definition.method
(ffi_method . (identifier) @name) @definition.function
(field name: (identifier) @name) @definition.property

; References.
(call_expression callee: [
  (identifier) @reference
  (generic_expression . (identifier) @reference)
  (member_expression (_) . [
    (identifier) @reference
    (generic_expression . (identifier) @reference)])]) @_outer
(base_type name: (identifier) @reference) @_outer
(identifier) @reference.capital
(generic_parameter . (identifier) @ignore) @_outer
