//! Jobs whose threads wait: the report on where they are, the end of the job by a deadlock, and no end for any other
//! wait.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::faults::Programs;
use super::faults_mpi::{Ends, WIDTHS, set_up};
use super::test::Test;
use crate::context::{Context, RUN};
use crate::process;
use crate::report::Tally;

/// How a name in `ends.upc` must end on three threads.
struct Wait {
    end: &'static str,
    /// Options of upcrun.
    options: &'static [&'static str],
    status: i32,
    /// Texts on standard error; empty: nothing is printed.
    says: &'static [&'static str],
}

const fn wait(
    end: &'static str,
    options: &'static [&'static str],
    status: i32,
    says: &'static [&'static str],
) -> Wait {
    Wait {
        end,
        options,
        status,
        says,
    }
}

#[rustfmt::skip] // one row per line
const WAITS: &[Wait] = &[
    wait("deadlock", &[], 1, &["no thread can continue", "the job is ended", "upc thread 0 of 3: ", "waits in upc_barrier 7 (thread 2 has not arrived)", "upc thread 2 of 3: ", "waits in upc_lock"]),
    wait("deadlock", &["-freeze-on-error", "-timeout", "8"], 124, &["no thread can continue", "the job waits for a debugger (gdb -p "]),
    wait("in_lock", &["-timeout", "3"], 124, &["the time limit of 3 s has expired", "upc thread 0 of 3: ", "upc thread 1 of 3: ", "waits in upc_lock", "upc thread 2 of 3: ", "(forever): "]),
    wait("ended_by_pthread", &[], 6, &["the job continues, because pthreads of the program may"]),
    wait("ended_by_child", &[], 6, &["the job continues, because processes that it has started may"]),
    wait("ended_by_orphan", &[], 6, &["the job continues, because processes that it has started may"]),
    wait("ended_by_alarm", &[], 6, &["the job continues, because its timers may"]),
    wait("ended_by_timer", &[], 6, &["the job continues, because its timers may"]),
    wait("slow", &[], 0, &[]),
];

fn name(wait: &Wait, how: &str) -> String {
    format!("{} {}, {how}", wait.end, wait.options.join(" "))
}

fn meet(
    context: &Context,
    wait: &Wait,
    options: &[&str],
    folder: &Path,
    program: &Path,
) -> Result<(), String> {
    let mut upcrun = Command::new(&context.upcrun);
    upcrun.args(options).args(wait.options).args(["-n", "3"]);
    upcrun.arg(program).arg(wait.end);
    set_up(&mut upcrun, folder);
    let output = process::run(&mut upcrun, RUN)?;
    let said = output.err();
    if output.code() != Some(wait.status) {
        return Err(format!("status is not {}: {}", wait.status, output.tail()));
    }
    if wait.says.is_empty() && !process::program_lines(&said).trim().is_empty() {
        return Err(format!("something is said: {said}"));
    }
    match wait.says.iter().find(|text| !said.contains(**text)) {
        Some(text) => Err(format!("`{text}` is not said: {said}")),
        None => Ok(()),
    }
}

pub(super) fn here(
    context: &'static Context,
    work: &'static Path,
    programs: &Programs,
) -> Vec<Test> {
    let test = |wait: &'static Wait| {
        let (name, programs) = (name(wait, "here"), programs.clone());
        Test::new(name.clone(), move || {
            let program = programs.get(context, work, &name);
            Tally::one(
                &name,
                program.and_then(|it| meet(context, wait, &[], work, it)),
            )
        })
    };
    WAITS.iter().map(test).collect()
}

pub(super) fn over_messages(ends: &Ends, folder: &'static Path) -> Vec<Test> {
    let cases = WAITS
        .iter()
        .flat_map(|wait| WIDTHS.iter().map(move |width| (wait, *width)));
    let test = |(wait, width): (&'static Wait, &'static [&'static str])| {
        let name = name(wait, &format!("{} {}", ends.wire.name, width.join(" ")));
        ends.test(&name.clone(), move |ends| {
            let verdict = ends.get().map(PathBuf::from);
            let verdict = verdict.and_then(|it| meet(ends.context, wait, width, folder, &it));
            Tally::one(&name, verdict)
        })
    };
    cases.map(test).collect()
}
