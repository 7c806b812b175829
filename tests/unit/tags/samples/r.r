# fake <- function(x) x
library(dplyr)
require("stats")
source("utils.R")

MAX_ITEMS <- 10
config = list(a = 1)
5 -> assigned

add <- function(a, b = default_b()) {
  local <- a + b
  inner <- function(z) z * 2
  result <- helper(inner(local))
  invisible(result)
}
mult = function(x, y) x * y
lambda <- \(x) x + 1
`my fun` <- function() NULL
`%+%` <- function(a, b) paste0(a, b)
"quoted" <- function() 1
names.cart <- function(x) x$names
global <<- function() 2
assign("dynamic", function() 1)

print.cart <- function(x, ...) {
  cat("fake2 <- function() 1\n")
  UseMethod("print")
}

setClass("Cart", representation(items = "list"), contains = "Base")
Person <- setClass("Person", slots = c(name = "character"))
setGeneric("price", function(obj, ...) standardGeneric("price"))
setMethod("price", "Cart", function(obj) sum_up(obj@items))
setRefClass("Account", fields = list(balance = "numeric"), methods = list(
  deposit = function(x) { balance <<- balance + x }
))
Stack <- R6Class("Stack",
  inherit = BaseStack,
  public = list(
    items = NULL,
    push = function(x) { self$items <- c(self$items, x); self$notify() },
    size = function() length(self$items)
  ),
  private = list(secret = function() 1)
)

x <- mtcars |> filter(mpg > 20) %>% summarise(n = dplyr::n())
if (interactive()) main()
f <- function(g) g(1)
sapply(1:3, function(i) twice(i))
größe <- function() 1
