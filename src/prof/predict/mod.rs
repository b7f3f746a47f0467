//! `upcprof predict`: the time that a program takes on a platform, from a recording of a small run, from what the compiler
//! knows of its references, and from the platform's costs (chapters 6 and 7 of Zhang's thesis on MuPC).
//!
//! ```text
//! Recording + References -> Work (rows with counts of a thread, computation) --+
//! Platform + Changes (number of threads, sizes, what-if) -> Target ------------+-> predict -> Prediction -> text, JSON
//! ```
//!
//! A [`Work`] knows nothing of a platform, and a [`Target`] nothing of a program.

mod against;
mod blocks;
#[cfg(test)]
mod cache_tests;
mod costs;
mod lines;
mod model;
mod print;
mod shape;
mod sources;
#[cfg(test)]
mod tests;
mod turns;
mod what_if;
mod work;

pub use against::Against;
pub use blocks::Blocks;
pub use model::{Predicted, Prediction, Scale, Scales, Target, predict, scales};
pub use print::{Shown, json, text};
pub use sources::{Asked as SourcesAsked, references};
pub use what_if::{Change, Changes, parse, search};
pub use work::{Cause, Known, Place, Row, Work};
