//! `upcprof`: reads what the bundled measurement library wrote and shows it.
//!
//! `model` is what a recording says; everything that shows or exports one depends on it alone, never on the bytes. `format` has the bytes' codes,
//! `reader` makes a recording of them, `memory` is one without a file. `kinds` knows the events, `pairs` brings starts and ends together,
//! `compute` makes a profile of events. `select` is what the user wants to see, `names` and `printf` how values are spelled; `dump`, `stat` and
//! `profile` are views, `table` writes them, `output` is where to, `export` has those of other tools; `cli` is the command line.

pub mod cli;
#[cfg(test)]
mod cli_tests;
pub mod compute;
#[cfg(test)]
mod damaged_tests;
pub mod dump;
pub mod estimate;
pub mod export;
#[cfg(test)]
mod fixture;
pub mod format;
#[cfg(test)]
mod format_tests;
pub mod head;
pub mod kinds;
pub mod limits;
pub mod memory;
pub mod model;
pub mod names;
pub mod output;
pub mod pairs;
pub mod printf;
pub mod profile;
pub mod reader;
pub mod select;
pub mod source;
pub mod stat;
pub mod table;
#[cfg(test)]
mod writer;
