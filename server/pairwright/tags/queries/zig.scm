(Decl (FnProto function: (IDENTIFIER) @name) (Block) @body) @definition.function
(Decl (FnProto function: (IDENTIFIER) @name)) @definition.function
(VarDecl
  (IDENTIFIER) @name
  (ErrorUnionExpr (SuffixExpr
    (ContainerDecl (ContainerDeclType ["struct" "opaque"]) "{" @body)))) @definition.struct
(VarDecl
  (IDENTIFIER) @name
  (ErrorUnionExpr (SuffixExpr
    (ContainerDecl (ContainerDeclType "union") "{" @body)))) @definition.union
(VarDecl
  (IDENTIFIER) @name
  (ErrorUnionExpr (SuffixExpr
    [(ContainerDecl (ContainerDeclType . "enum") "{" @body)
      (ErrorSetDecl "{" @body)]))) @definition.enum
(ContainerDecl
  (ContainerDeclType . "enum")
  (ContainerField
    . (ErrorUnionExpr (SuffixExpr variable_type_function: (IDENTIFIER) @name))) @definition.constant) @_outer
(ErrorSetDecl field_constant: (IDENTIFIER) @name @definition.constant) @_outer

; Outside functions. A name for an import, or for what another name holds, is defined elsewhere.
(TestDecl (Block) @scope) @_outer
(ComptimeDecl (Block) @scope) @_outer
(VarDecl "var" . (IDENTIFIER) @name) @global.variable
(VarDecl
  "const" . (IDENTIFIER) @name
  [
    (UnaryExpr) (BinaryExpr) (PrefixTypeOp) (IfExpr)
    (ErrorUnionExpr (SuffixExpr . [
      (INTEGER) (FLOAT) (STRINGLITERALSINGLE) (LINESTRING) (CHAR_LITERAL) (FnProto) (InitList)
      (BuildinTypeExpr)]))
    (ErrorUnionExpr (SuffixExpr . (IDENTIFIER) . (FnCallArguments)))
    (ErrorUnionExpr (SuffixExpr . (IDENTIFIER) (FieldOrFnCall (FnCallArguments))))]) @global.constant

; References.
(SuffixExpr . variable_type_function: (IDENTIFIER) @reference . (FnCallArguments)) @_outer
(FieldOrFnCall function_call: (IDENTIFIER) @reference) @_outer
(SuffixExpr field_constant: (IDENTIFIER) @reference) @_outer
(TestDecl (IDENTIFIER) @reference) @_outer
(VarDecl ["const" "var"] . (IDENTIFIER) @ignore) @_outer
(IDENTIFIER) @reference.capital
