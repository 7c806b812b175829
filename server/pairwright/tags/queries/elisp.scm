; `defun` and its like are nodes; the rest is told by the first symbol of a list.
(function_definition name: (symbol) @name parameters: (_) . (_)? @body) @definition.function
(macro_definition name: (symbol) @name parameters: (_) . (_)? @body) @definition.macro
(special_form "defvar" . (symbol) @name) @definition.variable
(special_form "defconst" . (symbol) @name) @definition.constant
(list
  .
  (symbol) @_word
  .
  (symbol) @name
  (#one-of? @_word "defcustom" "defvar-local" "defvar-keymap" "defface" "defgroup" "defconst-mode-local"))
  @definition.variable
(list
  .
  (symbol) @_word
  .
  [
    (symbol) @name
    (list . (symbol) @name)]
  (#one-of? @_word "cl-defstruct" "defstruct")) @definition.struct
(list . (symbol) @_word . (symbol) @name (#one-of? @_word "defclass")) @definition.class
(list
  .
  (symbol) @_word
  .
  (symbol) @name
  (#one-of? @_word
    "cl-defun" "cl-defsubst" "defun*" "define-inline" "cl-defgeneric" "defgeneric" "ert-deftest"
    "define-minor-mode" "define-derived-mode" "define-globalized-minor-mode" "define-generic-mode"
    "define-compilation-mode" "iter-defun" "define-skeleton" "transient-define-prefix"
    "transient-define-suffix" "transient-define-infix" "transient-define-argument" "defhydra"
    "evil-define-command" "evil-define-operator" "evil-define-motion"
    "cl-iter-defun" "define-widget"))
  @definition.function
(list
  .
  (symbol) @_word
  .
  (symbol) @name
  (#one-of? @_word "cl-defmethod" "defmethod")) @definition.method
(list
  .
  (symbol) @_word
  .
  (symbol) @name
  (#one-of? @_word "cl-defmacro" "defmacro*" "pcase-defmacro" "cl-deftype" "gv-define-setter"))
  @definition.macro
(list
  .
  (symbol) @_word
  .
  (quote (symbol) @name)
  (#one-of? @_word
    "defalias" "define-obsolete-function-alias" "define-obsolete-variable-alias" "defvaralias" "fset"))
  @definition.function
(list
  .
  (symbol) @_word
  .
  (quote (symbol) @name)
  (#one-of? @_word "define-error")) @definition.class

; References: what stands first in a list that is neither a special form nor a list of parameters.
(list
  .
  (symbol) @reference
  (#none-of? @reference
    "cl-defun" "cl-defmacro" "cl-defstruct" "cl-defgeneric" "cl-defmethod" "cl-defsubst"
    "ert-deftest" "when" "unless" "declare" "if-let" "when-let" "if-let*" "when-let*" "dolist" "dotimes" "pcase"
    "cl-case" "cl-loop" "cl-flet" "cl-labels" "cl-letf" "lambda" "let-alist" "provide" "require"
    "setq-local" "push" "pop" "not" "t" "otherwise" "condition-case-unless-debug" "error"
    "interactive" "with-eval-after-load" "eval-after-load")
  (#not-prefix? @reference "def" ":")) @_outer
(list
  .
  (symbol) @_advice
  .
  (symbol) @reference
  (#one-of? @_advice "defadvice" "define-advice")) @_outer
(function_definition parameters: (list . (symbol) @ignore)) @_outer
(macro_definition parameters: (list . (symbol) @ignore)) @_outer
(special_form "lambda" . (list . (symbol) @ignore)) @_outer
(special_form "let" . (list (list . (symbol) @ignore))) @_outer
(special_form "let*" . (list (list . (symbol) @ignore))) @_outer
(special_form "cond" (list . (symbol) @ignore)) @_outer
(list
  .
  (symbol) @_word
  .
  (symbol)
  .
  (list . (symbol) @ignore)
  (#one-of? @_word
    "cl-defun" "cl-defsubst" "cl-defmacro" "define-inline" "cl-defgeneric" "cl-defmethod" "ert-deftest"
    "defadvice")) @_outer
(list
  .
  (symbol) @_word
  .
  (list . (symbol) @ignore)
  (#one-of? @_word "dolist" "dotimes" "cl-defstruct" "cl-function" "pcase-lambda")) @_outer
(list
  .
  (symbol) @_word
  .
  (list (list . (symbol) @ignore))
  (#one-of? @_word
    "cl-flet" "cl-labels" "if-let" "when-let" "if-let*" "when-let*" "cl-letf" "cl-letf*" "and-let*"))
  @_outer
(list
  .
  (symbol) @_word
  .
  (list (list . (symbol) . (list . (symbol) @ignore)))
  (#one-of? @_word "cl-flet" "cl-labels")) @_outer
(list
  .
  (symbol) @_method
  .
  (symbol)
  .
  (list (list . (symbol) @ignore . (symbol) @_type .))
  (#one-of? @_method "cl-defmethod" "defmethod")) @_outer
(list
  .
  (symbol) @_method
  .
  (symbol)
  .
  (list (list . (symbol) . (symbol) @reference .))
  (#one-of? @_method "cl-defmethod" "defmethod")) @_outer
(list
  .
  (symbol) @_class
  .
  (symbol)
  .
  (list (symbol) @reference)
  (#one-of? @_class "defclass")) @_outer
(list
  .
  (symbol) @_mode
  .
  (symbol)
  .
  (symbol) @reference
  (#one-of? @_mode "define-derived-mode" "define-globalized-minor-mode")) @_outer
(quote "#'" (symbol) @reference) @_outer
(list
  .
  (symbol) @_takes
  (quote (symbol) @reference)
  (#one-of? @_takes
    "add-hook" "remove-hook" "advice-add" "advice-remove" "mapcar" "mapc" "funcall" "apply" "require"
    "run-hooks" "define-key" "global-set-key" "keymap-set" "autoload" "defalias" "signal"
    "define-obsolete-function-alias" "run-with-timer" "run-with-idle-timer")) @_outer
