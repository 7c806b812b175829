; What a chat bot is trained with: intents, the slots and the aliases they are built from.
(intent_def (intent) @name (intent_body) @body) @definition.function
(slot_def (slot) @name (slot_body) @body) @definition.type
(alias_def (alias) @name (alias_body) @body) @definition.macro

; References.
(slot_ref (slot) @reference) @_outer
(alias_ref (alias) @reference) @_outer
