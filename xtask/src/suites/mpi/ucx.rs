//! The programs of the suite and the conformance suite over UCX (`-network=ucx`). What carries the messages differs, the
//! runtime above it does not: so a normal run takes a few, a long run all.

use std::path::Path;

use super::contract::{self, Wire};
use super::{Machines, host_test, on_hosts};
use crate::context::Context;
use crate::suites::forms::{self, Form, Group, Setting};
use crate::suites::plan::Plan;
use crate::suites::programs;
use crate::suites::test::Test;
use crate::tools::Need;

/// Returns a form of programs on one machine, with each thread alone.
const fn alone(name: &'static str, set: Setting) -> Form {
    Form {
        name,
        group: Group::Messages,
        cc: "gcc",
        flags: &["-O", forms::BY_UCX, "-pshm-width=1"],
        fixed: false,
        set,
        under: &[],
    }
}

static ALONE: &[Form] = &[
    alone("messages-ucx", &[("UPC_CACHE", "off")]),
    alone("messages-ucx-cache", &[("UPC_PSHM_DELAY", "1")]),
    // As between machines, but for their number.
    alone(
        "messages-ucx-tcp",
        &[("UPC_CACHE", "off"), ("UCX_TLS", "tcp")],
    ),
];

/// The machines share one system, so that UCX would take shared memory between them.
pub const TCP: Setting = &[("UCX_TLS", "tcp"), ("UCX_NET_DEVICES", "eth0")];

const FLAGS_ON_HOSTS: &[&str] = &["-O", forms::BY_UCX];

static ON_HOSTS: &[Form] = &[
    on_hosts(
        "hosts-ucx",
        FLAGS_ON_HOSTS,
        &[
            ("UPC_PSHM_WIDTH", "8"),
            ("UCX_TLS", "tcp"),
            ("UCX_NET_DEVICES", "eth0"),
        ],
    ),
    on_hosts(
        "hosts-ucx-apart",
        FLAGS_ON_HOSTS,
        &[
            ("UPC_PSHM_WIDTH", "1"),
            ("UPC_CACHE", "off"),
            ("UCX_TLS", "tcp"),
            ("UCX_NET_DEVICES", "eth0"),
        ],
    ),
];

/// A normal run takes this program, on three machines. The conformance suite runs on one.
const TAKEN: &str = "dies";

/// The contract's suite by UCX.
static BY_UCX: Wire = Wire {
    name: "ucx::",
    flag: forms::BY_UCX,
    on_hosts: TCP,
    needs: &[Need::OpenMpi, Need::Ucx],
    few: 1,
    few_ends: 0,
    few_on_hosts: false,
};

/// Returns the tests. plans: programs of `tests/mpi`, of `tests/litmus` and of other suites.
pub fn tests(
    context: &'static Context,
    work: &'static Path,
    machines: &Machines,
    plans: [&'static [Plan]; 3],
) -> Result<Vec<Test>, String> {
    let mut tests = contract::tests(context, work, &machines.hosts, &BY_UCX)?;
    for plan in plans.into_iter().flatten() {
        let fit: Vec<&'static Form> = ALONE.iter().filter(|form| plan.fits(form)).collect();
        if let Some(form) = forms::choose(&plan.name, &fit).filter(|_| context.long) {
            let cases = programs::cases(plan, form, context.long);
            tests.extend(
                cases
                    .into_iter()
                    .map(|case| programs::test(context, work, case)),
            );
        }
        if context.long || plan.name == TAKEN {
            tests.extend(host_test(context, work, plan, machines, ON_HOSTS));
        }
    }
    Ok(tests)
}
