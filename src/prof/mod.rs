//! `upcprof`: reads what the bundled measurement library wrote and shows it.
//!
//! `model` is what a recording says; everything that shows or exports one depends on it alone, never on the bytes.

pub mod export;
pub mod format;
pub mod kinds;
pub mod memory;
pub mod model;
