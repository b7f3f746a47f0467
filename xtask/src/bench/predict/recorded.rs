//! Programs that are recorded, timed in turn, and predicted.

use super::costs::Costs;
use super::times::Timed;
use super::variants::Kind;
use super::{Form, Program, THREADS, compiled};
use crate::bench::LIMIT;
use crate::context::{read, write};
use crate::process;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How a program is compiled so that it can be recorded, and the option that records it.
pub(super) const PROFILE: (&str, &str) = ("--inst", "-profile");
pub(super) const TRACE: (&str, &str) = ("--inst-local", "-trace");

/// What is wanted of a program in the sizes of a form.
pub(super) struct Wanted<'a> {
    pub(super) program: Program,
    pub(super) form: Form<'a>,
    /// The flags of the program that is recorded.
    pub(super) sizes: Vec<&'a str>,
    pub(super) how: (&'static str, &'static str),
    /// The numbers of threads that are predicted, beside the recorded one.
    pub(super) more: &'static [usize],
    /// The variants that are ranked.
    pub(super) ranked: Vec<Kind>,
}

/// A program in the sizes of a form: recorded on two threads, and timed on two and more.
pub(super) struct Recorded<'a> {
    pub(super) wanted: Wanted<'a>,
    /// The program with the form, in names of files.
    name: String,
    /// The program that is timed.
    plain: PathBuf,
    file: PathBuf,
    /// The seconds of the runs on the recorded number of threads, and on more.
    few: Vec<f64>,
    more: Vec<Vec<f64>>,
}

impl<'a> Recorded<'a> {
    /// Compiles a program, and records it.
    pub(super) fn new(work: &Path, wanted: Wanted<'a>) -> Result<Recorded<'a>, String> {
        let (program, form) = (&wanted.program, &wanted.form);
        let (inst, record) = wanted.how;
        let compiled = |name: &str, flag: &str| {
            let flags = [wanted.sizes.as_slice(), &[flag]].concat();
            compiled(form, work, program, name, &flags)
        };
        let plain = compiled("plain", &form.silent())?;
        let instrumented = compiled("inst", inst)?;
        let name = format!("{}-{}", program.name, form.name);
        let file = work.join(format!("{name}.upcprof"));
        let options: Vec<&str> = [form.options, &[record]].concat();
        let mut upcrun = form.upcrun(THREADS, &instrumented, &options);
        upcrun
            .args(program.arguments)
            .env("UPC_MEASURE_FILE", &file);
        process::must(&mut upcrun, LIMIT)?;
        let more = wanted.more.iter().map(|_| Vec::new()).collect();
        Ok(Recorded {
            wanted,
            name,
            plain,
            file,
            few: Vec::new(),
            more,
        })
    }

    /// Runs the program once on each number of threads.
    pub(super) fn run(&mut self) -> Result<(), String> {
        let Wanted { program, form, .. } = &self.wanted;
        let how = (form.options, program.arguments);
        let run = |threads: usize| form.one_run(threads, &self.plain, how);
        self.few.push(run(THREADS)?);
        for (threads, times) in self.wanted.more.iter().zip(&mut self.more) {
            times.push(run(*threads)?);
        }
        Ok(())
    }

    /// The times on more threads.
    pub(super) fn more(&self) -> Vec<Timed> {
        self.more.iter().cloned().map(Timed::new).collect()
    }

    /// The command that predicts the program, without changes.
    fn command(&self, costs: &Costs) -> Command {
        let Wanted { program, form, .. } = &self.wanted;
        let mut upcprof = Command::new(&form.context.upcprof);
        upcprof.arg("predict");
        for file in costs.files() {
            upcprof.arg("--platform").arg(file);
        }
        let seconds = Timed::new(self.few.clone()).seconds;
        upcprof
            .args(["--time", &seconds.to_string()])
            .arg(format!("--upcc-flags={}", self.wanted.sizes.join(" ")));
        if program.weak {
            upcprof.arg("--weak");
        }
        upcprof.arg(&self.file);
        upcprof
    }

    /// Leaves the command, the times of all runs and of changes in the folder: whoever wants to know why a prediction is wrong goes on
    /// from there.
    pub(super) fn keep(
        &self,
        work: &Path,
        costs: &Costs,
        times: &[(String, f64, f64)],
    ) -> Result<(), String> {
        let mut text = format!("{:?}\n", self.command(costs));
        let numbers = [THREADS]
            .into_iter()
            .chain(self.wanted.more.iter().copied());
        for (threads, runs) in numbers.zip([&self.few].into_iter().chain(&self.more)) {
            text += &format!("runs on {threads} threads: {runs:?}\n");
        }
        for (change, predicted, measured) in times {
            text += &format!("{change} {predicted:.4} {measured:.4}\n");
        }
        let file = work.join(format!("{}.txt", self.name));
        let before = if file.exists() {
            read(&file)?
        } else {
            String::new()
        };
        write(&file, &(before + &text))
    }

    /// The predicted seconds of each change.
    pub(super) fn predict(&self, costs: &Costs, changes: &[String]) -> Result<Vec<f64>, String> {
        let mut upcprof = self.command(costs);
        for change in changes {
            upcprof.args(["--what-if", change]);
        }
        let output = process::must(upcprof.args(["--format", "json"]), LIMIT)?;
        let all: serde_json::Value =
            serde_json::from_str(&output.out()).map_err(|e| format!("upcprof predict: {e}"))?;
        let times = all["what_if"].as_array().into_iter().flatten();
        let times: Vec<f64> = times
            .filter_map(|it| Some(it["time_ns"].as_f64()? / 1e9))
            .collect();
        match times.len() == changes.len() {
            true => Ok(times),
            false => Err("upcprof predict: a time is missing".to_owned()),
        }
    }
}
