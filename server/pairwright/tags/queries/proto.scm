(message (message_name (identifier) @name) (message_body) @body) @definition.struct
(enum (enum_name (identifier) @name) (enum_body) @body) @definition.enum
(enum_field . (identifier) @name) @definition.constant
(service (service_name (identifier) @name)) @definition.interface
(rpc (rpc_name (identifier) @name)) @definition.method
(extend (full_ident) (message_body (field (identifier) @name) @definition.field)) @_outer

; References. Of a dotted name the last part is what is meant, those before it are its scopes.
(message_or_enum_type (identifier) @reference .) @_outer
(message_or_enum_type (identifier) @reference.capital) @_outer
(extend (full_ident (identifier) @reference .)) @_outer
(field_option (full_ident (identifier) @reference .)) @_outer
(option (full_ident (identifier) @reference .)) @_outer
