//! Arrays that can only be indexed by a chess type: colour, piece or square.

use std::ops::{Index, IndexMut};

use super::{Color, Piece, PieceType, Square};

macro_rules! indexed_map {
    ($(#[$meta:meta])* $name:ident by $index:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $name<T>([T; $index::ALL.len()]);

        impl<T> $name<T> {
            /// The map with these values, in index order.
            #[inline]
            pub const fn new(values: [T; $index::ALL.len()]) -> Self {
                Self(values)
            }

            /// The map whose value at each index is made by `make`.
            pub fn from_fn(mut make: impl FnMut($index) -> T) -> Self {
                Self($index::ALL.map(|index| make(index)))
            }

            /// Every index with its value.
            pub fn iter(&self) -> impl Iterator<Item = ($index, &T)> {
                $index::ALL.into_iter().zip(&self.0)
            }

            /// All values, to be changed.
            pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
                self.0.iter_mut()
            }
        }

        impl<T: Default> Default for $name<T> {
            fn default() -> Self {
                Self::from_fn(|_| T::default())
            }
        }

        impl<T> Index<$index> for $name<T> {
            type Output = T;

            #[inline]
            fn index(&self, index: $index) -> &T {
                &self.0[index as usize]
            }
        }

        impl<T> IndexMut<$index> for $name<T> {
            #[inline]
            fn index_mut(&mut self, index: $index) -> &mut T {
                &mut self.0[index as usize]
            }
        }
    };
}

indexed_map! {
    /// One value for each side.
    ColorMap by Color
}
indexed_map! {
    /// One value for each kind of piece.
    PieceTypeMap by PieceType
}
indexed_map! {
    /// One value for each piece with its colour.
    PieceMap by Piece
}
indexed_map! {
    /// One value for each square.
    SquareMap by Square
}
