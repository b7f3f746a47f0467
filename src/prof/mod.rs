//! `upcprof`: reads and shows the files that the bundled measurement library wrote.
//!
//! `model` defines the contents of a recording. All views and exports depend on the model alone, never on the bytes.
//! `format` has the codes of the byte format, `reader` reads a recording from files, `memory` is one built in memory.
//! `loops` adds the loops of the user to call paths. `kinds` defines the kinds of events, `groups` what is the same for all of a group, `pairs` matches starts and ends, `compute` makes a profile from events.
//! `baseline` is what operations cost on a platform, `analyze` says why a program is slow, `report` shows a recording in one page. `runs` compares several recordings, `top` shows a run that is under way.
//! `ratios` divides counters. `select` is the user's selection, `names` and `printf` format values; `dump`, `stat` and `profile` are views,
//! `table` writes them, `output` is the destination, `export` has the formats of other tools; `cli` is the command
//! line.

pub mod analyze;
pub mod baseline;
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
pub mod groups;
pub mod head;
pub mod kinds;
pub mod limits;
pub mod loops;
pub mod memory;
pub mod model;
pub mod names;
pub mod pairs;
pub mod predict;
pub mod printf;
pub mod processors;
pub mod profile;
pub mod ratios;
pub mod reader;
pub mod report;
pub mod roles;
pub mod runs;
pub mod select;
pub mod simulate;
pub mod source;
pub mod stat;
pub mod table;
pub mod top;
pub mod window;
#[cfg(test)]
mod writer;
