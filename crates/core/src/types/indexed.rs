//! The macro behind every enum that counts from zero.

/// Declares a field-less enum whose variants count from zero, with `ALL` and `from_index`.
///
/// `from_index` is a match, which the optimiser turns into plain arithmetic: no `unsafe` needed.
macro_rules! indexed_enum {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $name { $($(#[$variant_meta])* $variant),* }

        impl $name {
            /// Every value, in index order.
            pub const ALL: [Self; [$(Self::$variant),*].len()] = [$(Self::$variant),*];

            /// The value with this index, if there is one.
            #[inline]
            pub const fn from_index(index: u8) -> Option<Self> {
                match index {
                    $(index if index == Self::$variant as u8 => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}
