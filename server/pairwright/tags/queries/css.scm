; A rule defines the class or id its selector ends in; what stands in front of it, or carries a state, is a
; reference. Custom properties and key frames are what values name.
((rule_set (selectors [
  (class_selector (class_name) @name .)
  (descendant_selector (class_selector (class_name) @name .) .)
  (child_selector (class_selector (class_name) @name .) .)
  (sibling_selector (class_selector (class_name) @name .) .)
  (adjacent_sibling_selector (class_selector (class_name) @name .) .)])
  (block) @body) @definition.class
  (#lacks? @name "#{"))
((rule_set (selectors [
  (id_selector (id_name) @name .)
  (descendant_selector (id_selector (id_name) @name .) .)
  (child_selector (id_selector (id_name) @name .) .)
  (sibling_selector (id_selector (id_name) @name .) .)
  (adjacent_sibling_selector (id_selector (id_name) @name .) .)])
  (block) @body) @definition.property
  (#lacks? @name "#{"))
((declaration . (property_name) @name) @definition.property
  (#prefix? @name "--"))
((at_rule (at_keyword) @_key . (keyword_query) @name) @definition.property
  (#one-of? @_key "@property"))
((at_rule (at_keyword) @_key . (keyword_query) @name (block) @body) @definition.namespace
  (#one-of? @_key "@layer" "@container"))
(keyframes_statement (keyframes_name) @name (keyframe_block_list) @body) @definition.type

; References.
((class_selector (class_name) @reference) @_outer (#lacks? @reference "#{"))
((id_selector (id_name) @reference) @_outer (#lacks? @reference "#{"))
((tag_name) @reference.component)
((call_expression (function_name) @_call (arguments . (plain_value) @reference)) @_outer
  (#one-of? @_call "var" "env"))
((declaration (property_name) @_key (plain_value) @reference) @_outer
  (#one-of? @_key "animation" "animation-name" "container" "container-name")
  (#none-of? @reference "none" "linear" "ease" "ease-in" "ease-out" "ease-in-out" "infinite" "normal"
    "reverse" "alternate" "forwards" "backwards" "both" "running" "paused" "inherit" "initial" "size"
    "inline-size" "step-start" "step-end"))
