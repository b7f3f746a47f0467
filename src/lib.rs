//! The upcc compiler as a library.

pub mod cli;
pub mod diag;
pub mod driver;
pub mod emit;
pub mod events;
pub mod explain;
pub mod headers;
mod ids;
pub mod il;
pub mod lsp;
pub mod passes;
pub mod platform;
pub mod prof;
pub mod progress;
pub mod references;
mod rest;
pub mod sema;
pub mod target;
pub mod text;
pub mod translate;
pub mod types;
pub mod unit;
