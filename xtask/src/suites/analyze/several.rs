//! Views of several recordings, costs of the platform and predictions, with real programs: `upcprof diff`, `scale`,
//! `calibrate`, `predict` and `top`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::super::test::Test;
use crate::context::{COMPILE, Context, forever, read};
use crate::process;

const RUN: Duration = Duration::from_secs(120);
/// How often a test runs until other programs do not disturb it.
const ATTEMPTS: usize = 3;

/// What a test checks.
type Check = fn(&Bench) -> Result<(), String>;

const TESTS: &[(&str, Check)] = &[
    ("diff", diff),
    ("scale", scale),
    ("calibrate", calibrate),
    ("predict", predict),
    ("top", super::running::top_of),
];

/// Where the tests work.
pub(super) struct Bench {
    pub(super) context: &'static Context,
    pub(super) work: &'static Path,
}

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let of = |&(name, check): &(&'static str, Check)| {
        let bench = Bench {
            context,
            work: forever(context.fresh(&format!("analyze-{name}"))?).as_path(),
        };
        Ok(Test::one(format!("several::{name}"), move || {
            let mut last = Ok(());
            for _ in 0..ATTEMPTS {
                last = check(&bench);
                if last.is_ok() {
                    break;
                }
            }
            last
        }))
    };
    TESTS.iter().map(of).collect()
}

impl Bench {
    pub(super) fn compile(&self, source: &str, name: &str) -> Result<PathBuf, String> {
        let program = self.work.join(name);
        let mut upcc = self.context.upcc("gcc");
        upcc.args(["-O", "--inst-local", "-fno-upc-runs"])
            .arg(self.context.root.join("tests/analyze").join(source))
            .arg("-o")
            .arg(&program);
        process::must(&mut upcc, COMPILE)?;
        Ok(program)
    }

    /// Runs a program and returns its recording.
    fn record(&self, program: &Path, threads: u32, how: &str, run: u32) -> Result<PathBuf, String> {
        let recording = program.with_extension(format!("{threads}-{run}.upcprof"));
        let mut upcrun = Command::new(&self.context.upcrun);
        upcrun.args(["-n", &threads.to_string(), how, "-tracefile"]);
        let printed = process::must(upcrun.arg(&recording).arg(program), RUN)?.out();
        match printed.trim() {
            "PASS" => Ok(recording),
            _ => Err(format!("the program printed {printed:?}")),
        }
    }

    pub(super) fn json(
        &self,
        words: &[&str],
        files: &[PathBuf],
    ) -> Result<serde_json::Value, String> {
        let mut upcprof = Command::new(&self.context.upcprof);
        upcprof.args(words).args(["--format", "json"]).args(files);
        let text = process::must(&mut upcprof, RUN)?.out();
        serde_json::from_str(&text).map_err(|e| e.to_string())
    }
}

fn rows(json: &serde_json::Value) -> Result<&Vec<serde_json::Value>, String> {
    json["rows"]
        .as_array()
        .ok_or_else(|| "no rows in the JSON".to_owned())
}

/// The advice of a finding is tried: gets are gone, and lines that moved are the same lines.
fn diff(of: &Bench) -> Result<(), String> {
    const RUNS: u32 = 3;
    let (old, new) = (
        of.compile("single_gets.upc", "single")?,
        of.compile("several/bulk_gets.upc", "bulk")?,
    );
    let runs = |program: &Path| -> Result<Vec<PathBuf>, String> {
        (0..RUNS)
            .map(|run| of.record(program, 2, "-profile", run))
            .collect()
    };
    let files = [
        vec!["--before".into()],
        runs(&old)?,
        vec!["--after".into()],
        runs(&new)?,
    ];
    let json = of.json(&["diff"], &files.concat())?;
    let is_get = |row: &&serde_json::Value| row["before"]["event"] == "UPC_GET";
    let get = rows(&json)?
        .iter()
        .find(is_get)
        .ok_or("no row of the gets")?;
    // Beside other programs the difference may be noise.
    if !get["after"].is_null() || get["difference"] == "slower" {
        return Err(format!("the gets are not gone, or take longer: {get:#}"));
    }
    let is_new = |row: &&serde_json::Value| row["after"]["event"] == "UPC_MEMGET";
    let new = rows(&json)?
        .iter()
        .find(is_new)
        .ok_or("no row of the bulk transfer")?;
    // Both barriers moved, and are the same ones.
    let is_same = |row: &&serde_json::Value| {
        row["before"]["event"] == "UPC_BARRIER"
            && row["after"]["event"] == "UPC_BARRIER"
            && row["before"]["line"] != row["after"]["line"]
    };
    let barriers = rows(&json)?.iter().filter(is_same).count();
    match (&new["before"], barriers) {
        (serde_json::Value::Null, 2) => Ok(()),
        _ => Err(format!(
            "{barriers} barriers have moved, and not 2: {json:#}"
        )),
    }
}

/// The barrier in which all wait for one stops the scaling.
fn scale(of: &Bench) -> Result<(), String> {
    let source = of.context.root.join("tests/analyze/several/serial.upc");
    let text = read(&source)?;
    let barrier = text.lines().position(|line| line.trim() == "upc_barrier;");
    let barrier = barrier.ok_or("no barrier")? + 1;
    let program = of.compile("several/serial.upc", "serial")?;
    let files: Result<Vec<PathBuf>, String> = [1, 2]
        .map(|threads| of.record(&program, threads, "-trace", 0))
        .into_iter()
        .collect();
    let json = of.json(&["scale"], &files?)?;
    let efficiency = json["points"][1]["efficiency_percent"]
        .as_f64()
        .unwrap_or(0.0);
    // If the threads have no processor each, they wait in the other barrier as well.
    let mut worst = rows(&json)?.iter().take(2);
    match worst.any(|row| row["line"] == barrier as u64) && efficiency < 95.0 {
        true => Ok(()),
        false => Err(format!(
            "efficiency {efficiency:.1} %, and most is lost elsewhere: {json:#}"
        )),
    }
}

/// The costs of this machine: none is missing, and more bytes take longer.
fn calibrate(of: &Bench) -> Result<(), String> {
    let file = of.work.join("baseline.json");
    let mut upcprof = Command::new(&of.context.upcprof);
    upcprof.args(["calibrate", "-o"]).arg(&file);
    let printed = process::must(&mut upcprof, RUN)?.out();
    let json: serde_json::Value = serde_json::from_str(&read(&file)?).map_err(|e| e.to_string())?;
    let operations = json["operations"].as_array().ok_or("no operations")?;
    let cost = |event: &str, remote: serde_json::Value, bytes: u64| {
        let is_it = |it: &&serde_json::Value| {
            it["event"] == event && it["remote"] == remote && it["bytes"] == bytes
        };
        let it = operations
            .iter()
            .find(is_it)
            .and_then(|it| it["typical_ns"].as_u64());
        it.ok_or_else(|| {
            format!("{event} of {bytes} bytes, remote {remote}, is missing:\n{printed}")
        })
    };
    for event in [
        "UPC_GET",
        "UPC_PUT",
        "UPC_MEMGET",
        "UPC_MEMPUT",
        "UPC_MEMSET",
    ] {
        for remote in [true, false] {
            cost(event, remote.into(), 8)?;
        }
    }
    for event in ["UPC_BARRIER", "UPC_NOTIFY", "UPC_WAIT", "UPC_FENCE"] {
        cost(event, serde_json::Value::Null, 0)?;
    }
    cost("UPC_LOCK", false.into(), 0)?;
    let (small, large) = (
        cost("UPC_MEMGET", true.into(), 512)?,
        cost("UPC_MEMGET", true.into(), 262_144)?,
    );
    if large <= small {
        return Err(format!(
            "512 bytes take {small} ns, and 262144 bytes {large} ns"
        ));
    }
    let program = of.compile("several/bulk_gets.upc", "bulk")?;
    // Another process that interrupts a transfer makes it longer: one run without a finding is enough.
    for _ in 1..super::ATTEMPTS {
        if is_as_fast_as(of, &program, &file).is_ok() {
            return Ok(());
        }
    }
    is_as_fast_as(of, &program, &file)
}

/// A transfer of a program without fault is as fast as its baseline.
fn is_as_fast_as(of: &Bench, program: &Path, baseline: &Path) -> Result<(), String> {
    let recording = of.record(program, 2, "-trace", 0)?;
    let path = baseline.to_string_lossy().into_owned();
    let json = of.json(&["analyze", "--baseline", &path], &[recording])?;
    let findings = json["findings"].as_array().ok_or("no findings")?;
    let is_slow = |it: &&serde_json::Value| {
        it["kind"] == "slow-operation" && it["cost_percent"].as_f64() > Some(super::CLEAN)
    };
    match findings.iter().find(is_slow) {
        None => Ok(()),
        Some(finding) => Err(format!("a finding in a program without fault: {finding:#}")),
    }
}

/// The platform is measured quickly, and a recording is predicted with it: the rows are those of the recording, the parts
/// add up, the formulas give the counts of a larger run, and the simulation ends. No time is judged.
fn predict(of: &Bench) -> Result<(), String> {
    let platform = of.work.join("quick.platform");
    let mut upcrun = Command::new(&of.context.upcrun);
    upcrun.args(["-calibrate=quick", "-network=smp", "-o"]);
    process::must(upcrun.arg(&platform), RUN)?;
    let recording = of.record(&of.compile("single_gets.upc", "predicted")?, 2, "-trace", 0)?;
    let path = platform.to_string_lossy().into_owned();
    let recorded = recording.to_string_lossy().into_owned();
    let words: Vec<&str> = "predict --simulate --what-if threads=64,machines=64 --platform"
        .split(' ')
        .chain([path.as_str(), "--against", recorded.as_str()])
        .collect();
    let json = of.json(&words, &[recording])?;
    let time = |of: &serde_json::Value| of["time_ns"].as_f64().unwrap_or(0.0);
    let prediction = &json["prediction"];
    let causes = prediction["causes"].as_array().into_iter().flatten();
    let sum: f64 = causes.map(time).sum();
    let gets = |of: &serde_json::Value| {
        let rows = of["rows"].as_array().into_iter().flatten();
        let gets = rows.filter(|row| row["event"] == "UPC_GET");
        gets.filter_map(|row| row["count"].as_u64()).sum::<u64>()
    };
    let more = &json["what_if"][0];
    // The recording beside a prediction of itself has as many operations.
    let beside = json["against"]["rows"].as_array().into_iter().flatten();
    let mut reads = beside.filter(|row| row["cause"] == "remote reads");
    let is_alike = |row: &serde_json::Value| {
        row["measured_count"].as_u64() > Some(0) && row["measured_count"] == row["predicted_count"]
    };
    let is_beside = reads.any(is_alike);
    let simulated = json["simulations"].as_array().map_or(0, Vec::len);
    let is_whole = time(prediction) > 0.0 && (sum / time(prediction) - 1.0).abs() < 0.01;
    match (
        gets(prediction) > 0,
        more["threads"] == 64,
        simulated,
        is_whole,
        is_beside,
    ) {
        (true, true, 2, true, true) => Ok(()),
        found => Err(format!(
            "remote gets, 64 threads, 2 simulations, a sum of 1, and the recording beside it: {found:?}\n{json:#}"
        )),
    }
}
