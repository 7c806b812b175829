; JavaScript alone.
(class_heritage [
  (identifier) @reference
  (member_expression property: (property_identifier) @reference)]) @_outer
(field_definition
  property: [(property_identifier) (private_property_identifier)] @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)]) @definition.method
