//! The shared references of a program's loops, as `upcc --emit=refs` describes them: which pattern of Zhang's thesis on MuPC
//! each has, and how often it is made. `passes::references` finds them, and `upcprof predict` reads them.

pub mod formula;
mod print;

pub use formula::Formula;
use serde::{Deserialize, Serialize};

/// The references of a unit's loops.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct References {
    /// The loops that make shared accesses, in source order. An access is one of its innermost loop only.
    pub loops: Vec<Loop>,
    /// The functions and the loops, those without shared accesses as well: how often what is in their lines happens.
    #[serde(default)]
    pub regions: Vec<Region>,
    /// How many expressions a thread evaluates, on average, those of loops as often as these run; `None`: unknown.
    #[serde(default)]
    pub work: Option<Formula>,
}

impl References {
    /// Adds those of another unit of the program.
    pub fn extend(&mut self, other: References) {
        self.loops.extend(other.loops);
        self.regions.extend(other.regions);
        let both = self.work.take().zip(other.work.clone());
        self.work = match both {
            Some((a, b)) => a.plus(&b),
            None => other.work,
        };
    }
}

/// The lines of a function or of a loop.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Region {
    /// The file, as the compiler was given it.
    pub file: String,
    /// The first line.
    pub first: u32,
    /// The last line.
    pub last: u32,
    /// How often a thread calls the function or runs the loop, on average.
    pub count: Option<Formula>,
}

/// A loop.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Loop {
    /// The file, as the compiler was given it.
    pub file: String,
    /// The line of the loop.
    pub line: u32,
    /// `loop` or `upc_forall`.
    pub keyword: String,
    /// The loop variable; `None`: the loop does not count, or by a variable without name.
    pub variable: Option<String>,
    /// How often a thread runs it, on average.
    pub turns: Option<Formula>,
    /// Its references, in source order.
    pub references: Vec<Reference>,
    /// How many expressions a thread evaluates in it, on average, those of loops in it left out; `None`: unknown.
    #[serde(default)]
    pub work: Option<Formula>,
}

/// A reference.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Reference {
    /// The line.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// Its text.
    pub text: String,
    /// It reads, writes, or both.
    pub mode: Mode,
    /// Its pattern.
    pub class: Class,
    /// How it moves.
    pub transfer: Transfer,
    /// The declared array; `None`: a pointer leads there.
    pub array: Option<String>,
    /// Bytes of an access.
    pub bytes: u64,
    /// Block size in elements; 0: indefinite.
    pub block: u32,
    /// Bytes from one access to the next in the memory of the same thread; `None`: unknown.
    pub step: Option<u64>,
    /// The line of the loop around whose iterations touch the same elements again.
    pub again: Option<u32>,
    /// The iterations of that loop.
    #[serde(default)]
    pub repeats: Option<Formula>,
    /// How often it is made until the thread may synchronize.
    #[serde(default)]
    pub phase: Option<Formula>,
    /// Not each iteration makes it.
    pub maybe: bool,
    /// How often a thread makes it, on average; `None`: a profile must say it.
    pub count: Option<Formula>,
    /// References with the same number are one partition.
    pub partition: u32,
    /// References of the loop with the same number are read and written with one buffer; `None`: with none.
    #[serde(default)]
    pub buffer: Option<u32>,
}

/// Whether an access reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// It reads.
    Read,
    /// It writes.
    Write,
    /// It reads, then writes.
    ReadWrite,
}

/// The patterns of section 6.5 of the thesis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// Single accesses to elements anywhere.
    Baseline,
    /// Elements at a fixed distance in the memory of one thread, in a loop.
    Vector,
    /// Several accesses to elements close to each other, in one iteration.
    Coalesce,
    /// The thread's own memory.
    Local,
}

/// How a reference moves where memory is not mapped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Transfer {
    /// By itself.
    Single,
    /// By itself, in the order of the program.
    Strict,
    /// With those of neighbouring iterations, side by side.
    Strip,
    /// With those of other iterations, which are not side by side.
    Strided,
    /// With those of other iterations, which a subscript selects.
    Gather,
    /// Likewise, to be written.
    Scatter,
    /// Likewise, where the subscript is stepped each time, so that elements of a thread follow one another:
    /// `sorted[place[key]++]`.
    Append,
    /// Once for the loop: each iteration touches the same element.
    Once,
}

impl Mode {
    /// The words of the text.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Read => "read",
            Mode::Write => "write",
            Mode::ReadWrite => "read and write",
        }
    }
}

impl Class {
    /// The thesis's name.
    pub fn name(self) -> &'static str {
        match self {
            Class::Baseline => "baseline",
            Class::Vector => "vector",
            Class::Coalesce => "coalesce",
            Class::Local => "local",
        }
    }
}

impl Transfer {
    /// The words of the text.
    pub fn name(self) -> &'static str {
        match self {
            Transfer::Single => "one by one",
            Transfer::Strict => "one by one, strict",
            Transfer::Strip => "in strips",
            Transfer::Strided => "in strips with gaps",
            Transfer::Gather => "gathered",
            Transfer::Scatter => "collected by thread",
            Transfer::Append => "appended by thread",
            Transfer::Once => "once for the loop",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Formula, References};

    #[test]
    fn the_work_of_units_is_added() {
        let of = |work: &str| References {
            loops: Vec::new(),
            regions: Vec::new(),
            work: Some(Formula::name(work)),
        };
        let mut all = References::default();
        all.extend(of("N"));
        all.extend(of("N"));
        let work = all.work.map(|it| it.to_string());
        assert_eq!(work.as_deref(), Some("2*N"));
    }
}
