(module name: (moduleName (simpleId) @name)) @definition.module
(dataclass name: (className) @name) @definition.class
(datatype name: (className) @name) @definition.enum
(datatypeBranch name: (className) @name) @definition.constant
(charpred (className) @name body: (_) @body) @definition.method
(memberPredicate name: (predicateName) @name (body) @body) @definition.method
(memberPredicate name: (predicateName) @name) @definition.method
(classlessPredicate name: (predicateName) @name (body) @body) @definition.function
(classlessPredicate name: (predicateName) @name) @definition.function
(classMember (field (varDecl (varName (simpleId) @name))) @definition.field) @_outer

; References.
(aritylessPredicateExpr name: (literalId) @reference) @_outer
(qualifiedRhs name: (predicateName) @reference) @_outer
(typeExpr name: (className) @reference) @_outer
(moduleInstantiation name: (moduleName (simpleId) @reference)) @_outer
(moduleExpr (simpleId) @reference) @_outer
(moduleExpr name: (simpleId) @reference) @_outer
