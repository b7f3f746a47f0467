//! Performance events: the list of events that can be reported to a tool (GASP 1.5), from which headers, translator and
//! tools are built.

mod calls;
mod generate;
mod inst_calls;
mod select;
mod table;

pub use calls::{CALLS, Call};
pub use generate::{c_header, index_header, markdown, pupc_header, x_macros};
pub use inst_calls::inst_calls_header;
pub use select::{EventSet, Instrument};
pub use table::{Arg, ArgKind, EVENTS, Event, Group, Shape, USER_EVENTS, find};
