; What Luau adds to Lua.
(type_definition name: (identifier) @name) @definition.type
(type_definition name: (generic_type . (identifier) @name)) @definition.type
(generic_type_list (identifier) @ignore) @_outer
