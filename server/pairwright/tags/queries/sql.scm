(create_table (object_reference name: (identifier) @name) (column_definitions) @body) @definition.struct
(create_table (object_reference name: (identifier) @name) (create_query) @body) @definition.struct
(create_table (object_reference name: (identifier) @name)) @definition.struct
(create_view (object_reference name: (identifier) @name) (create_query) @body) @definition.struct
(create_materialized_view
  (object_reference name: (identifier) @name) (create_query) @body) @definition.struct
(create_type
  (object_reference name: (identifier) @name) (column_definitions) @body) @definition.struct
(create_type (object_reference name: (identifier) @name) (enum_elements)) @definition.enum
(create_type (object_reference name: (identifier) @name)) @definition.type
(create_function
  . (keyword_create) (object_reference name: (identifier) @name)
  (function_body) @body) @definition.function
(create_trigger
  [(keyword_trigger) (keyword_exists)] . (object_reference name: (identifier) @name)) @definition.function
(create_index column: (identifier) @name) @definition.type
(create_sequence (object_reference name: (identifier) @name)) @definition.variable
(create_schema (identifier) @name) @definition.namespace
(create_database (identifier) @name) @definition.namespace

; References. What qualifies a column is mostly an alias.
(object_reference name: (identifier) @reference) @_outer
(field (object_reference name: (identifier) @ignore)) @_outer
