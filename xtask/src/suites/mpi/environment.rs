//! Variables of the environment on three machines that get none by themselves, as over ssh: those that are not the
//! shell's own travel, and those that `upcrun -E` names. `upcrun -t` does not say of the list of machines that it has no
//! effect.

use std::path::Path;
use std::process::Command;

use crate::context::{COMPILE, Context, RUN, write};
use crate::hosts::Hosts;
use crate::process;
use crate::report::Tally;
use crate::suites::test::{Shared, Test};

const PROGRAM: &str = "#include <stdio.h>
#include <stdlib.h>
#include <upc.h>
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        printf(\"%s is %s\\n\", argv[i], getenv(argv[i]) != NULL ? getenv(argv[i]) : \"not there\");
    return 0;
}
";
/// A value with characters that launchers and shells treat in special ways.
const INPUT: &str = "a;b \"c\" $d, e=f";
const THREADS: usize = 3;

/// Options of upcrun, a variable, its value, and how many of the threads, each on its machine, must have it.
const CASES: &[(&[&str], &str, &str, usize)] = &[
    (&[], "MY_INPUT", INPUT, THREADS),
    // Thread 0 is on upcrun's own machine.
    (&[], "DISPLAY", ":7", 1),
    (&["-E", "DISPLAY"], "DISPLAY", ":7", THREADS),
    // MPI's launcher has another one.
    (&[], "TMPDIR", "/tmp", THREADS),
];

pub fn test(context: &'static Context, work: &'static Path, hosts: &Shared<Hosts>) -> Test {
    let (name, hosts) = ("environment on three machines", hosts.clone());
    Test::new(name, move || match hosts.get(|| Hosts::up(context)) {
        Err(why) => Tally::skipped(name, &why),
        Ok(hosts) => Tally::one(name, all(context, work, hosts)),
    })
}

fn all(context: &Context, work: &Path, hosts: &Hosts) -> Result<(), String> {
    let (source, program) = (work.join("environment.upc"), work.join("environment"));
    write(&source, PROGRAM)?;
    let mut upcc = context.upcc("gcc");
    upcc.args(["-network=mpi", "-o"]).arg(&program).arg(&source);
    process::must(&mut upcc, COMPILE)?;
    let mut shown = hosts.upcrun();
    shown.args(["-t", "-n", &THREADS.to_string()]).arg(&program);
    let shown = process::must(&mut shown, RUN)?;
    if shown.err().contains("no effect here") || !shown.err().contains("10.99.0.1") {
        return Err(format!("upcrun -t on three machines: {}", shown.tail()));
    }
    CASES.iter().try_for_each(|&(options, name, value, count)| {
        let mut upcrun: Command = hosts.bare_upcrun();
        upcrun.args(options).args(["-n", &THREADS.to_string()]);
        upcrun.arg(&program).arg(name).env(name, value);
        let output = process::must(&mut upcrun, RUN)?;
        let line = format!("{name} is {value}");
        match output.out().lines().filter(|it| *it == line).count() {
            found if found == count => Ok(()),
            _ => Err(format!("not {count} times `{line}`: {}", output.tail())),
        }
    })
}
