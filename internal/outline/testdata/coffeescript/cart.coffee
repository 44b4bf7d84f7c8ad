# total = (x) -> commented
###
inBlock = -> 1
###
class Cart extends Base
  constructor: (@items) ->
    inner = (x) -> x

  total: ->
    "text = (x) ->"

  @create: (items) => new Cart items

discount = (cart, rate = 0.1) ->
  local = -> 1
  cart.total() * rate

module.exports = class Shop
  open: -> true
