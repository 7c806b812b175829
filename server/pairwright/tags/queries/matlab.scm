(class_definition name: (identifier) @name) @definition.class
(function_definition name: (identifier) @name (arguments_statement) @body) @definition.function
(function_definition name: (identifier) @name (block) @body) @definition.function
(function_definition name: (identifier) @name) @definition.function
(function_signature name: (identifier) @name) @definition.method
(properties (property name: (identifier) @name) @definition.property) @_outer
(events (identifier) @name @definition.property) @_outer
(enumeration (enum . (identifier) @name) @definition.field) @_outer

; Outside functions.
(assignment left: (identifier) @name right: (lambda expression: (_) @body)) @global.function

; References. An indexed variable looks like a call.
(function_call name: (identifier) @reference) @_outer
(command (command_name) @reference) @_outer
(handle_operator (identifier) @reference) @_outer
(superclass (identifier) @reference) @_outer
(superclasses (property_name (identifier) @reference .)) @_outer
(property name: (_) (identifier) @reference) @_outer
(property name: (_) (property_name (identifier) @reference .)) @_outer
(validation_functions (identifier) @reference) @_outer
(identifier) @reference.capital
(attributes (attribute (identifier) @ignore)) @_outer
