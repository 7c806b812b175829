; Text in another language. The tag says which.
(script_element (start_tag) @tag (raw_text) @script) @_outer
(style_element (start_tag) @tag (raw_text) @style) @_outer
