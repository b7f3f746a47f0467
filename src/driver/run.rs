//! Starting a program: `upcc --run` and `upcrun`.

use super::exit::{Exit, Failure, plain};
use super::options::MAX_THREADS;
use super::optspec::Form::{Any, Flag, Help, Value, Version};
use super::optspec::{self, Hit, OptSpec, Word};
use super::{say, temps};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Environment variables through which the runtime learns what the launcher was told.
mod variable {
    pub const THREADS: &str = "UPCR_THREADS";
    pub const HEAP: &str = "UPC_SHARED_HEAP_SIZE";
    pub const QUIET: &str = "UPC_QUIET";
    pub const POLITE: &str = "UPC_POLITE_SYNC";
}

/// How a program is to be started.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// Number of UPC threads; `None`: the program's own.
    pub threads: Option<u32>,
    /// Shared heap of each thread, as the runtime reads it.
    pub shared_heap: Option<String>,
    /// No messages from the runtime that are not errors.
    pub quiet: bool,
    /// Waiting threads give the processor away at once.
    pub polite: bool,
    /// Show the command.
    pub verbose: bool,
    /// `-t`: show the command, do not run it.
    pub show_only: bool,
    /// What `--help` or `--version` wants printed.
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

/// The options of `upcrun`.
#[rustfmt::skip] // a row a line
static OPTIONS: &[OptSpec<Launch>] = &[
    row(&["n", "np"], Any, "N", threads, "number of UPC threads"),
    row(&["shared-heap"], Value, "SIZE", |l, h| set(&mut l.shared_heap, Some(super::options::heap_size(h)?)), "shared heap of each thread (64MB, 2GB, 50%)"),
    row(&["polite-sync"], Flag, "", |l, _| set(&mut l.polite, true), "waiting threads give the processor away at once"),
    row(&["q", "quiet"], Flag, "", |l, _| set(&mut l.quiet, true), "only errors"),
    row(&["v", "verbose"], Flag, "", |l, _| set(&mut l.verbose, true), "show what is started"),
    row(&["t"], Flag, "", |l, _| set(&mut l.show_only, true), "show what would be started, do not start it"),
    row(&["help", "h"], Help, "", |_, _| Ok(()), "this text"),
    row(&["version", "V"], Version, "", |_, _| Ok(()), "version"),
];

fn set<V>(place: &mut V, value: V) -> Done {
    *place = value;
    Ok(())
}

fn threads(launch: &mut Launch, hit: &Hit) -> Done {
    launch.threads = Some(super::options::thread_count(hit)?);
    Ok(())
}

impl Launch {
    /// Understands the command line of `upcrun`: options, then the program, then what belongs to the program.
    ///
    /// # Errors
    /// A usage failure.
    pub fn parse(args: impl IntoIterator<Item = String>) -> Result<Launch, Failure> {
        let mut queue: VecDeque<String> = args.into_iter().collect();
        let mut words = Vec::new();
        while let Some(word) = optspec::next(OPTIONS, &mut queue) {
            let program = matches!(word, Word::Plain(_));
            words.push(word);
            if program {
                break;
            }
        }
        let mut launch = Launch {
            answer: optspec::check(command(), &words)?,
            args: queue.into(),
            ..Launch::default()
        };
        for word in words {
            match word {
                Word::Option(spec, _, hit) => (spec.apply)(&mut launch, &hit)?,
                Word::Plain(program) => launch.program = program.into(),
                // The check has refused what is no option.
                Word::Dashes | Word::NoValue(_) | Word::Unknown(_) => {}
            }
        }
        Ok(launch)
    }

    /// What the runtime gets by its environment.
    fn variables(&self) -> Vec<(&'static str, String)> {
        let threads = self
            .threads
            .map(|count| (variable::THREADS, count.to_string()));
        let heap = self.shared_heap.clone().map(|size| (variable::HEAP, size));
        let quiet = self.quiet.then(|| (variable::QUIET, "1".to_owned()));
        let polite = self.polite.then(|| (variable::POLITE, "1".to_owned()));
        [threads, heap, quiet, polite]
            .into_iter()
            .flatten()
            .collect()
    }

    /// The command, with a program in the current folder found as a shell would not: `upcrun a.out`.
    fn command(&self) -> Command {
        let here = self.program.components().count() == 1 && self.program.is_file();
        let program = if here {
            Path::new(".").join(&self.program)
        } else {
            self.program.clone()
        };
        let mut command = Command::new(program);
        command.args(&self.args).envs(self.variables());
        command
    }

    /// Starts the program, waits for its end and gives its status.
    ///
    /// # Errors
    /// An environment failure if it cannot be started.
    pub fn run(&self) -> Result<Exit, Failure> {
        self.show();
        let started = self
            .command()
            .spawn()
            .and_then(|mut child| temps::wait_for(&mut child));
        started
            .map(Exit::of_program)
            .map_err(|error| self.not_started(&error))
    }

    /// Becomes the program.
    fn exec(&self) -> Failure {
        use std::os::unix::process::CommandExt as _;
        self.show();
        let error = self.command().exec();
        self.not_started(&error)
    }

    fn show(&self) {
        if self.verbose || self.show_only {
            say(&self.shown());
        }
    }

    /// `UPCR_THREADS=4 ./a.out 12`
    fn shown(&self) -> String {
        let quoted =
            |word: &str| shlex::try_quote(word).map_or_else(|_| word.to_owned(), Into::into);
        let variables = self
            .variables()
            .into_iter()
            .map(|(name, value)| format!("{name}={}", quoted(&value)));
        let program = std::iter::once(quoted(&self.program.to_string_lossy()));
        variables
            .chain(program)
            .chain(self.args.iter().map(|arg| quoted(arg)))
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn not_started(&self, error: &std::io::Error) -> Failure {
        Failure::environment(format!(
            "cannot start {}: {}",
            self.program.display(),
            plain(error)
        ))
    }
}

/// `upcrun` for clap.
fn command() -> clap::Command {
    let command = clap::Command::new("upcrun")
        .version(env!("CARGO_PKG_VERSION"))
        .override_usage("upcrun [OPTIONS] PROGRAM [ARGS]")
        .about(format!(
            "Starts a UPC program on 1 to {MAX_THREADS} threads."
        ))
        .arg(clap::Arg::new("PROGRAM").required(true).hide(true));
    optspec::command(command, OPTIONS)
}

/// All of `upcrun`.
///
/// # Errors
/// Usage and environment failures.
pub fn upcrun(args: impl IntoIterator<Item = String>) -> Result<Exit, Failure> {
    let launch = Launch::parse(args)?;
    match &launch.answer {
        Some(text) => super::print(text),
        None if launch.show_only => launch.show(),
        None => return Err(launch.exec()),
    }
    Ok(Exit::Success)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Launch, Failure> {
        Launch::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn options_end_at_the_program() {
        let launch = parse("-n 4 -shared-heap=64MB -q ./a.out -n 5 -- x").unwrap();
        assert_eq!(launch.threads, Some(4));
        assert_eq!(launch.args, ["-n", "5", "--", "x"]);
        assert_eq!(
            launch.shown(),
            "UPCR_THREADS=4 UPC_SHARED_HEAP_SIZE=64MB UPC_QUIET=1 ./a.out -n 5 -- x"
        );
    }

    #[test]
    fn mistakes() {
        for line in ["", "-n", "-n 0 a.out", "-n x a.out", "-frobnicate a.out"] {
            assert_eq!(parse(line).unwrap_err().exit, Exit::Usage, "{line}");
        }
        assert!(
            parse("--help")
                .unwrap()
                .answer
                .is_some_and(|text| text.contains("-n <N>"))
        );
    }
}
