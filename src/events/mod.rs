//! Performance events: what can be told to a tool (GASP 1.5), the one list that headers, translator and tools are made from.

mod generate;
mod table;

pub use generate::{c_header, x_macros};
pub use table::{Arg, ArgKind, EVENTS, Event, Group, Shape, USER_EVENTS, find};
