; Terraform, and the blocks of Packer, Nomad and bake that have a name: the last label names a block.
(block
  .
  (identifier) @_block
  .
  (string_lit)
  .
  (string_lit (template_literal) @name)
  (block_start) @body
  (#one-of? @_block "resource" "data" "ephemeral" "source")) @definition.struct
(block
  .
  (identifier) @_block
  .
  (string_lit (template_literal) @name)
  (block_start) @body
  (#one-of? @_block "variable" "output")) @definition.variable
(block
  .
  (identifier) @_block
  .
  (string_lit (template_literal) @name)
  (block_start) @body
  (#one-of? @_block "module" "provider")) @definition.module
(block
  .
  (identifier) @_block
  .
  (string_lit (template_literal) @name)
  (block_start) @body
  (#one-of? @_block "check" "run" "target" "function" "job" "group" "task")) @definition.function
((block
  .
  (identifier) @_locals
  (body (attribute (identifier) @name) @definition.variable)
  (#one-of? @_locals "locals")) @_outer)

; References: `var.a`, `local.a`, `module.a.b`, `data.type.a`, `type.a`.
([
  (expression (variable_expr (identifier) @_root) . (get_attr (identifier) @reference))
  (binary_operation (variable_expr (identifier) @_root) . (get_attr (identifier) @reference))
  (unary_operation (variable_expr (identifier) @_root) . (get_attr (identifier) @reference))
] @_outer
  (#none-of? @_root "each" "count" "self" "path" "terraform" "data"))
([
  (expression
    (variable_expr (identifier) @_root)
    .
    (get_attr)
    .
    (get_attr (identifier) @reference))
  (binary_operation
    (variable_expr (identifier) @_root)
    .
    (get_attr)
    .
    (get_attr (identifier) @reference))
] @_outer
  (#one-of? @_root "data" "module"))
(function_call (identifier) @reference) @_outer
