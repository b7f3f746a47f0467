//! Ids: numbers of entries in arenas. An arena is a `TiVec<Id, Entry>`, which only its own id indexes.

pub use typed_index_collections::TiVec;

/// Declares ids of 32 bits with the conversions that `TiVec` needs. No arena has 2^32 entries: its text would be longer
/// than a file can be (the lexer rejects texts of 4 GB).
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl From<usize> for $name {
            fn from(index: usize) -> $name {
                $name(index as u32)
            }
        }

        impl From<$name> for usize {
            fn from(id: $name) -> usize {
                id.0 as usize
            }
        }
    )*};
}
pub(crate) use ids;
