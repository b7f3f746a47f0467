//! Programs on three machines of which one is far away: what it sends comes after what the others have sent later.

use std::path::Path;
use std::time::Duration;

use super::{Machines, ON_HOSTS, host_test};
use crate::context::Context;
use crate::hosts::MACHINES;
use crate::suites::plan::Plan;
use crate::suites::test::{Shared, Test};

/// By how much what each machine sends is late: a hundred times what a message takes otherwise.
const DELAYS: [Duration; MACHINES] = [Duration::ZERO, Duration::ZERO, Duration::from_millis(5)];
/// A normal run takes this program.
const TAKEN: &str = "asynchronous";
/// Programs that no run takes. They would run for minutes: they make thousands of accesses one after another, or want a lock
/// thousands of times.
const SLOW: &[&str] = &["lock_order", "oracle"];

/// Returns the tests. plans: programs of `tests/mpi`.
pub fn tests(context: &'static Context, work: &'static Path, plans: &'static [Plan]) -> Vec<Test> {
    let machines = Machines {
        name: "delays::",
        delays: DELAYS,
        hosts: Shared::default(),
    };
    plans
        .iter()
        .filter(|plan| plan.name == TAKEN || context.long && !SLOW.contains(&plan.name.as_str()))
        .filter_map(|plan| host_test(context, work, plan, &machines, ON_HOSTS))
        .collect()
}
