//! Tasks for maintainers: `cargo xtask test` tests whether the project is correct, `cargo xtask bench` measures its
//! speed.
//!
//! The suites that run the built `upcc` are also tests of `cargo test` and `cargo nextest run`, through
//! `tests/suites.rs`.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "what runs from a command line prints its answer"
)]

pub mod bench;
mod browser;
pub mod context;
#[path = "../../tests/common/fences.rs"]
mod fences;
pub mod fuzz;
pub mod hosts;
pub mod language_client;
pub mod mutate;
pub mod package;
mod process;
mod relay;
pub mod report;
#[path = "../../tests/common/rng.rs"]
mod rng;
pub mod suites;
pub mod tools;
