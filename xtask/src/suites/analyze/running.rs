//! `upcprof top` with a real program.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::several::Bench;
use crate::process;

const RUN: Duration = Duration::from_secs(60);
/// How long a job takes to start at most.
const START: Duration = Duration::from_secs(30);
const MOMENT: Duration = Duration::from_millis(50);

/// A job that ends when a file exists.
struct Job {
    child: Child,
    stop: std::path::PathBuf,
}

impl Drop for Job {
    fn drop(&mut self) {
        // The test has failed: what cannot be ended ends at the time limit of `upcrun`.
        let _ = fs::write(&self.stop, "");
        let _ = self.child.wait();
    }
}

fn start(of: &Bench, program: &Path, recording: &Path) -> Result<Job, String> {
    let stop = of.work.join("stop");
    if stop.exists() {
        fs::remove_file(&stop).map_err(|e| e.to_string())?;
    }
    let mut upcrun = Command::new(&of.context.upcrun);
    upcrun
        .args(["-n", "2", "-timeout", "50", "-profile", "-tracefile"])
        .arg(recording)
        .arg(program)
        .arg(&stop);
    let child = upcrun.stdout(Stdio::piped()).spawn();
    Ok(Job {
        child: child.map_err(|e| e.to_string())?,
        stop,
    })
}

fn top(of: &Bench, words: &[&str]) -> Command {
    let mut upcprof = Command::new(&of.context.upcprof);
    upcprof.arg("top").args(words);
    upcprof
}

/// Returns the tables, from when the job has started.
fn tables(of: &Bench, pid: &str) -> Result<String, String> {
    let begun = Instant::now();
    loop {
        let words = ["-p", pid, "--count", "2", "--interval", "0.2", "--top", "0"];
        match process::must(&mut top(of, &words), RUN) {
            Ok(done) => return Ok(done.out()),
            Err(why) if begun.elapsed() > START => return Err(why),
            Err(_) => sleep(MOMENT),
        }
    }
}

/// Returns the numbers of the column `now [%]`.
fn shares(table: &str) -> Vec<f64> {
    let Some((head, rows)) = table.split_once('\n') else {
        return Vec::new();
    };
    let end = head.find("now [%]").map_or(0, |at| at + "now [%]".len());
    let share = |row: &str| row.get(..end)?.rsplit(' ').next()?.parse().ok();
    rows.lines().filter_map(share).collect()
}

/// The second table names the line that takes the time; its shares are 100 %; the job is not disturbed.
pub(super) fn top_of(of: &Bench) -> Result<(), String> {
    let program = of.compile("several/running.upc", "running")?;
    let recording = program.with_extension("upcprof");
    let mut job = start(of, &program, &recording)?;
    let pid = job.child.id().to_string();
    let text = tables(of, &pid)?;
    let last = text
        .split("\n\n")
        .filter_map(|part| part.split_once('\n'))
        .filter(|(head, _)| head.contains("2 threads, running for "))
        .nth(1)
        .ok_or_else(|| format!("no second table in {text}"))?
        .1;
    let first = last.lines().nth(1).unwrap_or_default();
    if !first.contains("running.upc:")
        || !(first.contains("UPC_GET") || first.contains("UPC_BARRIER"))
    {
        return Err(format!("the first row is not the hottest line: {text}"));
    }
    let get = last.lines().find(|row| row.contains("sum += a["));
    if get.is_none_or(|get| !get.contains("UPC_GET")) {
        return Err(format!("no row of the gets: {text}"));
    }
    let sum: f64 = shares(last).iter().sum();
    // Each of the numbers is rounded.
    if (sum - 100.0).abs() > 0.1 * shares(last).len() as f64 {
        return Err(format!("the shares are {sum} %: {text}"));
    }
    fs::write(&job.stop, "").map_err(|e| e.to_string())?;
    let status = job.child.wait().map_err(|e| e.to_string())?;
    if !status.success() {
        return Err(format!("the job ended with {status}"));
    }
    let whole = of.json(&["stat"], &[recording])?;
    if whole["incomplete"] != serde_json::json!([]) {
        return Err(format!("the recording is incomplete: {whole:#}"));
    }
    let why = process::must(&mut top(of, &["-p", &pid]), RUN).err();
    match why {
        Some(why) if why.contains("there is no process") => Ok(()),
        other => Err(format!("the job has ended, and top says {other:?}")),
    }
}
