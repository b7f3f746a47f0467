//! Programs that exchange messages by MPI: those of `tests/mpi` and of `tests/litmus` on this machine with each thread
//! treated as on a machine of its own, and, together with programs of other suites, on three machines simulated by
//! network namespaces; and the transport's conformance suite ([`contract`]) on both.
//!
//! A normal run takes two forms of each of this suite's own programs: the first on each number of threads, and one that
//! the name chooses on one.
//!
//! UCX carries the same messages: the same programs and the conformance suite run over it ([`ucx`]), nearly all of them
//! in a long run.
//!
//! On machines one of which is far away run the programs of [`delays`].
//!
//! Programs of the other suites have separate forms over messages. A long run takes all of them to the three machines;
//! a normal one takes one in [`HOSTS_SHARE`], chosen by a hash of its name.

mod contract;
mod delays;
mod environment;
mod launchers;
mod others;
mod placement;
mod ucx;

pub use ucx::TCP as UCX_ON_HOSTS;

use std::path::Path;
use std::time::Duration;

use super::forms::{self, Form, Group, Setting};
use super::litmus;
use super::plan::{Plan, Shows, plans};
use super::programs::{self, Case};
use super::test::{Shared, Test};
use crate::context::{Context, forever};
use crate::hosts::{Hosts, MACHINES};
use crate::report::Tally;
use crate::tools::Need;

/// The flags for threads that are each treated as alone on a machine.
pub const FLAGS: &[&str] = &[forms::MESSAGES, "-pshm-width=1"];
const THREADS: &[usize] = &[2, 3, 4];
/// One in this number of programs of the other suites runs on three machines.
const HOSTS_SHARE: u64 = 12;
/// Returns the number of threads, on three machines, of programs that run on any number. Threads that wait for messages
/// take processor time from the others, so that six take four times as long as four on two processors.
pub fn hosts_threads(context: &Context) -> usize {
    match context.long {
        true => 6,
        false => 4,
    }
}

/// Returns a form of programs on three machines.
const fn on_hosts(name: &'static str, flags: &'static [&'static str], set: Setting) -> Form {
    Form {
        name,
        group: Group::Messages,
        cc: "gcc",
        flags,
        fixed: false,
        set,
        under: &[],
    }
}

const BY_MPI_FLAGS: &[&str] = &["-O", forms::MESSAGES];

/// The threads of each machine together, or all apart, with a cache or without.
static ON_HOSTS: &[Form] = &[
    on_hosts("hosts", BY_MPI_FLAGS, &[("UPC_PSHM_WIDTH", "8")]),
    on_hosts(
        "hosts-apart",
        BY_MPI_FLAGS,
        &[("UPC_PSHM_WIDTH", "1"), ("UPC_CACHE", "off")],
    ),
    on_hosts(
        "hosts-cache",
        BY_MPI_FLAGS,
        &[("UPC_PSHM_WIDTH", "8"), ("UPC_CACHE", "on")],
    ),
    on_hosts(
        "hosts-apart-cache",
        BY_MPI_FLAGS,
        &[("UPC_PSHM_WIDTH", "1")],
    ),
];

/// Three machines that tests share.
struct Machines {
    /// The first part of the tests' names, with `::` at its end, or nothing.
    name: &'static str,
    /// By how much what each machine sends is late.
    delays: [Duration; MACHINES],
    hosts: Shared<Hosts>,
}

/// The contract's suite by MPI.
static BY_MPI: contract::Wire = contract::Wire {
    name: "",
    flag: forms::MESSAGES,
    on_hosts: &[],
    needs: &[Need::OpenMpi],
    few: 3,
    few_ends: 1,
    few_on_hosts: true,
};

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let work: &Path = forever(context.fresh("mpi")?).as_path();
    let own: &[Plan] = forever(plans(
        &context.root.join("tests/mpi"),
        THREADS,
        Shows::Pass,
    )?);
    let litmus: &[Plan] = forever(plans(
        &context.root.join(litmus::FOLDER),
        litmus::THREADS,
        Shows::Pass,
    )?);
    let others: &[Plan] = forever(others(context)?);

    let of_own = own.iter().flat_map(|plan| {
        let forms = forms::FORMS.iter().filter(|form| form.over_messages());
        let fit: Vec<&'static Form> = forms.filter(|form| plan.fits(form)).collect();
        let chosen = forms::choose(&plan.name, &fit).map(|form| form.name);
        let first = fit.first().map(|form| form.name);
        let is_taken =
            move |form: &&'static Form| context.long || [chosen, first].contains(&Some(form.name));
        fit.into_iter().filter(is_taken).flat_map(move |form| {
            match context.long || first == Some(form.name) {
                true => whole(plan, form),
                false => programs::cases(plan, form, false),
            }
        })
    });
    let of_litmus = litmus.iter().flat_map(|plan| {
        forms::chosen(&plan.name, context.long, |form| {
            form.group == Group::Messages && plan.fits(form)
        })
        .into_iter()
        .flat_map(|form| programs::cases(plan, form, context.long))
    });
    let mut tests: Vec<Test> = of_own
        .chain(of_litmus)
        .map(|case| programs::test(context, work, case))
        .collect();
    tests.extend(others::tests(context, work, own, others));
    tests.extend(placement::tests(context, work)?);

    let machines = Machines {
        name: "",
        delays: [Duration::ZERO; MACHINES],
        hosts: Shared::default(),
    };
    let hosts = &machines.hosts;
    let some = others
        .iter()
        .filter(|plan| forms::is_taken(&plan.name, HOSTS_SHARE, context.long));
    for plan in own.iter().chain(litmus).chain(some) {
        tests.extend(host_test(context, work, plan, &machines, ON_HOSTS));
    }
    tests.push(environment::test(context, work, hosts));
    tests.extend(launchers::tests(context, work));
    tests.extend(contract::tests(context, work, hosts, &BY_MPI)?);
    tests.extend(ucx::tests(context, work, &machines, [own, litmus, others])?);
    tests.extend(delays::tests(context, work, own));
    Ok(tests)
}

/// Returns the programs of the suites that do not test messages.
fn others(context: &Context) -> Result<Vec<Plan>, String> {
    let mut others = plans(&context.root.join("tests/programs"), THREADS, Shows::Pass)?;
    for program in &mut others {
        // Some have the same names as programs of this suite.
        program.name = format!("programs-{}", program.name);
    }
    others.extend(programs::library_plans(context, THREADS)?);
    others.extend(programs::sample_plans(context, THREADS)?);
    Ok(others)
}

/// Returns the case with every thread count.
fn whole(plan: &'static Plan, form: &'static Form) -> Vec<Case> {
    let runs = plan.threads.clone();
    match form.fixed {
        true => programs::cases(plan, form, true),
        false => vec![Case { plan, form, runs }],
    }
}

/// Returns the test of a program on three machines, in one of the forms that its name chooses; `None`: it is not suited
/// to them.
fn host_test(
    context: &'static Context,
    work: &'static Path,
    plan: &'static Plan,
    machines: &Machines,
    forms: &'static [Form],
) -> Option<Test> {
    let fit: Vec<&'static Form> = forms.iter().filter(|form| plan.fits(form)).collect();
    let form = *forms::choose(&plan.name, &fit)?;
    let threads = match plan.threads.len() {
        1 => plan.threads[0],
        _ => hosts_threads(context),
    };
    let case = Case {
        plan,
        form,
        runs: vec![threads],
    };
    let (hosts, delays) = (machines.hosts.clone(), machines.delays);
    let name = format!("{}{}::{}", machines.name, plan.name, form.name);
    Some(Test::new(name.clone(), move || {
        if let Some(why) = form.missing() {
            return Tally::skipped(&name, &why);
        }
        match hosts.get(|| Hosts::up_with_delays(context, delays)) {
            Err(why) => Tally::skipped(&name, &why),
            Ok(hosts) => Tally::one(
                &format!("{name} on {threads} threads"),
                programs::on_hosts(context, work, &case, hosts),
            ),
        }
    }))
}
