//! The processes that the command has started, and their descendants: a C compiler runs as several processes.

use rustix::process::{Pid, Signal, getpid, kill_process, set_child_subreaper};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// The time that processes have to clean up after a signal before they are killed, the time limit for killing them, and
/// the polling interval.
const GRACE: Duration = Duration::from_secs(1);
const LAST: Duration = Duration::from_secs(2);
const LOOK: Duration = Duration::from_millis(5);

/// Sends a signal to all descendants of this process, and kills those that do not end in time. The C compiler removes
/// its own temporary files in between.
pub fn end_all(signal: Signal) {
    // As a subreaper this process adopts the children of processes that end, so they stay among its descendants.
    let _ = set_child_subreaper(Some(getpid()));
    let started = Instant::now();
    let mut signalled = HashSet::new();
    while started.elapsed() < LAST {
        let alive = below(getpid());
        if alive.is_empty() {
            return;
        }
        let parents = signalled.clone();
        for process in alive {
            // Any of these processes may have ended meanwhile.
            if started.elapsed() > GRACE {
                let _ = kill_process(process.id, Signal::KILL);
            } else if !parents.contains(&process.parent) && signalled.insert(process.id) {
                // A process started by a signalled one is part of its clean-up, for instance an `rm`.
                let _ = kill_process(process.id, signal);
            }
        }
        std::thread::sleep(LOOK);
    }
}

/// Returns all running descendants of a process.
fn below(root: Pid) -> Vec<Process> {
    let mut rest = processes();
    let mut found: Vec<Process> = Vec::new();
    let mut parents = vec![root];
    while let Some(parent) = parents.pop() {
        let (children, others) = rest
            .into_iter()
            .partition(|process| process.parent == parent);
        rest = others;
        let children: Vec<Process> = children;
        parents.extend(children.iter().map(|child| child.id));
        found.extend(children.into_iter().filter(|child| child.alive));
    }
    found
}

struct Process {
    id: Pid,
    parent: Pid,
    /// False for a zombie.
    alive: bool,
}

/// Returns every process that `/proc` lists.
fn processes() -> Vec<Process> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let process = |number: i32| {
        let stat = std::fs::read(format!("/proc/{number}/stat")).ok()?;
        let stat = String::from_utf8_lossy(&stat).into_owned();
        // The name is in parentheses and may contain any character.
        let mut fields = stat.rsplit(')').next()?.split_whitespace();
        let alive = !matches!(fields.next()?, "Z" | "X");
        Some(Process {
            id: Pid::from_raw(number)?,
            parent: Pid::from_raw(fields.next()?.parse().ok()?)?,
            alive,
        })
    };
    numbers.filter_map(process).collect()
}

/// Returns the signals that the parent process has set to be ignored, as `nohup` does, and shells do for background
/// jobs.
pub fn ignored_signals() -> Vec<i32> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let mask = mask.unwrap_or_default();
    (1..=64)
        .filter(|bit| mask & (1 << (bit - 1)) != 0)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn children_of_children_are_found() {
        let mut shell = Command::new("sh")
            .args(["-c", "sleep 60 & wait"])
            .spawn()
            .unwrap();
        let id = Pid::from_child(&shell);
        let until = Instant::now() + Duration::from_secs(20);
        while below(id).is_empty() && Instant::now() < until {
            std::thread::sleep(LOOK);
        }
        let found = below(id);
        assert_eq!(found.len(), 1);
        let sleeper = found[0].id;
        assert!(below(getpid()).iter().any(|process| process.id == sleeper));
        kill_process(sleeper, Signal::KILL).unwrap();
        shell.kill().unwrap();
        shell.wait().unwrap();
        assert!(below(id).is_empty());
    }
}
