; A list is told by its first symbol. What is quoted, dropped or commented out defines nothing.
(list_lit
  .
  value: (sym_lit) @_word
  .
  value: (sym_lit name: (sym_name) @name.last)
  (#one-of? @_word "ns" "in-ns")) @definition.namespace
(list_lit
  .
  value: (sym_lit) @_word
  .
  value: (sym_lit name: (sym_name) @name)
  (#one-of? @_word
    "defn" "defn-" "defmulti" "deftest" "deftest-" "s/defn" "s/defn-" "schema/defn" "mu/defn"
    ">defn" ">defn-" "defspec" "defroutes" "defcomponent" "defnc" "defui" "defsc" "definline"
    "defhandler" "defpage" "deftask" "m/defn" "rum/defc" "rum/defcs" "rum/defcc" "p/defn" "h/defnc"
    "uix/defui" "e/defn" "core/defn" "clojure.core/defn" "t/deftest" "test/deftest" "defflow")) @global.function
(list_lit
  .
  value: (sym_lit) @_word
  .
  value: (sym_lit name: (sym_name) @name)
  (#one-of? @_word "defmethod" "s/defmethod" "defmethod*")) @global.method
(list_lit
  .
  value: (sym_lit) @_word
  .
  value: (sym_lit name: (sym_name) @name)
  (#one-of? @_word "defmacro" "defmacro-" "core/defmacro")) @global.macro
(list_lit
  .
  value: (sym_lit) @_word
  .
  value: (sym_lit name: (sym_name) @name)
  (#one-of? @_word "defprotocol" "definterface" "s/defprotocol" "p/defprotocol+")) @global.interface
(list_lit
  .
  value: (sym_lit) @_word
  .
  value: (sym_lit name: (sym_name) @name)
  (#one-of? @_word
    "defrecord" "deftype" "defstruct" "s/defrecord" "defrecord+" "deftype+" "gen-class")) @global.struct
(list_lit
  .
  value: (sym_lit) @_word
  .
  value: (sym_lit name: (sym_name) @name)
  .
  value: (list_lit . value: (sym_lit) @_fn)
  .
  (#one-of? @_word "def")
  (#one-of? @_fn "fn" "fn*" "partial" "comp" "memoize" "complement")) @global.function
(list_lit
  .
  value: (sym_lit) @_word
  .
  value: (sym_lit name: (sym_name) @name)
  (#one-of? @_word
    "def" "defonce" "s/def" "s/defschema" "schema/def" "def-" "defstate" "defdelayed" "defvar"
    "defparameter" "mount/defstate")) @global.variable

; What a protocol asks for, and what a type gives.
((list_lit
  .
  value: (sym_lit) @_word
  value: (list_lit
    .
    value: (sym_lit name: (sym_name) @name)
    .
    value: (vec_lit)) @definition.method
  (#one-of? @_word
    "defprotocol" "definterface" "defrecord" "deftype" "extend-type" "extend-protocol" "proxy"
    "s/defrecord" "defrecord+" "deftype+")) @_outer)

(quoting_lit) @scope
(dis_expr) @scope
(syn_quoting_lit) @scope
(list_lit . value: (sym_lit) @_comment (#one-of? @_comment "comment")) @scope

; References: what stands first in a list, and what is handed on. Special forms are none.
(list_lit
  .
  value: (sym_lit name: (sym_name) @reference)
  (#none-of? @reference
    "ns" "in-ns" "declare" "let" "fn" "fn*" "if" "do" "loop" "recur" "quote" "var" "try" "catch" "finally" "throw" "new" "." ".." "set!" "when" "cond"
    "case" "for" "doseq" "dotimes" "->" "->>" "if-let" "when-let" "if-not" "when-not" "comment"
    "extend-type" "extend-protocol" "proxy" "reify" "letfn" "binding" "and" "or" "is" "testing"
    "cond->" "cond->>" "some->" "some->>" "as->" "doto")
  (#not-prefix? @reference "def")) @_outer
(list_lit
  .
  value: (sym_lit) @_thread
  .
  value: (_)
  value: (sym_lit name: (sym_name) @reference)
  (#one-of? @_thread "->" "->>" "some->" "some->>" "cond->" "cond->>")) @_outer
(list_lit
  .
  value: (sym_lit) @_takes
  .
  value: (sym_lit name: (sym_name) @reference)
  (#one-of? @_takes
    "map" "mapv" "mapcat" "filter" "filterv" "remove" "reduce" "apply" "partial" "comp" "juxt" "keep"
    "sort-by" "group-by" "some" "every?" "run!" "swap!" "pmap" "iterate" "extend-type" "satisfies?"
    "instance?" "extend-protocol" "new" "catch" "memoize" "complement" "fnil")) @_outer
(list_lit
  .
  value: (sym_lit) @_takes
  value: (sym_lit name: (sym_name) @reference)
  (#one-of? @_takes "comp" "juxt" "extend-type" "extend-protocol")) @_outer
(list_lit
  .
  value: (sym_lit) @_type
  .
  value: (_)
  .
  value: (vec_lit)
  value: (sym_lit name: (sym_name) @reference)
  (#one-of? @_type "defrecord" "deftype")) @_outer
(var_quoting_lit value: (sym_lit name: (sym_name) @reference)) @_outer

; `(:require [a.b :as b :refer [c]])` and `(:import (a B) c.D)`.
(list_lit
  .
  value: (kwd_lit name: (kwd_name) @_require)
  value: [
    (sym_lit) @reference.last
    (vec_lit . value: (sym_lit) @reference.last)]
  (#one-of? @_require "require" "use" "require-macros" "import")) @_outer
(list_lit
  .
  value: (sym_lit name: (sym_name) @_require)
  value: (quoting_lit value: [
    (sym_lit) @reference.last
    (vec_lit . value: (sym_lit) @reference.last)])
  (#one-of? @_require "require" "use")) @_outer
(list_lit
  .
  value: (kwd_lit name: (kwd_name) @_import)
  value: (list_lit . value: (sym_lit) value: (sym_lit) @reference.last)
  (#one-of? @_import "import")) @_outer
(vec_lit
  value: (kwd_lit name: (kwd_name) @_refer)
  .
  value: (vec_lit value: (sym_lit name: (sym_name) @reference))
  (#one-of? @_refer "refer" "refer-macros" "only")) @_outer
