; Beside what CSS has (css.scm): mixins, functions, placeholders and variables outside blocks.
(mixin_statement name: (identifier) @name (block) @body) @definition.function
(function_statement name: (identifier) @name (block) @body) @definition.function
(rule_set (selectors (placeholder (identifier) @name)) (block) @body) @definition.class
((declaration . (property_name) @name.last) @global.variable
  (#prefix? @name.last "$"))
(block) @scope

(include_statement (identifier) @reference) @_outer
(placeholder (identifier) @reference) @_outer
((call_expression (function_name) @reference.last) @_outer
  (#none-of? @reference.last "var" "url" "calc" "env" "rgb" "rgba" "hsl" "hsla" "min" "max" "clamp"))
(variable) @reference.last
((plain_value) @reference.last (#prefix? @reference.last "$"))
