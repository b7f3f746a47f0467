//! Commands with a time limit. The command's whole process group is killed at the end. Limits are for a machine with a
//! processor for each thread that wants one. On a busier machine they are longer.

use std::cell::Cell;
use std::fs;
use std::io::{ErrorKind, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// Variables with which Open MPI starts programs for root, the user of tests in a container.
pub const MPI: [(&str, &str); 2] = [
    ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
    ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
];

/// The result of a command within its time limit.
pub struct Output {
    /// `None`: it exceeded the time limit and was killed.
    pub status: Option<ExitStatus>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub time: Duration,
}

/// Returns standard error without Open MPI's warning about a harmless race at its own start.
pub fn program_lines(text: &str) -> String {
    text.split_inclusive('\n')
        .filter(|line| !line.contains("plm:rsh: Warning: setpgid"))
        .collect()
}

impl Output {
    pub fn ok(&self) -> bool {
        self.status.is_some_and(|s| s.success())
    }

    pub fn code(&self) -> Option<i32> {
        self.status.and_then(|s| s.code())
    }

    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    pub fn err(&self) -> String {
        program_lines(&String::from_utf8_lossy(&self.stderr))
    }

    /// Describes how it ended.
    pub fn end(&self) -> String {
        match self.status {
            None => format!("no end after {:.0} s", self.time.as_secs_f64()),
            Some(s) => match (s.code(), s.signal()) {
                (Some(code), _) => format!("status {code}"),
                (None, Some(signal)) => format!("signal {signal}"),
                (None, None) => "ended".to_string(),
            },
        }
    }

    /// Describes how it ended with the last lines of its output, for a failure report.
    pub fn tail(&self) -> String {
        let mut text = self.end();
        for stream in [&self.stdout, &self.stderr] {
            let said = String::from_utf8_lossy(stream);
            let lines: Vec<&str> = said.lines().collect();
            for line in &lines[lines.len().saturating_sub(12)..] {
                text.push_str("\n    ");
                text.extend(line.chars().take(300));
            }
        }
        text
    }
}

/// Runs `command` in a process group of its own for at most `limit`; collects its output. Err: it could not be started.
pub fn run(command: &mut Command, limit: Duration) -> Result<Output, String> {
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .map_err(|e| {
            format!(
                "cannot run {}: {e}",
                command.get_program().to_string_lossy()
            )
        })?;
    let stdout = drain(child.stdout.take());
    let stderr = drain(child.stderr.take());
    let status = wait(&mut child, limit);
    let time = start.elapsed();
    // Processes that the command has left behind are killed, too.
    kill(group_of(&child));
    Ok(Output {
        status,
        stdout: collect(&stdout),
        stderr: collect(&stderr),
        time,
    })
}

/// Does the same as [`run`], but also returns Err if the command fails or exceeds the time limit.
pub fn must(command: &mut Command, limit: Duration) -> Result<Output, String> {
    let output = run(command, limit)?;
    if output.ok() {
        return Ok(output);
    }
    let args: Vec<_> = command
        .get_args()
        .map(|a| a.to_string_lossy().into_owned())
        .collect();
    Err(format!(
        "{} {}\n    {}",
        command.get_program().to_string_lossy(),
        args.join(" "),
        output.tail()
    ))
}

/// Waits for the child; a second thread kills the group when the time is over. Returns `None` in that case.
fn wait(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let group = group_of(child);
    let (done, over) = mpsc::channel::<()>();
    let watchdog = thread::spawn(move || {
        let is_late = |limit| over.recv_timeout(limit) == Err(RecvTimeoutError::Timeout);
        // The load is that of the time in which the command ran.
        let late = is_late(limit) && is_late(limit.mul_f64(crowd() - 1.0));
        if late {
            kill(group);
        }
        late
    });
    spend(group);
    let status = child.wait();
    drop(done);
    match watchdog.join() {
        Ok(false) => status.ok(),
        Ok(true) | Err(_) => None,
    }
}

/// Returns how many threads of the last minute shared a processor: at least 1, where all had one.
fn crowd() -> f64 {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let processors = thread::available_parallelism().map_or(1, |n| n.get());
    crowd_of(&load, processors)
}

/// The same, from the text of `/proc/loadavg`. A limit never becomes more than ten times as long.
fn crowd_of(load: &str, processors: usize) -> f64 {
    let minute: f64 = load
        .split(' ')
        .next()
        .and_then(|word| word.parse().ok())
        .unwrap_or(0.0);
    (minute / processors as f64).clamp(1.0, 10.0)
}

thread_local! {
    /// The processor time of the commands that this thread has run.
    static SPENT: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// Returns the processor time of the commands that the calling thread has run, and of their children that they waited
/// for.
pub fn spent() -> Duration {
    SPENT.get()
}

/// Waits until the process ends, and adds its processor time to this thread's. The process remains to be waited for:
/// `/proc` has its times until then.
fn spend(process: Option<Pid>) {
    let Some(process) = process else { return };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    while matches!(waitid(WaitId::Pid(process), options), Err(Errno::INTR)) {}
    let own = processor_time(&process.as_raw_nonzero().to_string());
    SPENT.set(SPENT.get() + own.unwrap_or_default());
}

/// Returns the processor time of a process and of its children that have ended and were waited for (`utime`, `stime`,
/// `cutime` and `cstime` of proc(5)). `None`: there is no such process.
fn processor_time(process: &str) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The second field may contain spaces, and ends with the last parenthesis.
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks = fields.split_whitespace().skip(11).take(4);
    let ticks: u64 = ticks.filter_map(|field| field.parse::<u64>().ok()).sum();
    // The unit is 10 ms on every Linux.
    Some(Duration::from_millis(ticks * 10))
}

fn group_of(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

/// Kills the process group of a command (`process_group(0)`).
pub fn end_group(child: &Child) {
    kill(group_of(child));
}

/// Kills a process group. A group that has ended is not an error.
fn kill(group: Option<Pid>) {
    if let Some(group) = group {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// The bytes read from a pipe so far, and a channel that is closed when the last writer has closed the pipe.
struct Drain {
    bytes: Arc<Mutex<Vec<u8>>>,
    closed: mpsc::Receiver<()>,
}

/// Reads a pipe in a thread.
fn drain(pipe: Option<impl Read + Send + 'static>) -> Drain {
    let bytes = Arc::new(Mutex::new(Vec::new()));
    let (closing, closed) = mpsc::channel();
    let kept = Arc::clone(&bytes);
    thread::spawn(move || {
        let mut piece = vec![0; 1 << 16];
        if let Some(mut pipe) = pipe {
            loop {
                let count = match pipe.read(&mut piece) {
                    Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                    Ok(0) | Err(_) => break,
                    Ok(count) => count,
                };
                let mut bytes = kept.lock().unwrap_or_else(PoisonError::into_inner);
                bytes.extend_from_slice(&piece[..count]);
            }
        }
        let _ = closing.send(());
    });
    Drain { bytes, closed }
}

/// Returns the bytes read from a pipe. A process that left the group may keep the pipe open: its further output is not
/// waited for.
fn collect(pipe: &Drain) -> Vec<u8> {
    let _ = pipe.closed.recv_timeout(Duration::from_secs(2));
    std::mem::take(&mut pipe.bytes.lock().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_that_a_command_and_its_children_spend_is_known() {
        let before = spent();
        let mut command = Command::new("sh");
        // A child that the shell waits for: `:` after it keeps the shell from becoming it.
        let count = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
        command.args(["-c", "sh -c \"$1\"; :", "sh", count]);
        let output = run(&mut command, Duration::from_secs(60)).expect("sh is there");
        let own = spent() - before;
        assert!(output.ok());
        assert!(!own.is_zero() && own <= output.time + Duration::from_millis(50));
    }

    #[test]
    fn limits_grow_with_the_load_of_the_last_minute() {
        for (load, processors, wanted) in [
            ("0.83 3.19 4.39 1/200 17\n", 2, 1.0),
            ("6.00 3.19 4.39 9/200 17\n", 2, 3.0),
            ("75.00 9.00 4.39 9/200 17\n", 2, 10.0),
            ("6.00 3.19 4.39 9/200 17\n", 64, 1.0),
            ("", 2, 1.0),
        ] {
            let crowd = crowd_of(load, processors);
            assert!((crowd - wanted).abs() < 0.001, "{load}: {crowd}");
        }
    }

    #[test]
    fn what_was_printed_is_kept_where_a_process_that_left_holds_the_pipe() {
        let mut command = Command::new("sh");
        command.args(["-c", "setsid sleep 4 & sleep 0.5; echo said"]);
        let output = run(&mut command, Duration::from_secs(20)).expect("sh is there");
        assert!(output.ok());
        assert_eq!(output.out(), "said\n");
    }
}
