; The grammar knows words, calls and blocks only; the last word in front of a brace is in the block.
([
    (command
      (unit . (identifier) @_word .)
      .
      [
        (unit . (identifier) @name .)
        (unit . (generics_class . (identifier) @name) .)
        (block . (unit . (identifier) @name .) . "{" @body)
        (block . (unit . (generics_class . (identifier) @name) .) . "{" @body)])
    (end_command
      (unit . (identifier) @_word .)
      .
      [
        (unit . (identifier) @name .)
        (unit . (generics_class . (identifier) @name) .)
        (block . (unit . (identifier) @name .) . "{" @body)
        (block . (unit . (generics_class . (identifier) @name) .) . "{" @body)])
  ] @definition.class
  (#one-of? @_word "class"))
([
    (command
      (unit . (identifier) @_word .)
      .
      [
        (unit . (identifier) @name .)
        (unit . (generics_class . (identifier) @name) .)
        (block . (unit . (identifier) @name .) . "{" @body)
        (block . (unit . (generics_class . (identifier) @name) .) . "{" @body)])
    (end_command
      (unit . (identifier) @_word .)
      .
      [
        (unit . (identifier) @name .)
        (unit . (generics_class . (identifier) @name) .)
        (block . (unit . (identifier) @name .) . "{" @body)
        (block . (unit . (generics_class . (identifier) @name) .) . "{" @body)])
  ] @definition.interface
  (#one-of? @_word "interface"))
([
    (command
      (unit . (identifier) @_word .)
      .
      [
        (unit . (identifier) @name .)
        (unit . (generics_class . (identifier) @name) .)
        (block . (unit . (identifier) @name .) . "{" @body)
        (block . (unit . (generics_class . (identifier) @name) .) . "{" @body)])
    (end_command
      (unit . (identifier) @_word .)
      .
      [
        (unit . (identifier) @name .)
        (unit . (generics_class . (identifier) @name) .)
        (block . (unit . (identifier) @name .) . "{" @body)
        (block . (unit . (generics_class . (identifier) @name) .) . "{" @body)])
  ] @definition.trait
  (#one-of? @_word "trait"))
([
    (command
      (unit . (identifier) @_word .)
      .
      [
        (unit . (identifier) @name .)
        (unit . (generics_class . (identifier) @name) .)
        (block . (unit . (identifier) @name .) . "{" @body)
        (block . (unit . (generics_class . (identifier) @name) .) . "{" @body)])
    (end_command
      (unit . (identifier) @_word .)
      .
      [
        (unit . (identifier) @name .)
        (unit . (generics_class . (identifier) @name) .)
        (block . (unit . (identifier) @name .) . "{" @body)
        (block . (unit . (generics_class . (identifier) @name) .) . "{" @body)])
  ] @definition.enum
  (#one-of? @_word "enum"))
([
    (command
      (decorate (identifier) @_word)
      .
      (block . (unit . (identifier) @name .) . "{" @body))
    (end_command
      (decorate (identifier) @_word)
      .
      (block . (unit . (identifier) @name .) . "{" @body))
  ] @definition.interface
  (#one-of? @_word "interface"))
([
    (command
      (unit . (identifier) @_enum .)
      .
      (block . (unit) [
        (_
          .
          (unit . [
            (identifier) @name
            (func . (identifier) @name)] .) @definition.constant
          .
          (arg_spliter))
        (_
          (arg_spliter)
          .
          (unit . [
            (identifier) @name
            (func . (identifier) @name)] .) @definition.constant)
        (_
          .
          (unit . [
            (identifier) @name
            (func . (identifier) @name)] .) @definition.constant
          .)]))
    (end_command
      (unit . (identifier) @_enum .)
      .
      (block . (unit) [
        (_
          .
          (unit . [
            (identifier) @name
            (func . (identifier) @name)] .) @definition.constant
          .
          (arg_spliter))
        (_
          (arg_spliter)
          .
          (unit . [
            (identifier) @name
            (func . (identifier) @name)] .) @definition.constant)
        (_
          .
          (unit . [
            (identifier) @name
            (func . (identifier) @name)] .) @definition.constant
          .)]))
  ] @_outer
  (#one-of? @_enum "enum"))

; A method: behind a type or a modifier a call with a block, or with nothing.
([
    (command
      (unit . (identifier) @_type .)
      .
      (block . (unit . (func . (identifier) @name (arg_block)) .) . "{" @body))
    (end_command
      (unit . (identifier) @_type .)
      .
      (block . (unit . (func . (identifier) @name (arg_block)) .) . "{" @body))
  ] @definition.function
  (#one-of? @_type
    "def" "void" "int" "long" "boolean" "double" "float" "char" "byte" "short" "public" "private" "protected" "static" "final" "abstract" "synchronized" "native")
  (#none-of? @name "if" "for" "while" "switch" "catch" "synchronized" "return" "assert"))
([
    (command
      (unit . (identifier) @_type .)
      .
      (unit . (func . (identifier) @name (arg_block)) .)
      .)
    (end_command
      (unit . (identifier) @_type .)
      .
      (unit . (func . (identifier) @name (arg_block)) .)
      .)
  ] @definition.function
  (#one-of? @_type
    "def" "void" "int" "long" "boolean" "double" "float" "char" "byte" "short" "public" "private" "protected" "static" "final" "abstract" "synchronized" "native")
  (#none-of? @name "if" "for" "while" "switch" "catch" "synchronized" "return" "assert"))
([
    (command
      (unit . (identifier) @_type .)
      .
      (unit . (func . (identifier) @name (arg_block)) .)
      .
      (unit . (identifier) @_throws .)
      (block) @body)
    (end_command
      (unit . (identifier) @_type .)
      .
      (unit . (func . (identifier) @name (arg_block)) .)
      .
      (unit . (identifier) @_throws .)
      (block) @body)
  ] @definition.function
  (#one-of? @_type
    "def" "void" "int" "long" "boolean" "double" "float" "char" "byte" "short" "public" "private" "protected" "static" "final" "abstract" "synchronized" "native")
  (#one-of? @_throws "throws"))
([
    (command
      (unit (identifier) @_type .)
      .
      (block . (unit . (func . (identifier) @name (arg_block)) .) . "{" @body))
    (end_command
      (unit (identifier) @_type .)
      .
      (block . (unit . (func . (identifier) @name (arg_block)) .) . "{" @body))
  ] @definition.function
  (#not-prefix? @_type
    "a" "b" "c" "d" "e" "f" "g" "h" "i" "j" "k" "l" "m" "n" "o" "p" "q" "r" "s" "t" "u" "v" "w" "x" "y" "z" "_")
  (#none-of? @name "if" "for" "while" "switch" "catch" "synchronized" "return" "assert"))
([
    (command
      (unit (identifier) @_type .)
      .
      (unit . (func . (identifier) @name (arg_block)) .)
      .)
    (end_command
      (unit (identifier) @_type .)
      .
      (unit . (func . (identifier) @name (arg_block)) .)
      .)
  ] @definition.function
  (#not-prefix? @_type
    "a" "b" "c" "d" "e" "f" "g" "h" "i" "j" "k" "l" "m" "n" "o" "p" "q" "r" "s" "t" "u" "v" "w" "x" "y" "z" "_")
  (#none-of? @name "if" "for" "while" "switch" "catch" "synchronized" "return" "assert"))
([
    (command
      (unit (identifier) @_type .)
      .
      (unit . (func . (identifier) @name (arg_block)) .)
      .
      (unit . (identifier) @_throws .)
      (block) @body)
    (end_command
      (unit (identifier) @_type .)
      .
      (unit . (func . (identifier) @name (arg_block)) .)
      .
      (unit . (identifier) @_throws .)
      (block) @body)
  ] @definition.function
  (#not-prefix? @_type
    "a" "b" "c" "d" "e" "f" "g" "h" "i" "j" "k" "l" "m" "n" "o" "p" "q" "r" "s" "t" "u" "v" "w" "x" "y" "z" "_")
  (#one-of? @_throws "throws"))
([
    (command
      (unit . (generics_class))
      .
      (block . (unit . (func . (identifier) @name (arg_block)) .) . "{" @body))
    (end_command
      (unit . (generics_class))
      .
      (block . (unit . (func . (identifier) @name (arg_block)) .) . "{" @body))
  ] @definition.function
  (#none-of? @name "if" "for" "while" "switch" "catch" "synchronized" "return" "assert"))
([
    (command
      (unit . (generics_class))
      .
      (unit . (func . (identifier) @name (arg_block)) .)
      .)
    (end_command
      (unit . (generics_class))
      .
      (unit . (func . (identifier) @name (arg_block)) .)
      .)
  ] @definition.function
  (#none-of? @name "if" "for" "while" "switch" "catch" "synchronized" "return" "assert"))
([
    (command
      (unit . (generics_class))
      .
      (unit . (func . (identifier) @name (arg_block)) .)
      .
      (unit . (identifier) @_throws .)
      (block) @body)
    (end_command
      (unit . (generics_class))
      .
      (unit . (func . (identifier) @name (arg_block)) .)
      .
      (unit . (identifier) @_throws .)
      (block) @body)
  ] @definition.function
  (#one-of? @_throws "throws"))
([
    (command
      (unit . (identifier) @_type .)
      .
      (block . (string) @name . (ERROR)? . "{" @body))
    (end_command
      (unit . (identifier) @_type .)
      .
      (block . (string) @name . (ERROR)? . "{" @body))
  ] @definition.function
  (#one-of? @_type "def" "void"))

; Behind an annotation with arguments the grammar loses the `def` in front of a name in quotes.
(block . (string) @name . (ERROR) . "{" @body) @definition.function

; A constructor.
([
    (command
      .
      (block . (unit . (func . (identifier) @name (arg_block)) .) . "{" @body))
    (end_command
      .
      (block . (unit . (func . (identifier) @name (arg_block)) .) . "{" @body))
  ] @definition.method
  (#not-prefix? @name
    "a" "b" "c" "d" "e" "f" "g" "h" "i" "j" "k" "l" "m" "n" "o" "p" "q" "r" "s" "t" "u" "v" "w" "x" "y" "z" "_"))

; Tasks of Gradle.
([
    (command
      .
      (unit . (identifier) @_task .)
      .
      [
        (unit . (identifier) @name .)
        (unit . (func . (identifier) @name))
        (block . (unit . (identifier) @name .) . "{" @body)
        (block . (unit . (func . (identifier) @name) .) . "{" @body)])
    (end_command
      .
      (unit . (identifier) @_task .)
      .
      [
        (unit . (identifier) @name .)
        (unit . (func . (identifier) @name))
        (block . (unit . (identifier) @name .) . "{" @body)
        (block . (unit . (func . (identifier) @name) .) . "{" @body)])
  ] @definition.function
  (#one-of? @_task "task"))
([
    (command
      (block . (unit
        .
        (identifier) @_tasks
        .
        (func . (identifier) @_register (arg_block . (string) @name))) . "{" @body))
    (end_command
      (block . (unit
        .
        (identifier) @_tasks
        .
        (func . (identifier) @_register (arg_block . (string) @name))) . "{" @body))
  ] @definition.function
  (#one-of? @_tasks "tasks")
  (#one-of? @_register "register" "create"))

; Constants, and variables of scripts.
([
    (command
      (unit . (identifier) @_static .)
      (unit . (identifier) @_final .)
      (unit . (identifier) @name .)
      .
      (operators))
    (end_command
      (unit . (identifier) @_static .)
      (unit . (identifier) @_final .)
      (unit . (identifier) @name .)
      .
      (operators))
  ] @definition.constant
  (#one-of? @_static "static")
  (#one-of? @_final "final"))
([
    (command
      (unit . (identifier) @_def .)
      .
      (unit . (identifier) @name .)
      .
      (operators)
      .
      (block))
    (end_command
      (unit . (identifier) @_def .)
      .
      (unit . (identifier) @name .)
      .
      (operators)
      .
      (block))
  ] @global.function
  (#one-of? @_def "def"))
([
    (command
      (unit . (identifier) @_def .)
      .
      (unit . (identifier) @name .)
      .
      (block . (operators)) @body)
    (end_command
      (unit . (identifier) @_def .)
      .
      (unit . (identifier) @name .)
      .
      (block . (operators)) @body)
  ] @global.function
  (#one-of? @_def "def"))
([
    (command
      (unit . (identifier) @_def .)
      .
      (unit . (identifier) @name .)
      .
      (operators) @_is)
    (end_command
      (unit . (identifier) @_def .)
      .
      (unit . (identifier) @name .)
      .
      (operators) @_is)
  ] @global.variable
  (#one-of? @_is "=")
  (#one-of? @_def "def" "final" "String" "int" "boolean" "List" "Map"))
(block) @scope

; References.
(func
  .
  (identifier) @reference
  (#none-of? @reference "if" "for" "while" "switch" "catch" "synchronized" "super" "this")) @_outer
(block
  .
  (unit (identifier) @reference .)
  (#none-of? @reference "static" "try" "finally" "else" "do")) @_outer
([
    (command . (unit (identifier) @reference .) . (string))
    (end_command . (unit (identifier) @reference .) . (string))
  ] @_outer)
([
    (command (unit . (identifier) @ignore .))
    (end_command (unit . (identifier) @ignore .))
  ] @_outer
  (#one-of? @ignore "static"))
(decorate (identifier) @reference) @_outer
(decorate (identifier) @ignore (#one-of? @ignore "interface")) @_outer
([
    (command
      .
      (unit . (identifier) @_import .)
      (unit (identifier) @reference .)
      .)
    (end_command
      .
      (unit . (identifier) @_import .)
      (unit (identifier) @reference .)
      .)
  ] @_outer
  (#one-of? @_import "import"))
(identifier) @reference.capital
