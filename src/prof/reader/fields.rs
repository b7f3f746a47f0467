//! Fields of the blocks RUN, THREAD and END.

use crate::prof::format::{Field, varint};

/// Iterates over the fields of a payload in order; skips those that this version does not know. Ends early at invalid
/// bytes.
pub struct Fields<'b>(pub &'b [u8]);

/// A value, read as a number or a text depending on its field.
#[derive(Clone, Copy)]
pub struct Value<'b>(&'b [u8]);

impl Value<'_> {
    /// Returns the value as a number; 0 if it is not one.
    pub fn number(self) -> u64 {
        let mut bytes = self.0;
        varint(&mut bytes).unwrap_or(0)
    }

    /// Returns the value as a number that fits 32 bits.
    pub fn small(self) -> u32 {
        u32::try_from(self.number()).unwrap_or(u32::MAX)
    }

    /// Returns the value as a text.
    pub fn text(self) -> String {
        String::from_utf8_lossy(self.0).into_owned()
    }
}

impl<'b> Iterator for Fields<'b> {
    type Item = (Field, Value<'b>);

    fn next(&mut self) -> Option<(Field, Value<'b>)> {
        loop {
            let field = varint(&mut self.0)?;
            let length = usize::try_from(varint(&mut self.0)?).ok()?;
            let (value, rest) = self.0.split_at_checked(length)?;
            self.0 = rest;
            if let Some(field) = Field::from_code(field) {
                return Some((field, Value(value)));
            }
        }
    }
}
