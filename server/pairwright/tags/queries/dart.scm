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

; References. A call is a name and, beside it, a selector with arguments.
(_ (identifier) @reference . (selector (argument_part))) @_outer
(_
  (selector [
    (unconditional_assignable_selector (identifier) @reference)
    (conditional_assignable_selector (identifier) @reference)])
  .
  (selector (argument_part))) @_outer
(_
  [
    (unconditional_assignable_selector (identifier) @reference)
    (conditional_assignable_selector (identifier) @reference)]
  .
  (selector (argument_part))) @_outer
(cascade_section (cascade_selector (identifier) @reference) . (argument_part)) @_outer
(annotation name: [
  (identifier) @reference
  (scoped_identifier (identifier) @reference .)]) @_outer
(combinator (identifier) @reference) @_outer
(type_identifier) @reference
(type_parameter (type_identifier) @ignore) @_outer
(identifier) @reference.capital
