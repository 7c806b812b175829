; `defun` and its like are nodes; the rest is told by the first symbol of a list.
(defun
  (defun_header
    keyword: (defun_keyword) @_word
    function_name: [
      (sym_lit) @name
      (package_lit symbol: (sym_lit) @name)
      (list_lit . value: (sym_lit) . value: (sym_lit) @name .)
      (list_lit . value: (sym_lit) . value: (package_lit symbol: (sym_lit) @name) .)])
  .
  (_)? @body
  (#one-of? @_word "defmacro" "DEFMACRO")) @definition.macro
(defun
  (defun_header
    keyword: (defun_keyword) @_word
    function_name: [
      (sym_lit) @name
      (package_lit symbol: (sym_lit) @name)
      (list_lit . value: (sym_lit) . value: (sym_lit) @name .)
      (list_lit . value: (sym_lit) . value: (package_lit symbol: (sym_lit) @name) .)])
  .
  (_)? @body
  (#one-of? @_word "defmethod" "DEFMETHOD")) @definition.method
(defun
  (defun_header function_name: [
    (sym_lit) @name
    (package_lit symbol: (sym_lit) @name)
    (list_lit . value: (sym_lit) . value: (sym_lit) @name .)
    (list_lit . value: (sym_lit) . value: (package_lit symbol: (sym_lit) @name) .)])
  .
  (_)? @body) @definition.function
(list_lit
  .
  value: (sym_lit) @_word
  .
  value: (sym_lit) @name
  (#one-of? @_word
    "defvar" "defparameter" "defglobal" "define-global" "DEFVAR" "DEFPARAMETER" "defvar-unbound"))
  @definition.variable
(list_lit
  .
  value: (sym_lit) @_word
  .
  value: (sym_lit) @name
  (#one-of? @_word "defconstant" "define-constant" "defconst" "DEFCONSTANT")) @definition.constant
(list_lit
  .
  value: (sym_lit) @_word
  .
  value: [
    (sym_lit) @name
    (list_lit . value: (sym_lit) @name)]
  (#one-of? @_word "defstruct" "DEFSTRUCT")) @definition.struct
(list_lit
  .
  value: (sym_lit) @_word
  .
  value: (sym_lit) @name
  (#one-of? @_word
    "defclass" "define-condition" "DEFCLASS" "DEFINE-CONDITION" "defflavor" "deftype-class"))
  @definition.class
(list_lit
  .
  value: (sym_lit) @_word
  .
  value: (sym_lit) @name
  (#one-of? @_word "deftype" "DEFTYPE")) @definition.type
(list_lit
  .
  value: (sym_lit) @_word
  .
  value: [
    (kwd_lit (kwd_symbol) @name)
    (sym_lit) @name
    (str_lit) @name]
  (#one-of? @_word "defpackage" "DEFPACKAGE" "define-package" "defsystem"))
  @definition.namespace
(list_lit
  .
  value: (package_lit symbol: (sym_lit) @_word)
  .
  value: [
    (kwd_lit (kwd_symbol) @name)
    (sym_lit) @name
    (str_lit) @name]
  (#one-of? @_word "defsystem" "define-package")) @definition.namespace
(list_lit
  .
  value: (sym_lit) @_word
  .
  value: (sym_lit) @name
  (#one-of? @_word
    "define-compiler-macro" "define-modify-macro" "defsetf" "define-setf-expander"
    "define-symbol-macro" "define-method-combination")) @definition.macro
(list_lit
  .
  value: (sym_lit) @_word
  .
  value: [
    (sym_lit) @name
    (list_lit . value: (sym_lit) @name)]
  (#one-of? @_word "deftest" "define-test" "def-test" "test" "defroute" "defcommand" "define-command"))
  @definition.function
(list_lit
  .
  value: (package_lit symbol: (sym_lit) @_word)
  .
  value: (sym_lit) @name
  (#one-of? @_word "deftest" "def-test" "test" "define-test")) @definition.function
(list_lit
  .
  value: [
    (sym_lit) @_word
    (package_lit symbol: (sym_lit) @_word)]
  .
  value: (list_lit . value: (str_lit) . value: (sym_lit) @name)
  (#one-of? @_word "defcfun" "defcvar")) @definition.function

; In capitals they are plain lists, and macros of a project's own define by their name.
(list_lit
  .
  value: (sym_lit) @_word
  .
  value: (sym_lit) @name
  (#one-of? @_word "DEFUN" "DEFGENERIC")) @definition.function
(list_lit
  .
  value: (sym_lit) @_word
  .
  value: (sym_lit) @name
  (#one-of? @_word "DEFMETHOD")) @definition.method
(list_lit
  .
  value: (sym_lit) @_word
  .
  value: (sym_lit) @name
  (#one-of? @_word "DEFMACRO")) @definition.macro
(list_lit
  .
  value: (sym_lit) @_word
  .
  value: (sym_lit) @name
  (#prefix? @_word "def-" "define-" "DEFINE-" "defun/" "defun-" "defmacro-")) @definition.function

; Accessors of slots are functions.
(list_lit
  .
  value: (sym_lit)
  value: (kwd_lit (kwd_symbol) @_accessor)
  .
  value: (sym_lit) @name
  (#one-of? @_accessor "accessor" "reader" "writer")) @definition.property

; References: what stands first in a list that is neither a special form nor a list of parameters.
(list_lit
  .
  value: (sym_lit) @reference
  (#none-of? @reference
    "let" "let*" "flet" "labels" "macrolet" "if" "when" "unless" "cond" "case" "progn" "setf" "setq"
    "lambda" "quote" "function" "declare" "declaim" "ignore" "inline" "ftype" "in-package"
    "eval-when" "loop" "do" "dolist" "dotimes" "return" "return-from" "block" "and" "or" "not"
    "otherwise" "t" "multiple-value-bind" "destructuring-bind" "the" "handler-case" "unwind-protect")
  (#not-prefix? @reference "def" "DEF" "&")) @_outer
(list_lit
  .
  value: (sym_lit) @_word
  .
  value: (sym_lit)
  .
  value: (list_lit . value: (sym_lit) @ignore)
  (#one-of? @_word "define-compiler-macro" "define-modify-macro" "deftype" "define-setf-expander"))
  @_outer
(list_lit
  .
  value: (kwd_lit (kwd_symbol) @_word)
  value: (list_lit value: (list_lit . value: (sym_lit) @ignore))
  (#one-of? @_word "method")) @_outer
(defun_header lambda_list: (list_lit . value: (sym_lit) @ignore)) @_outer
(defun_header lambda_list: (list_lit value: (list_lit . value: (sym_lit) @ignore))) @_outer
(defun_header function_name: (list_lit . value: (sym_lit) @ignore)) @_outer
(list_lit
  .
  value: (sym_lit) @_let
  .
  value: (list_lit value: (list_lit . value: (sym_lit) @ignore))
  (#one-of? @_let "let" "let*" "flet" "labels" "macrolet" "do" "do*" "symbol-macrolet")) @_outer
(list_lit
  .
  value: (sym_lit) @_local
  .
  value: (list_lit value: (list_lit . value: (sym_lit) . value: (list_lit . value: (sym_lit) @ignore)))
  (#one-of? @_local "flet" "labels" "macrolet")) @_outer
(list_lit
  .
  value: (sym_lit) @_binds
  .
  value: (list_lit . value: (sym_lit) @ignore)
  (#one-of? @_binds
    "dolist" "dotimes" "multiple-value-bind" "destructuring-bind" "lambda" "with-slots"
    "with-accessors")) @_outer
(list_lit
  .
  value: (sym_lit) @_class
  .
  value: (sym_lit)
  .
  value: (list_lit value: (sym_lit) @reference)
  (#one-of? @_class "defclass" "define-condition")) @_outer
(list_lit
  .
  value: (sym_lit) @_class
  value: (list_lit value: (list_lit . value: (sym_lit) @ignore . value: (kwd_lit)))
  (#one-of? @_class "defclass" "define-condition")) @_outer
(list_lit
  .
  value: (sym_lit) @_class
  .
  value: (_)
  .
  value: (list_lit . value: (sym_lit) @reference)
  (#one-of? @_class "defclass" "define-condition")) @_outer
(defun_header
  keyword: (defun_keyword) @_method
  lambda_list: (list_lit value: (list_lit . value: (sym_lit) . value: (sym_lit) @reference .))
  (#one-of? @_method "defmethod" "DEFMETHOD")) @_outer
(list_lit
  .
  value: (sym_lit) @_make
  .
  value: (quoting_lit value: (sym_lit) @reference)
  (#one-of? @_make "make-instance" "make-condition" "error" "signal" "typep" "funcall" "apply"
    "mapcar" "mapc" "change-class")) @_outer
(list_lit
  .
  value: (kwd_lit (kwd_symbol) @_include)
  .
  value: (sym_lit) @reference
  (#one-of? @_include "include")) @_outer
(list_lit
  .
  value: (kwd_lit (kwd_symbol) @_use)
  value: [
    (kwd_lit (kwd_symbol) @reference)
    (sym_lit) @reference]
  (#one-of? @_use "use" "import-from")) @_outer
(list_lit
  .
  value: (sym_lit) @_in
  .
  value: [
    (kwd_lit (kwd_symbol) @reference)
    (sym_lit) @reference]
  (#one-of? @_in "in-package" "IN-PACKAGE")) @_outer
(var_quoting_lit value: (sym_lit) @reference) @_outer
(package_lit symbol: (sym_lit) @reference) @_outer
