//! Starts a program: `upcc --run` and `upcrun`.

use super::inspect::describe;
use super::optspec::Form::{Any, Flag, Help, Joined, JoinedOrSeparate, Optional, Value, Version};
use super::optspec::{self, Hit, OptSpec, Word};
use super::settings::MAX_THREADS;
use super::start::Start;
use super::supervise;
use crate::cli::{Exit, Failure, system_text};
use crate::cli::{log, temp_files};
use crate::platform::calibrate::Effort;
use crate::text::printable;
use std::collections::VecDeque;
use std::path::PathBuf;

/// Environment variables of the runtime's table (`runtime-c/src/options.def`) that have a field of their own in
/// [`Launch`].
pub(super) mod variable {
    pub const THREADS: &str = "UPCR_THREADS";
    pub const HEAP: &str = "UPC_SHARED_HEAP_SIZE";
}

/// Variables of other UPC systems that have no effect; `-v` reports those that are set.
const IDLE_VARIABLES: &[&str] = &[
    "UPC_ENVPREFIX",
    "UPC_FIRSTTOUCH",
    "UPC_FORCETOUCH",
    "UPC_REQUIRE_SHARED_SIZE",
    "UPC_SIZE_WARN",
    "UPC_BACKTRACEFILE",
    "UPC_BACKTRACE_GDB",
    "GASNET_BACKTRACE_TYPE",
];

/// Variables without effect on a program that does not exchange messages.
const HOST_VARIABLES: &[&str] = &["UPC_NODES", "UPC_NODEFILE"];

/// The settings for starting a program.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// The number of UPC threads; `None`: the program's own.
    pub threads: Option<u32>,
    /// The size of each thread's shared heap, in the runtime's syntax.
    pub shared_heap: Option<String>,
    /// The number of machines, for programs that run on several.
    pub nodes: Option<u32>,
    /// Further variables of the runtime's table to set.
    pub settings: Vec<(&'static str, String)>,
    /// Variables of the environment that reach other machines though they are the shell's own.
    pub named: Vec<String>,
    /// Options without effect, as typed.
    pub ignored: Vec<String>,
    /// Print only messages that are errors.
    pub quiet: bool,
    /// Print the command.
    pub verbose: bool,
    /// `-t`: print the command, do not run it.
    pub show_only: bool,
    /// `-i`: describe the program, do not run it.
    pub describe: bool,
    /// `-gdb`: start it under gdb.
    pub gdb: bool,
    /// `-calibrate`: measure the platform, run no program.
    pub calibrate: Option<&'static Effort>,
    /// `-o`: the file of `-calibrate`.
    pub platform: Option<PathBuf>,
    /// `-network`: the only network that `-calibrate` measures.
    pub network: Option<String>,
    /// The text that `--help` or `--version` prints.
    pub answer: Option<String>,
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
}

type Done = Result<(), Failure>;

const fn row(
    names: &'static [&'static str],
    form: optspec::Form,
    value: &'static str,
    apply: fn(&mut Launch, &Hit) -> Done,
    help: &'static str,
) -> OptSpec<Launch> {
    OptSpec {
        names,
        form,
        value,
        section: "Options",
        apply,
        help,
    }
}

/// Returns the row of an option that is accepted without effect.
const fn idle(
    names: &'static [&'static str],
    form: optspec::Form,
    value: &'static str,
) -> OptSpec<Launch> {
    row(names, form, value, ignore, "")
}

/// Names that the number of threads has in other launchers.
const OTHER_NAMES: &[(&str, &str)] = &[("T", "-n"), ("threads", "-n"), ("nthreads", "-n")];

/// The options of `upcrun`. Options for the runtime set the variable that its own table names.
#[rustfmt::skip] // one row per line
static OPTIONS: &[OptSpec<Launch>] = &[
    row(&["n", "np"], Any, "N", |l, h| set(&mut l.threads, Some(super::option_values::thread_count(h)?)), "number of UPC threads; must be the static number of a program that has one"),
    row(&["N", "nodes"], Any, "N", nodes, "number of machines, of a program for -network=mpi; else 1"),
    row(&["shared-heap"], Value, "SIZE", |l, h| set(&mut l.shared_heap, Some(super::option_values::heap_size(h)?)), "shared heap of each thread (64MB, 2GB, 50%)"),
    row(&["bind-threads"], Optional, "yes|share|domain|no", |l, h| l.set("UPC_BIND_THREADS", if h.value.is_empty() { "yes" } else { &h.value }), "processors of each thread: one (yes), its share, those of a domain of the memory, or all (docs/runtime.md)"),
    row(&["polite-sync"], Flag, "", |l, _| l.set("UPC_POLITE_SYNC", "1"), "waiting threads yield the processor at once"),
    row(&["pshm-width"], Value, "N", pshm_width, "at most N threads access one another's memory directly (of a program compiled for messages)"),
    row(&["pshm-delay"], Value, "NS", |l, h| { let delay = positive(h)?; l.set("UPC_PSHM_DELAY", &delay.to_string()) }, "with -pshm-width on one machine: nanoseconds that a message takes"),
    row(&["cache"], Optional, "on|off|auto", cache, "cache data of other machines' memory (docs/cache.md)"),
    row(&["cache-line"], Value, "BYTES", |l, h| l.set("UPC_CACHE_LINE", amount(h)?), "line of the cache: 64, 128 ... 8192, or auto"),
    row(&["cache-lines"], Value, "N", |l, h| l.set("UPC_CACHE_LINES", amount(h)?), "lines of each thread's cache: 16, 32 ... 65536, or auto"),
    row(&["cache-stats"], Flag, "", |l, _| l.set("UPC_CACHE_STATS", "1"), "each thread prints statistics of its cache at exit"),
    row(&["E"], Value, "NAMES", |l, h| { l.named.extend(super::environment::named(&h.value)?); Ok(()) }, "over messages: these variables of the environment, separated by commas, reach all machines, too; those that are not the shell's own do without it"),
    row(&["timeout"], Value, "SECONDS", timeout, "end a run that takes longer with status 124; every thread prints where it is"),
    row(&["q", "quiet"], Flag, "", |l, _| { l.quiet = true; l.set("UPC_QUIET", "1") }, "only errors"),
    row(&["v", "verbose"], Flag, "", |l, _| { l.verbose = true; l.set("UPC_SHOW_PLACEMENT", "1") }, "show what is started, and the machine and processors of each thread"),
    row(&["t", "show"], Flag, "", |l, _| set(&mut l.show_only, true), "show what would be started, and of a program for one machine the processors of each thread; run nothing"),
    row(&["i", "info"], Flag, "", |l, _| set(&mut l.describe, true), "describe the program, do not start it"),
    row(&["backtrace"], Flag, "", |l, _| l.set("UPC_BACKTRACE", "1"), "print the stack of every thread at a fatal error"),
    row(&["calibrate"], Optional, "usual|quick|thorough|full", |l, h| set(&mut l.calibrate, Effort::named(&h.value)), "measure what operations cost on this platform, for upcprof predict (docs/predict.md)"),
    row(&["o"], JoinedOrSeparate, "FILE", |l, h| set(&mut l.platform, Some(h.value.clone().into())), "with -calibrate: the file for the costs"),
    row(&["network"], Value, "NAME", |l, h| set(&mut l.network, Some(h.value.clone())), "with -calibrate: measure only this network, smp, mpi or ucx"),
    row(&["gdb"], Flag, "", |l, _| set(&mut l.gdb, true), "start the program in gdb, which debugs thread 0"),
    row(&["freeze"], Optional, "THREAD", freeze, "threads wait for a debugger before main: all, or this one"),
    row(&["freeze-early", "freeze-earlier"], Flag, "", |l, _| l.set("UPC_FREEZE_EARLY", "1"), "the program waits for a debugger before it starts its threads"),
    row(&["freeze-on-error"], Flag, "", |l, _| l.set("UPC_FREEZE_ON_ERROR", "1"), "a thread waits for a debugger at a fatal error"),
    row(&["abort"], Flag, "", |l, _| l.set("UPC_ABORT", "1"), "dump core at a fatal error"),
    row(&["noquiet"], Flag, "", |l, _| { l.quiet = false; l.clear("UPC_QUIET") }, ""),
    row(&["noverbose"], Flag, "", |l, _| { l.verbose = false; l.clear("UPC_SHOW_PLACEMENT") }, ""),
    row(&["noshow"], Flag, "", |l, _| set(&mut l.show_only, false), ""),
    row(&["noinfo"], Flag, "", |l, _| set(&mut l.describe, false), ""),
    row(&["nobacktrace"], Flag, "", |l, _| l.clear("UPC_BACKTRACE"), ""),
    row(&["nofreeze-on-error"], Flag, "", |l, _| l.clear("UPC_FREEZE_ON_ERROR"), ""),
    row(&["noabort"], Flag, "", |l, _| l.clear("UPC_ABORT"), ""),
    row(&["notrace", "notraceall"], Flag, "", |l, _| l.clear(MEASURE).and_then(|()| l.clear("UPC_TOOL")), ""),
    row(&["help", "h"], Help, "", |_, _| Ok(()), "this text"),
    row(&["version", "V"], Version, "", |_, _| Ok(()), "version"),
    row(&["tool"], Value, "TOOL", tool, "tool that receives the events of code compiled with --inst: measure, dump, none, or the shared library of a GASP tool"),
    row(&["profile"], Flag, "", |l, _| measure(l, "profile"), "write counts and times of code compiled with --inst (docs/measure.md)"),
    row(&["trace", "traceall"], Flag, "", |l, _| measure(l, "trace"), "write every event of code compiled with --inst"),
    row(&["tracefile"], Value, "FILE", |l, h| l.set("UPC_MEASURE_FILE", &h.value), "file of -profile and -trace (PROGRAM.upcprof); with a %, one for each thread"),
    row(&["c", "cpus-per-node"], Any, "N", count_for_nothing, ""),
    row(&["p", "pthreads"], Any, "N", count_for_nothing, ""),
    idle(&["localhost"], Flag, ""),
    idle(&["backtrace-type"], Value, "TYPE"),
    idle(&["shared-heap-max", "heap-offset"], Value, "SIZE"),
    idle(&["conf"], Value, "FILE"),
    idle(&["norc"], Flag, ""),
    idle(&["tv", "tv-freeze"], Flag, ""),
    idle(&["fca_enable", "fca_verbose", "fca_np", "fca_ops"], Value, "WHAT"),
    idle(&["encode", "noencode", "fca_"], Joined, "WHAT"),
];

fn set<V>(place: &mut V, value: V) -> Done {
    *place = value;
    Ok(())
}

fn ignore(launch: &mut Launch, hit: &Hit) -> Done {
    launch.ignored.push(hit.typed.join(" "));
    Ok(())
}

/// Returns the value as a number, at least 1.
fn positive(hit: &Hit) -> Result<u32, Failure> {
    let number = hit.value.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| {
        let typed = hit.typed.join(" ");
        Failure::usage(format!(
            "`{typed}`: `{}` is not a positive number",
            hit.value
        ))
    })
}

fn count_for_nothing(launch: &mut Launch, hit: &Hit) -> Done {
    positive(hit)?;
    ignore(launch, hit)
}

fn nodes(launch: &mut Launch, hit: &Hit) -> Done {
    match positive(hit)? {
        1 => ignore(launch, hit),
        several => set(&mut launch.nodes, Some(several)),
    }
}

/// Handles `-pshm-width`. Zero is no limit, as in Berkeley's `upcrun`.
fn pshm_width(launch: &mut Launch, hit: &Hit) -> Done {
    let width = match hit.value.as_str() {
        "0" => MAX_THREADS,
        _ => super::option_values::thread_count(hit)?,
    };
    launch.set("UPC_PSHM_WIDTH", &width.to_string())
}

fn timeout(launch: &mut Launch, hit: &Hit) -> Done {
    let seconds = positive(hit)?;
    launch.set("UPC_TIMEOUT", &seconds.to_string())
}

fn cache(launch: &mut Launch, hit: &Hit) -> Done {
    let mode = match hit.value.as_str() {
        "" => "on",
        mode @ ("on" | "off" | "auto") => mode,
        other => {
            return Err(Failure::usage(format!(
                "`-cache={other}`: give on, off or auto"
            )));
        }
    };
    launch.set("UPC_CACHE", mode)
}

/// Returns the value, a number or `auto`.
fn amount(hit: &Hit) -> Result<&str, Failure> {
    if hit.value != "auto" {
        positive(hit)?;
    }
    Ok(&hit.value)
}

fn freeze(launch: &mut Launch, hit: &Hit) -> Done {
    let thread = match hit.value.as_str() {
        "" | "all" => "all",
        number if number.parse::<u32>().is_ok() => number,
        other => {
            return Err(Failure::usage(format!(
                "`-freeze={other}`: give the number of a thread, or nothing for all of them"
            )));
        }
    };
    launch.set("UPC_FREEZE", thread)
}

/// Handles `-tool`. A library in a folder is found on other machines, too, and from other folders.
fn tool(launch: &mut Launch, hit: &Hit) -> Done {
    let absolute = match hit.value.contains('/') {
        true => std::path::absolute(&hit.value).ok(),
        false => None,
    };
    let word = absolute.as_deref().and_then(|path| path.to_str());
    launch.set("UPC_TOOL", word.unwrap_or(&hit.value))
}

/// The variable that selects what the measurement records.
const MEASURE: &str = "UPC_MEASURE";

/// Handles `-profile` and `-trace`, alone or together.
fn measure(launch: &mut Launch, what: &str) -> Done {
    launch.set("UPC_TOOL", "measure")?;
    let other = launch.settings.iter().find(|(name, _)| *name == MEASURE);
    let all = together(what, other.map(|(_, value)| value.as_str()));
    launch.set(MEASURE, all)
}

/// Combines two requests for what to record, so that neither cancels the other.
fn together<'w>(one: &'w str, other: Option<&str>) -> &'w str {
    match other {
        Some(other @ ("profile" | "trace" | "both")) if other != one => "both",
        _ => one,
    }
}

impl Launch {
    /// Parses the command line of `upcrun`: options, then the program, then the program's arguments. `flags`: options
    /// that are read first, split as a shell would (`UPCRUN_FLAGS`).
    ///
    /// # Errors
    /// A usage failure.
    pub fn parse(
        args: impl IntoIterator<Item = String>,
        flags: Option<&str>,
    ) -> Result<Launch, Failure> {
        let mut queue: VecDeque<String> = args.into_iter().collect();
        let mut words = flag_words(flags)?;
        words.extend(spelled(&mut queue));
        let mut launch = Launch {
            answer: optspec::check(command(), &words, OTHER_NAMES)?,
            args: queue.into(),
            ..Launch::default()
        };
        for word in words {
            match word {
                Word::Option(spec, _, hit) => (spec.apply)(&mut launch, &hit)?,
                Word::Plain(program) => launch.program = program.into(),
                // The check has rejected these already.
                Word::Dashes | Word::NoValue(_) | Word::Unknown(_) => {}
            }
        }
        Ok(launch)
    }

    /// Sets a variable of the runtime's table.
    fn set(&mut self, variable: &'static str, value: &str) -> Done {
        self.settings.retain(|(name, _)| *name != variable);
        self.settings.push((variable, value.to_owned()));
        Ok(())
    }

    /// Cancels what earlier options have set: those of `UPCRUN_FLAGS` come first.
    fn clear(&mut self, variable: &'static str) -> Done {
        self.settings.retain(|(name, _)| *name != variable);
        Ok(())
    }

    /// Adds the options to the environment's own request for the measurement, which is kept.
    fn add_measure(&mut self, environment: Option<&str>) {
        for (name, value) in &mut self.settings {
            if *name == MEASURE {
                *value = together(value, environment).to_owned();
            }
        }
    }

    /// Returns the environment variables for the runtime.
    pub(super) fn variables(&self) -> Vec<(&'static str, String)> {
        let threads = self
            .threads
            .map(|count| (variable::THREADS, count.to_string()));
        let heap = self.shared_heap.clone().map(|size| (variable::HEAP, size));
        let settings = self.settings.iter().cloned();
        threads.into_iter().chain(heap).chain(settings).collect()
    }

    /// Starts the program, waits until it ends and returns its status.
    ///
    /// # Errors
    /// An environment failure if it cannot be started.
    pub fn run(&self) -> Result<Exit, Failure> {
        self.show();
        let started = Start::of(self)?
            .command
            .spawn()
            .and_then(|mut child| temp_files::wait_for(&mut child));
        started
            .map(Exit::of_program)
            .map_err(|error| self.not_started(&error))
    }

    /// Replaces this process by the program, or supervises MPI's launcher.
    fn exec(&self) -> Result<Exit, Failure> {
        use std::os::unix::process::CommandExt as _;
        self.show();
        let mut start = Start::of(self)?;
        start.check()?;
        let Some(hosts) = &start.hosts else {
            return Err(self.not_started(&start.command.exec()));
        };
        supervise::run(&start.command, hosts, start.lacks).map_err(|error| self.not_started(&error))
    }

    /// Prints the command, and where the threads would run if the program can say so by itself.
    fn show_start(&self) -> Result<Exit, Failure> {
        self.show();
        match Start::of(self) {
            Ok(start) => start.show_placement(),
            // The command has been printed with what is known.
            Err(_) => Ok(Exit::Success),
        }
    }

    fn show(&self) {
        if !self.verbose && !self.show_only {
            return;
        }
        let set = |name: &&&str| std::env::var_os(name).is_some();
        let names_hosts = Start::of(self).is_ok_and(|start| start.hosts.is_some());
        let of_hosts: &[&str] = if names_hosts { &[] } else { HOST_VARIABLES };
        let idle = IDLE_VARIABLES.iter().chain(of_hosts).filter(set);
        let idle = idle.map(|&name| name.into());
        let idle: Vec<String> = self.ignored.iter().cloned().chain(idle).collect();
        if !idle.is_empty() && !self.quiet {
            log(
                "upcrun",
                &format!("note: no effect here: {}", idle.join(" ")),
            );
        }
        log("upcrun", &self.shown());
    }

    /// `UPCR_THREADS=4 ./a.out 12`
    fn shown(&self) -> String {
        let quoted =
            |word: &str| shlex::try_quote(word).map_or_else(|_| word.to_owned(), Into::into);
        let variables = self
            .variables()
            .into_iter()
            .map(|(name, value)| format!("{name}={}", quoted(&value)));
        let started = match Start::of(self) {
            Ok(start) if start.hosts.is_some() => {
                let words = std::iter::once(start.command.get_program());
                let words = words.chain(start.command.get_args());
                words.map(|word| quoted(&word.to_string_lossy())).collect()
            }
            // The launcher's options are not known.
            Ok(_) | Err(_) => {
                let gdb = ["gdb", "--args"].iter().take(if self.gdb { 2 } else { 0 });
                let gdb = gdb.map(|word| (*word).to_owned());
                let program = quoted(&self.program.to_string_lossy());
                let args = self.args.iter().map(|arg| quoted(arg));
                gdb.chain([program]).chain(args).collect::<Vec<_>>()
            }
        };
        let words: Vec<String> = variables.chain(started).collect();
        words.join(" ")
    }

    fn not_started(&self, error: &std::io::Error) -> Failure {
        Failure::environment(format!(
            "cannot start {}: {}",
            self.program.display(),
            system_text(error)
        ))
    }
}

/// Parses the options at the front of `queue`, up to and including the first word that is not an option. After `--` any
/// word is the program.
fn spelled(queue: &mut VecDeque<String>) -> Vec<Word<Launch>> {
    let mut words = Vec::new();
    while let Some(mut word) = optspec::next(OPTIONS, queue) {
        if matches!(word, Word::Dashes) {
            words.push(Word::Dashes);
            let Some(program) = queue.pop_front() else {
                break;
            };
            word = Word::Plain(program);
        }
        let program = matches!(word, Word::Plain(_));
        words.push(word);
        if program {
            break;
        }
    }
    words
}

/// Returns the options in `UPCRUN_FLAGS`.
fn flag_words(flags: Option<&str>) -> Result<Vec<Word<Launch>>, Failure> {
    let words = super::settings::split_words(flags.unwrap_or_default(), "UPCRUN_FLAGS")?;
    let words = spelled(&mut words.into());
    match words.last() {
        Some(Word::Plain(word)) => Err(Failure::usage(format!(
            "UPCRUN_FLAGS: `{word}` is not an option"
        ))),
        _ => Ok(words),
    }
}

/// Returns `upcrun` as a clap command.
pub(super) fn command() -> clap::Command {
    let command = clap::Command::new("upcrun")
        .version(env!("CARGO_PKG_VERSION"))
        .override_usage("upcrun [OPTIONS] PROGRAM [ARGS]")
        .about(format!(
            "Starts a UPC program on 1 to {MAX_THREADS} threads."
        ))
        .arg(
            clap::Arg::new("PROGRAM")
                .required_unless_present("calibrate")
                .hide(true),
        );
    optspec::command(command, OPTIONS)
}

/// Runs `upcrun`.
///
/// # Errors
/// Usage and environment failures.
pub fn upcrun(args: impl IntoIterator<Item = String>) -> Result<Exit, Failure> {
    supervise::become_launcher()?;
    if supervise::watched() {
        return Ok(Exit::Success);
    }
    let mut launch = Launch::parse(args, std::env::var("UPCRUN_FLAGS").ok().as_deref())?;
    launch.add_measure(std::env::var(MEASURE).ok().as_deref());
    match &launch.answer {
        Some(text) => super::print(text),
        None if launch.calibrate.is_some() => super::calibrate::run(&launch)?,
        None if launch.describe => super::print(&printable(&describe(&launch.program)?)),
        None if launch.show_only => return launch.show_start(),
        None => return launch.exec(),
    }
    Ok(Exit::Success)
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
