; What Racket's reader adds to Scheme.
(syntax) @quoted
(quasisyntax) @quoted
(sexp_comment) @quoted
