//! `upcprof predict --simulate`: replays a trace on the costs of a platform, also with more threads than were recorded.
//!
//! ```text
//! Recording --script--> Scripts (what each recorded thread does, in order) --+
//! Work, Target, Changes --predict::Scales--> costs and growth of each line --+-> engine -> Simulation
//! ```
//!
//! It adds to the model what sums cannot show: threads that wait for the memory of the same thread, for the link of a
//! machine, for a lock, and for each other at barriers.

mod engine;
mod script;
#[cfg(test)]
mod tests;

pub use engine::{Machine, Simulation, Step, run};
pub use script::{Script, Scripts};
