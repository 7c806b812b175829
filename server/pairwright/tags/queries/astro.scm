; The elements are HTML's (html.scm). Braces hold expressions.
(attribute_js_expr) @reference.code
(html_interpolation (permissible_text) @reference.code) @_outer
