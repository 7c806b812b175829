; The elements are HTML's (html.scm). Directives hold expressions.
(directive_attribute (quoted_attribute_value (attribute_value) @reference.code)) @_outer
(directive_attribute (attribute_value) @reference.code) @_outer
(interpolation (raw_text) @reference.code) @_outer
