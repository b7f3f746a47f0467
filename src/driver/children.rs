//! The processes that we have started, and those that they have: a C compiler is several.

use rustix::process::{Pid, Signal, getpid, kill_process, set_child_subreaper};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// How long processes may take to clean up after a signal before they are killed, and how long that may take.
const GRACE: Duration = Duration::from_secs(1);
const LAST: Duration = Duration::from_secs(2);
const LOOK: Duration = Duration::from_millis(5);

/// Ends all processes below this one by a signal, and by force those that stay. The C compiler removes its own temporary files meanwhile.
pub fn end_all(signal: Signal) {
    // Children of one that ends become ours, and stay in sight.
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
            // Any of them may just have ended.
            if started.elapsed() > GRACE {
                let _ = kill_process(process.id, Signal::KILL);
            } else if !parents.contains(&process.parent) && signalled.insert(process.id) {
                // What a signalled process starts is its clean-up, for instance an `rm`.
                let _ = kill_process(process.id, signal);
            }
        }
        std::thread::sleep(LOOK);
    }
}

/// All that descend from a process and have not ended.
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
    /// No zombie.
    alive: bool,
}

/// Every process that `/proc` lists.
fn processes() -> Vec<Process> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let process = |number: i32| {
        let stat = std::fs::read(format!("/proc/{number}/stat")).ok()?;
        let stat = String::from_utf8_lossy(&stat).into_owned();
        // The name stands in parentheses and may hold anything.
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

/// The signals that whoever started us wants ignored, as `nohup` does and a shell for what runs in the background.
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
