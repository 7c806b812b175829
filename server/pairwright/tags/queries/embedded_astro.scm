; Text in another language. The tag says which; the front matter is always TypeScript.
(frontmatter (frontmatter_js_block) @typescript) @_outer
(script_element (start_tag) @tag (raw_text) @script) @_outer
(style_element (start_tag) @tag (raw_text) @style) @_outer
