; Everything is a call in this grammar: what defines is told by the name of the call.
(call
  target: (identifier) @_word
  (arguments . (alias) @name.last)
  (do_block) @body
  (#one-of? @_word "defmodule")) @definition.module
(call
  target: (identifier) @_word
  (arguments . (alias) @name.last)
  (do_block) @body
  (#one-of? @_word "defprotocol")) @definition.interface
(call
  target: (identifier) @_word
  (arguments . (alias) @name.last)
  (#one-of? @_word "defmodule")) @definition.module

; With parameters, without, and each of them behind a guard.
(call
  target: (identifier) @_word
  (arguments . [
    (call target: (identifier) @name)
    (identifier) @name
    (binary_operator left: [
      (call target: (identifier) @name)
      (identifier) @name] operator: "when")])
  (do_block)? @body
  (#one-of? @_word "def" "defp" "defdelegate" "defn" "defnp")) @definition.function
(call
  target: (identifier) @_word
  (arguments . [
    (call target: (identifier) @name)
    (identifier) @name
    (binary_operator left: [
      (call target: (identifier) @name)
      (identifier) @name] operator: "when")])
  (do_block)? @body
  (#one-of? @_word "defmacro" "defmacrop" "defguard" "defguardp")) @definition.macro

; Operators.
(call
  target: (identifier) @_word
  (arguments . [
    (binary_operator operator: _ @name)
    (unary_operator operator: _ @name)
    (binary_operator
      left: [
        (binary_operator operator: _ @name)
        (unary_operator operator: _ @name)]
      operator: "when")])
  (do_block)? @body
  (#one-of? @_word "def" "defp" "defmacro" "defmacrop" "defdelegate")
  (#none-of? @name "when" "\\\\")) @definition.function

; Types and callbacks are attributes.
(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_word
    (arguments . (binary_operator
      left: [
        (identifier) @name
        (call target: (identifier) @name)]
      operator: "::")))
  (#one-of? @_word "type" "typep" "opaque")) @definition.type
(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_word
    (arguments . [
      (binary_operator left: (call target: (identifier) @name) operator: "::")
      (binary_operator
        left: (binary_operator left: (call target: (identifier) @name) operator: "::")
        operator: "when")]))
  (#one-of? @_word "callback" "macrocallback")) @definition.function

(call
  target: (identifier) @_word
  (arguments . (string (quoted_content) @name))
  (do_block) @body
  (#one-of? @_word "test" "property")) @definition.function
(call
  target: [
    (identifier) @_word
    (dot right: (identifier) @_word)]
  (arguments . (atom) @name)
  (#one-of? @_word "defrecord" "defrecordp")) @definition.struct

; What is still open while it is typed: the words stand beside each other in an error.
(ERROR
  (identifier) @_word
  .
  (arguments . [
    (call target: (identifier) @name)
    (binary_operator left: (call target: (identifier) @name) operator: "when")])
    @definition.function
  (#one-of? @_word "def" "defp" "defmacro" "defmacrop")) @_outer
(ERROR
  (identifier) @_word
  .
  (arguments . (alias) @name.last) @definition.module
  (#one-of? @_word "defmodule" "defprotocol")) @_outer

; References. What only builds the language is none.
(call
  target: (identifier) @reference
  (#none-of? @reference
    "def" "defp" "defmodule" "defprotocol" "defimpl" "defmacro" "defmacrop" "defguard" "defguardp"
    "defdelegate" "defn" "defnp" "defstruct" "defexception" "defoverridable" "alias" "import"
    "require" "use" "quote" "unquote" "unquote_splicing" "if" "unless" "case" "cond" "with" "for"
    "fn" "try" "receive" "super")) @_outer
(unary_operator
  operator: "@"
  operand: (call target: (identifier) @ignore)) @_outer
(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_word
    (arguments . (binary_operator left: (call target: (identifier) @ignore) operator: "::")))
  (#one-of? @_word "spec")) @_outer
(call target: (dot right: (identifier) @reference) (arguments)) @_outer
(call target: (dot left: (alias) right: (identifier) @reference)) @_outer
(unary_operator
  operator: "&"
  operand: (binary_operator
    left: [
      (identifier) @reference
      (call target: (dot right: (identifier) @reference))]
    operator: "/")) @_outer
(binary_operator operator: "|>" right: (identifier) @reference) @_outer
(alias) @reference.last
