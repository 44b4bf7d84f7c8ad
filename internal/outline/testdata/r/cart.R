#' Totals a cart.
#' commented <- function(x) 1
total <- function(cart, rate = 1) {
  local <- function(x) x
  lapply(cart, FUN = function(i) i)
  text <- "
in_text <- function() 1
"
  raw <- r"(in_raw <- "function")"
}

as.cart = function(x) UseMethod("as.cart")
`%then%` <- function(a, b) b
short <- \(x) x + 1
limit <- 10

Cart <- R6::R6Class("Cart",
  public = list(
    items = NULL,
    initialize = function(items) {
      helper = function(x) x
      self$items <- items
    },
    add = function(x) invisible(self)
  ),
  private = list(
    check = function() TRUE
  )
)

setClass("Point", representation(x = "numeric"))
setGeneric("area", function(shape) standardGeneric("area"))
setMethod("area", "Point", function(shape) 0)
