(Decl (FnProto function: (IDENTIFIER) @name) (Block) @body) @definition.function
(Decl (FnProto function: (IDENTIFIER) @name)) @definition.function
(Decl (VarDecl
  variable_type_function: (IDENTIFIER) @name
  (ErrorUnionExpr (SuffixExpr
    (ContainerDecl (ContainerDeclType "struct") "{" @body))))) @definition.struct
(Decl (VarDecl
  variable_type_function: (IDENTIFIER) @name
  (ErrorUnionExpr (SuffixExpr
    (ContainerDecl (ContainerDeclType "opaque") "{" @body))))) @definition.struct
(Decl (VarDecl
  variable_type_function: (IDENTIFIER) @name
  (ErrorUnionExpr (SuffixExpr
    (ContainerDecl (ContainerDeclType "union") "{" @body))))) @definition.union
(Decl (VarDecl
  variable_type_function: (IDENTIFIER) @name
  (ErrorUnionExpr (SuffixExpr
    (ContainerDecl (ContainerDeclType . "enum") "{" @body))))) @definition.enum
(Decl (VarDecl
  variable_type_function: (IDENTIFIER) @name
  (ErrorUnionExpr (SuffixExpr (ErrorSetDecl "{" @body))))) @definition.enum
(ContainerDecl
  (ContainerDeclType . "enum")
  (ContainerField
    . (ErrorUnionExpr (SuffixExpr variable_type_function: (IDENTIFIER) @name))) @definition.constant) @_outer
(ErrorSetDecl field_constant: (IDENTIFIER) @name @definition.constant) @_outer

; A name for an import, or for what another name holds, is defined elsewhere.
(Decl (VarDecl "var" variable_type_function: (IDENTIFIER) @name)) @definition.variable
(Decl (VarDecl
  "const" variable_type_function: (IDENTIFIER) @name
  [
    (UnaryExpr) (BinaryExpr) (PrefixTypeOp) (LabeledTypeExpr) (IfExpr)
    (ErrorUnionExpr (SuffixExpr . [
      (INTEGER) (FLOAT) (STRINGLITERALSINGLE) (LINESTRING) (CHAR_LITERAL) (FnProto) (InitList)
      (BuildinTypeExpr)]))
    (ErrorUnionExpr (SuffixExpr . variable_type_function: (_) . (FnCallArguments)))
    (ErrorUnionExpr (SuffixExpr . variable_type_function: (_)
      (FieldOrFnCall function_call: (IDENTIFIER))))])) @definition.constant

; References.
(SuffixExpr . variable_type_function: (IDENTIFIER) @reference . (FnCallArguments)) @_outer
(FieldOrFnCall function_call: (IDENTIFIER) @reference) @_outer
(SuffixExpr field_constant: (IDENTIFIER) @reference) @_outer
(TestDecl (IDENTIFIER) @reference) @_outer
(IDENTIFIER) @reference.capital
