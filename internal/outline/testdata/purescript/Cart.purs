module Shop.Cart where

import Prelude

-- total :: commented
data Kind = Food | Toy

newtype Cart = Cart { items :: Array Int }

type Items = Array Int

class Priced a where
  price :: a -> Int

total :: Cart -> Int
total (Cart c) = sum c.items

plain x = x
