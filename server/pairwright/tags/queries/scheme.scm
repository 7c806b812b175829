; Scheme and Racket: the first symbol of a list says what it is. Quoted lists are data.
(quote) @quoted
(quasiquote) @quoted

; Functions: (define (name …) …), curried, or bound to a lambda.
(list
  . (symbol) @_define . (list . (symbol) @name) . (_) @body
  (#one-of? @_define "define" "define*" "define-public" "define*-public" "define-inline"
    "define-integrable" "define/contract" "define/match" "define/memo" "defn" "define-who"))
  @definition.function
(list
  . (symbol) @_define . (list . (list . (symbol) @name)) . (_) @body
  (#one-of? @_define "define" "define*" "define-public" "define/contract")) @definition.function
(list
  . (symbol) @_define . (symbol) @name . (list . (symbol) @_lambda) @body
  (#one-of? @_define "define" "define*" "define-public" "define/contract")
  (#one-of? @_lambda "lambda" "λ" "lambda*" "case-lambda" "case-lambda*" "opt-lambda"
    "named-lambda")) @definition.function
(list
  . (symbol) @_define . (list . (symbol) @name) . (_) @body
  (#one-of? @_define "define/public" "define/private" "define/override" "define/public-final"
    "define/pubment" "define/augment" "define/augride" "define/override-final" "define-method"
    "define-generic")) @definition.method
(list
  . (symbol) @_define . (symbol) @name
  (#one-of? @_define "define-generic" "define-method" "define/public" "define/private"))
  @definition.method

; Macros.
(list
  . (symbol) @_define . [(symbol) @name (list . (symbol) @name)] . (_)? @body
  (#one-of? @_define "define-syntax" "define-syntax-rule" "define-macro" "defmacro"
    "define-syntax-parser" "define-simple-macro" "define-syntax-parse-rule" "define-for-syntax"
    "define-syntax*" "define-syntaxes" "define-er-macro-transformer")) @definition.macro
((list . (symbol) @_define) @scope
  (#one-of? @_define "define-syntax" "define-syntax-rule" "define-macro" "defmacro"
    "define-simple-macro" "define-syntax-parser" "syntax-rules" "syntax-case"))

; Types.
(list
  . (symbol) @_define . [(symbol) @name (list . (symbol) @name)]
  (#one-of? @_define "struct" "define-struct" "define-record-type" "define-record" "struct/contract"
    "define-structure")) @definition.struct
((list . (symbol) @_define . (_) . (list . (symbol) @name @definition.function)) @_outer
  (#one-of? @_define "define-record-type"))
((list . (symbol) @_define . (_) . (_) . (symbol) @name @definition.function) @_outer
  (#one-of? @_define "define-record-type"))
((list . (symbol) @_define . (_) . (_) . (_)
  (list . (symbol) . (symbol) @name @definition.function)) @_outer
  (#one-of? @_define "define-record-type"))
((list . (symbol) @_define . (_) . (_) . (_)
  (list . (symbol) . (symbol) . (symbol) @name @definition.function)) @_outer
  (#one-of? @_define "define-record-type"))
(list
  . (symbol) @_define . (symbol) @name . (list . (symbol) @_class)
  (#one-of? @_define "define" "define-public")
  (#one-of? @_class "class" "class*" "mixin" "unit" "interface" "make-class")) @definition.class
(list
  . (symbol) @_define . (symbol) @name
  (#one-of? @_define "define-class" "define-signature" "define-generics" "define-condition-type"))
  @definition.class
(list
  . (symbol) @_define . (symbol) @name
  (#one-of? @_define "module" "module*" "define-unit")) @definition.module

(list
  . (symbol) @_define . [(symbol) @name (list . (symbol) @name)]
  (#one-of? @_define "define-type" "define-type-alias" "define-datatype" "define-enum")) @definition.type

; Outside functions.
((list . (symbol) @_let) @scope
  (#one-of? @_let "let" "let*" "letrec" "letrec*" "let-values" "let*-values" "parameterize"))
(list
  . (symbol) @_define . (symbol) @name
  (#one-of? @_define "define" "define-public" "define-constant" "define-parameter" "define/contract"
    "define-variable" "defvar")) @global.variable
(list
  . (symbol) @_define . (symbol) @name
  (#prefix? @_define "define-")
  (#none-of? @_define "define-values" "define-syntaxes" "define-module")) @global.variable
((list . (symbol) @_define . (list (symbol) @name @global.variable)) @_outer
  (#one-of? @_define "define-values"))

; References: the head of every list, and what a binding or a call of higher order is given.
((list . (symbol) @reference) @_outer
  (#none-of? @reference "define" "let" "let*" "letrec" "lambda" "λ" "if" "cond" "when" "unless"
    "begin" "set!" "quote" "else" "and" "or" "case" "do" "define-syntax" "syntax-rules" "require"
    "provide" "import" "export" "module" "module+" "struct" "_" "only-in" "prefix-in" "for")
  (#not-prefix? @reference "define"))
((list . (symbol) @_apply . (symbol) @reference) @_outer
  (#one-of? @_apply "map" "for-each" "apply" "filter" "foldl" "foldr" "fold" "sort" "new" "provide"
    "andmap" "ormap" "filter-map" "append-map" "call-with-values" "make-object" "is-a?" "struct-out"
    "class" "mixin"))
((list . (symbol) @_send . (_) . (symbol) @reference) @_outer
  (#one-of? @_send "send" "send*" "send/apply" "only-in" "prefix-in" "struct"))
((list . (symbol) @_import (symbol) @reference) @_outer
  (#one-of? @_import "require" "provide" "only-in" "only" "import" "export" "use-modules"))
