//! Lists of numbers in the page: varints of seven bits (`format::put_varint`) in base64. `page/data.js` reads them.

use crate::prof::format::put_varint;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Serialize, Serializer};

/// A list of numbers, written as text.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Numbers(Vec<u8>);

impl Numbers {
    /// Appends a number. The page's numbers are exact up to 2^53, which is 104 days in nanoseconds.
    pub fn push(&mut self, number: u64) {
        put_varint(&mut self.0, number);
    }

    /// Returns the size in bytes, before base64 adds a third.
    pub fn bytes(&self) -> usize {
        self.0.len()
    }

    /// Returns the numbers.
    #[cfg(test)]
    pub fn list(&self) -> Vec<u64> {
        let mut list = Vec::new();
        let (mut number, mut shift) = (0u64, 0);
        for byte in &self.0 {
            number |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                list.push(number);
                (number, shift) = (0, 0);
            }
        }
        list
    }
}

impl FromIterator<u64> for Numbers {
    fn from_iter<I: IntoIterator<Item = u64>>(numbers: I) -> Numbers {
        let mut list = Numbers::default();
        numbers.into_iter().for_each(|number| list.push(number));
        list
    }
}

impl Serialize for Numbers {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&STANDARD.encode(&self.0))
    }
}
