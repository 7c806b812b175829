; A function's body is no child but the next sibling (`tails` of the language's row).
(class_definition name: (identifier) @name body: (_) @body) @definition.class
(class_definition (mixin_application_class . (identifier) @name)) @definition.class
(mixin_declaration (mixin) . (identifier) @name (class_body) @body) @definition.trait
(extension_declaration name: (identifier) @name body: (_) @body) @definition.class
(extension_type_declaration name: (identifier) @name body: (_) @body) @definition.class
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_constant name: (identifier) @name) @definition.constant
(type_alias (type_identifier) @name . (formal_parameter_list)) @definition.type
(type_alias (type_identifier) @name . (type_parameters) . (formal_parameter_list)) @definition.type
(type_alias . (type_identifier) @name "=") @definition.type

[
  (method_signature [
    (function_signature name: (identifier) @name)
    (getter_signature name: (identifier) @name)
    (setter_signature name: (identifier) @name)])
  (declaration [
    (function_signature name: (identifier) @name)
    (getter_signature name: (identifier) @name)
    (setter_signature name: (identifier) @name)])
] @definition.method
[
  (method_signature (operator_signature ["[]" "[]=" "~"] @name))
  (method_signature (operator_signature (binary_operator) @name))
  (declaration (operator_signature ["[]" "[]=" "~"] @name))
  (declaration (operator_signature (binary_operator) @name))
] @definition.method

; Constructors: the last name before the parameters.
[
  (method_signature (constructor_signature name: (identifier) @name . parameters: (_)))
  (declaration (constructor_signature name: (identifier) @name . parameters: (_)))
  (method_signature
    (factory_constructor_signature (identifier) @name . (formal_parameter_list)))
  (declaration
    (constant_constructor_signature (identifier) @name . (formal_parameter_list)))
  (declaration
    (redirecting_factory_constructor_signature (identifier) @name . (formal_parameter_list)))
  (declaration
    (factory_constructor_signature (identifier) @name . (formal_parameter_list)))
] @definition.method

(function_signature name: (identifier) @name) @definition.function
(getter_signature name: (identifier) @name) @definition.function
(setter_signature name: (identifier) @name) @definition.function
(lambda_expression
  parameters: (function_signature name: (identifier) @name)
  body: (_) @body) @definition.function

; Of files and classes; a local variable is another node.
(static_final_declaration . (identifier) @name) @definition.constant
(initialized_identifier . (identifier) @name) @definition.variable

; References. A call is a name and, beside it in whatever holds the expression, a selector with arguments.
[
  (additive_expression (identifier) @reference . (selector (argument_part)))
  (argument (identifier) @reference . (selector (argument_part)))
  (assertion_arguments (identifier) @reference . (selector (argument_part)))
  (assignment_expression (identifier) @reference . (selector (argument_part)))
  (await_expression (identifier) @reference . (selector (argument_part)))
  (cascade_section (identifier) @reference . (selector (argument_part)))
  (conditional_expression (identifier) @reference . (selector (argument_part)))
  (equality_expression (identifier) @reference . (selector (argument_part)))
  (expression_statement (identifier) @reference . (selector (argument_part)))
  (field_initializer (identifier) @reference . (selector (argument_part)))
  (for_loop_parts (identifier) @reference . (selector (argument_part)))
  (function_body (identifier) @reference . (selector (argument_part)))
  (function_expression_body (identifier) @reference . (selector (argument_part)))
  (if_null_expression (identifier) @reference . (selector (argument_part)))
  (if_statement (identifier) @reference . (selector (argument_part)))
  (initialized_identifier (identifier) @reference . (selector (argument_part)))
  (initialized_variable_definition (identifier) @reference . (selector (argument_part)))
  (list_literal (identifier) @reference . (selector (argument_part)))
  (logical_and_expression (identifier) @reference . (selector (argument_part)))
  (logical_or_expression (identifier) @reference . (selector (argument_part)))
  (multiplicative_expression (identifier) @reference . (selector (argument_part)))
  (named_argument (identifier) @reference . (selector (argument_part)))
  (pair (identifier) @reference . (selector (argument_part)))
  (parenthesized_expression (identifier) @reference . (selector (argument_part)))
  (pattern_variable_declaration (identifier) @reference . (selector (argument_part)))
  (relational_expression (identifier) @reference . (selector (argument_part)))
  (return_statement (identifier) @reference . (selector (argument_part)))
  (set_or_map_literal (identifier) @reference . (selector (argument_part)))
  (static_final_declaration (identifier) @reference . (selector (argument_part)))
  (switch_expression_case (identifier) @reference . (selector (argument_part)))
  (template_substitution (identifier) @reference . (selector (argument_part)))
  (throw_expression (identifier) @reference . (selector (argument_part)))
  (type_cast_expression (identifier) @reference . (selector (argument_part)))
  (unary_expression (identifier) @reference . (selector (argument_part)))
] @_outer
(unconditional_assignable_selector (identifier) @reference) @_outer
(conditional_assignable_selector (identifier) @reference) @_outer
(cascade_section (cascade_selector (identifier) @reference) . (argument_part)) @_outer
(annotation name: [
  (identifier) @reference
  (scoped_identifier (identifier) @reference .)]) @_outer
(combinator (identifier) @reference) @_outer
(type_identifier) @reference
(type_parameter (type_identifier) @ignore) @_outer
(identifier) @reference.capital
