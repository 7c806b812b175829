(snippet_statement (snippet_start_expr (snippet_name) @name)) @definition.function

; Components.
(start_tag (tag_name) @reference.component) @_outer
(self_closing_tag (tag_name) @reference.component) @_outer

; Classes, and whatever stands in braces.
((attribute (attribute_name) @_key
  (quoted_attribute_value (attribute_value) @reference.words)) @_outer
  (#one-of? @_key "class" "for"))
(render_expr (snippet_name) @reference) @_outer
(raw_text_expr) @reference.code
(raw_text_each) @reference.code
(raw_text_await) @reference.code
; Actions, transitions and animations are functions: use:tip, transition:fade.
((attribute_name) @reference.last
  (#prefix? @reference.last "use:" "transition:" "in:" "out:" "animate:"))
