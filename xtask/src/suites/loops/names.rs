//! The meanings of the names in scope, so that each use of a name is within the bounds of an array, whatever an inner
//! declaration hides.

use crate::rng::Rng;

/// An array that is read, with the function of `loops.h` that corresponds to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Array {
    Cyclic,
    Fours,
    Sevens,
    Cells,
    Table,
    Single,
    Rows,
}

impl Array {
    pub const ALL: [Array; 7] = [
        Array::Cyclic,
        Array::Fours,
        Array::Sevens,
        Array::Cells,
        Array::Table,
        Array::Single,
        Array::Rows,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Array::Cyclic => "cyclic",
            Array::Fours => "fours",
            Array::Sevens => "sevens",
            Array::Cells => "cells",
            Array::Table => "table",
            Array::Single => "single",
            Array::Rows => "rows",
        }
    }

    /// Returns the type of a pointer to an element, without `*`; `None` if an element is a row.
    pub fn pointee(self) -> Option<&'static str> {
        match self {
            Array::Cyclic => Some("shared int"),
            Array::Fours => Some("shared [4] int"),
            Array::Sevens => Some("shared [7] int"),
            Array::Cells => Some("shared [5] struct cell"),
            Array::Single | Array::Rows => Some("shared [] int"),
            Array::Table => None,
        }
    }

    /// Returns whether it has `LEN * THREADS` elements in one dimension.
    pub fn is_long(self) -> bool {
        match self {
            Array::Cyclic | Array::Fours | Array::Sevens | Array::Cells => true,
            Array::Table | Array::Single | Array::Rows => false,
        }
    }

    /// Returns the member that is read, to append to the element.
    pub fn member(self, rng: &mut Rng) -> &'static str {
        match self {
            Array::Cells => [".x", ".bits", ".y"][rng.below(3)],
            _ => "",
        }
    }
}

/// The meaning of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// An integer from 0 to this one.
    Int(i64),
    /// An index of a long array.
    Index,
    /// The bound of an enclosing loop; the loop's body may lower it.
    Bound,
    /// A private array with this number of elements, for `sizeof`.
    Sized(i64),
    /// A pointer, with the number of elements after the one that it points at.
    Pointer(Array, i64),
}

/// There are few, so that inner declarations hide outer ones.
pub const NAMES: [&str; 6] = ["i", "j", "k", "n", "p", "q"];

/// The names in scope, innermost last.
#[derive(Default)]
pub struct Scopes {
    names: Vec<(&'static str, Meaning)>,
    /// The start of each open block.
    blocks: Vec<usize>,
}

impl Scopes {
    pub fn open(&mut self) {
        self.blocks.push(self.names.len());
    }

    pub fn close(&mut self) {
        let begin = self.blocks.pop().unwrap_or(0);
        self.names.truncate(begin);
    }

    pub fn declare(&mut self, name: &'static str, meaning: Meaning) {
        self.names.push((name, meaning));
    }

    /// Returns a name that the innermost block has not declared.
    pub fn fresh(&self, rng: &mut Rng) -> Option<&'static str> {
        let begin = self.blocks.last().copied().unwrap_or(0);
        let is_free = |name: &&str| !self.names[begin..].iter().any(|(n, _)| n == name);
        let free: Vec<&'static str> = NAMES.iter().copied().filter(is_free).collect();
        (!free.is_empty()).then(|| *rng.pick(&free))
    }

    /// Returns the visible names that `wanted` accepts.
    pub fn visible<T>(&self, wanted: impl Fn(&'static str, Meaning) -> Option<T>) -> Vec<T> {
        let hidden = |at: usize, name: &str| self.names[at + 1..].iter().any(|(n, _)| *n == name);
        let all = self.names.iter().enumerate();
        all.filter(|(at, (name, _))| !hidden(*at, name))
            .filter_map(|(_, &(name, meaning))| wanted(name, meaning))
            .collect()
    }
}
