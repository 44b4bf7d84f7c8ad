{-# LANGUAGE GADTs #-}
{- | A tree.
notThis :: Int {- nested -} still :: Comment
-}
module Data.Tree.Search
  ( Tree (..)
  , insert
  ) where

import qualified Data.Map as M

-- | The tree.
data Tree a
  = Leaf
  | Node { left :: Tree a, value :: a }
  deriving (Show)

newtype Parser a = Parser { runParser :: String -> a }
type Name = String
type family Elem c

class (Eq a) => Container f a where
  empty :: f a
  insertC, removeC :: a -> f a -> f a

instance Container Tree a where
  empty = Leaf

insert :: Ord a => a -> Tree a -> Tree a
insert x Leaf = Node Leaf x
insert x t
  | x < 1 = t
  where helper' y = y

foldl', foldr' :: Int
foldl' = 1
foldr' = '"' `seq` 2

noSignature x y = x --> y
