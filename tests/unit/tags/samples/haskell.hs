{-# LANGUAGE GADTs, TypeFamilies #-}
-- | Shapes of a small drawing.
module Shapes.Core
  ( Shape (..)
  , area
  ) where

import qualified Data.Map.Strict as Map
import Data.List (sortBy, foldl')
import Prelude hiding (lookup)

infixl 6 |+|

-- | A shape.
data Shape a
  = Circle { radius :: a, centre :: Point }
  | Square a
  | a :*: a
  deriving (Show, Eq)

data a :+: b = L a | R b

data Void

newtype Wrap f a = Wrap { unWrap :: f a }

type Name = String
type family Elem c
type instance Elem [e] = e

data Expr :: Type -> Type where
  Lit :: Int -> Expr Int
  Add :: Expr Int -> Expr Int -> Expr Int

class (Eq a) => HasArea a where
  type Unit a
  area :: a -> Double
  perimeter, girth :: a -> Double
  perimeter _ = defaultPerimeter

instance HasArea (Shape Double) where
  area (Circle r _) = circleArea r
  area (Square s) = s * s

deriving instance Ord Void

pattern Zero :: Int
pattern Zero = 0

foreign import ccall "math.h sin" c_sin :: Double -> Double

limit :: Int
limit = 10

lookup :: Ord k => k -> Map.Map k v -> Maybe v
lookup k m = Map.lookup k m

fact 0 = 1
fact n
  | n < 0 = error "fake = 1"
  | otherwise = n * fact (n - 1)

(|+|) :: Int -> Int -> Int
a |+| b = combine a b

x <+> y = merge x y

(first, second) = splitPair pair

größe xs = sum (map länge xs)
  where
    hidden y = scale y
    other = 3

run :: IO ()
run = do
  let n = limit
  line <- getLine
  mapM_ (print . Shapes.parse) (words line)
  case parseShape line of
    Left e -> throwIO (BadShape e)
    Right s -> print $ area s `seq` n
  print =<< traverse render [Square n]
{- block
fake z = 1
-}

main :: IO ()
main = run >> exitWith ExitSuccess
