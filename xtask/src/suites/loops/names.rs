//! What the names in scope stand for, so that each use of one is within the bounds of an array, whatever an inner declaration hides.

use crate::rng::Rng;

/// An array that is read, with the function of `loops.h` that stands for it.
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

    /// The type of a pointer to an element, without `*`; `None` where an element is a row.
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

    /// It has `LEN * THREADS` elements in one dimension.
    pub fn is_long(self) -> bool {
        match self {
            Array::Cyclic | Array::Fours | Array::Sevens | Array::Cells => true,
            Array::Table | Array::Single | Array::Rows => false,
        }
    }

    /// Behind the element: the member that is read.
    pub fn member(self, rng: &mut Rng) -> &'static str {
        match self {
            Array::Cells => [".x", ".bits", ".y"][rng.below(3)],
            _ => "",
        }
    }
}

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// An integer from 0 to this one.
    Int(i64),
    /// An index of a long array.
    Index,
    /// What a loop around counts to; its body may lower it.
    Bound,
    /// A private array of so many elements: for `sizeof`.
    Sized(i64),
    /// A pointer with so many elements behind the one that it points at.
    Pointer(Array, i64),
}

/// Few, so that inner declarations hide outer ones.
pub const NAMES: [&str; 6] = ["i", "j", "k", "n", "p", "q"];

/// The names in scope, innermost last.
#[derive(Default)]
pub struct Scopes {
    names: Vec<(&'static str, Meaning)>,
    /// Where each block that is open begins.
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

    /// A name that the innermost block has not declared.
    pub fn fresh(&self, rng: &mut Rng) -> Option<&'static str> {
        let begin = self.blocks.last().copied().unwrap_or(0);
        let is_free = |name: &&str| !self.names[begin..].iter().any(|(n, _)| n == name);
        let free: Vec<&'static str> = NAMES.iter().copied().filter(is_free).collect();
        (!free.is_empty()).then(|| *rng.pick(&free))
    }

    /// The names that nothing hides, of those that `wanted` takes.
    pub fn visible<T>(&self, wanted: impl Fn(&'static str, Meaning) -> Option<T>) -> Vec<T> {
        let hidden = |at: usize, name: &str| self.names[at + 1..].iter().any(|(n, _)| *n == name);
        let all = self.names.iter().enumerate();
        all.filter(|(at, (name, _))| !hidden(*at, name))
            .filter_map(|(_, &(name, meaning))| wanted(name, meaning))
            .collect()
    }
}
