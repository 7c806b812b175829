; Components are references; host elements (lower case) are not.
(jsx_opening_element name: (member_expression property: (property_identifier) @reference)) @_outer
(jsx_self_closing_element name: (member_expression property: (property_identifier) @reference)) @_outer
