; Ids are what scripts, styles and links refer to.
((start_tag (attribute (attribute_name) @_key
  (quoted_attribute_value (attribute_value) @name))) @definition.property
  (#one-of? @_key "id"))
((self_closing_tag (attribute (attribute_name) @_key
  (quoted_attribute_value (attribute_value) @name))) @definition.property
  (#one-of? @_key "id"))
((start_tag (attribute (attribute_name) @_key (attribute_value) @name)) @definition.property
  (#one-of? @_key "id"))

; Components and custom elements.
(start_tag (tag_name) @reference.component) @_outer
(self_closing_tag (tag_name) @reference.component) @_outer

; Classes; ids of other elements; what an event runs.
((attribute (attribute_name) @_key
  (quoted_attribute_value (attribute_value) @reference.words)) @_outer
  (#one-of? @_key "class" "for" "form" "list" "headers" "is" "aria-labelledby" "aria-describedby" "aria-controls"))
((attribute (attribute_name) @_key (attribute_value) @reference.words) @_outer
  (#one-of? @_key "class" "for" "form" "list" "headers" "is"))
((attribute (attribute_name) @_key
  (quoted_attribute_value (attribute_value) @reference.words)) @_outer
  (#one-of? @_key "href")
  (#prefix? @reference.words "#"))
((attribute (attribute_name) @_key
  (quoted_attribute_value (attribute_value) @reference.code)) @_outer
  (#prefix? @_key "on"))
