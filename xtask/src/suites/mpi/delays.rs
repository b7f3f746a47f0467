//! Programs on three machines of which one sends late: it comes after what the others have sent later.

use std::path::Path;
use std::time::Duration;

use super::{Machines, ON_HOSTS, host_test};
use crate::context::{COMPILE, Context, RUN};
use crate::hosts::{Hosts, MACHINES};
use crate::process;
use crate::report::Tally;
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
        .chain([collected_writes(context, work, &machines)])
        .collect()
}

/// A program that sorts keys: each thread writes runs of them to each thread.
const SORT: &str = "samples/bench/is/naive.upc";
/// Puts of a thread that make all its writes: 8 or 9 of 64 KB for each of two threads and ten steps, and some of other arrays.
const PUTS_MOST: u64 = 500;

/// Returns the test that as many writes are collected where a put takes long as elsewhere.
fn collected_writes(context: &'static Context, work: &'static Path, machines: &Machines) -> Test {
    let (name, hosts) = ("delays::collected writes", machines.hosts.clone());
    let delays = machines.delays;
    Test::new(name, move || {
        match hosts.get(|| Hosts::up_with_delays(context, delays)) {
            Err(why) => Tally::skipped(name, &why),
            Ok(hosts) => Tally::one(name, are_collected(context, work, hosts)),
        }
    })
}

fn are_collected(context: &Context, work: &Path, hosts: &Hosts) -> Result<(), String> {
    let program = work.join("collected-writes");
    let mut upcc = context.upcc("gcc");
    upcc.args(["-O", "-network=mpi", "-DPER=400000", "-o"]);
    upcc.arg(&program).arg(context.root.join(SORT));
    process::must(&mut upcc, COMPILE)?;
    let mut upcrun = hosts.upcrun();
    upcrun.args(["-n", "3", "-cache=on", "-cache-stats"]);
    let output = process::must(upcrun.arg(&program), RUN)?;
    let text = output.err();
    let puts = text.lines().filter_map(|line| {
        let (_, number) = line.strip_suffix(" puts")?.rsplit_once(", ")?;
        number.parse::<u64>().ok()
    });
    let puts: Vec<u64> = puts.collect();
    match puts.len() == 3 && puts.iter().all(|it| *it <= PUTS_MOST) {
        true => Ok(()),
        false => Err(format!("{puts:?} puts: {}", output.tail())),
    }
}
