//! Programs that we start, and what they say.

use super::exit::{Exit, Failure, plain};
use super::temp_files;
use crate::text::{printable, printable_json, printable_with_colors};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitStatus, Output, Stdio};

/// Whether commands are shown, and run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Show {
    /// Run only.
    #[default]
    Nothing,
    /// `-v`: show each command, then run it.
    Commands,
    /// `-###`: show, run none.
    Only,
}

impl Show {
    /// Says what we are about to do ourselves, as a comment among the commands.
    pub fn step(self, what: &str) {
        if self != Show::Nothing {
            let _ = writeln!(std::io::stderr().lock(), " # {}", printable(what));
        }
    }
}

/// Flags by which C compilers colour what they say, whoever hears it.
const COLORS: &[&str] = &[
    "-fdiagnostics-color",
    "-fdiagnostics-color=always",
    "-fcolor-diagnostics",
];

/// A line that a shell would take, indented as gcc has it.
fn print_command(words: &[String]) {
    let line = shown(words);
    let _ = writeln!(std::io::stderr().lock(), " {}", printable(&line));
}

/// A command line to be shown and run.
#[derive(Clone, Debug, Default)]
pub struct Tool {
    words: Vec<String>,
    /// It may read our standard input.
    reads_input: bool,
}

impl Tool {
    /// A command of the given words, the program first. It reads nothing: our input is for others.
    pub fn of(words: Vec<String>) -> Tool {
        Tool {
            words,
            reads_input: false,
        }
    }

    /// Lets it read our standard input, which a source may be, under several names.
    pub fn with_input(mut self) -> Tool {
        self.reads_input = true;
        self
    }

    /// Appends an argument.
    pub fn arg(mut self, word: impl Into<String>) -> Tool {
        self.words.push(word.into());
        self
    }

    /// Appends a file name. One that would be an option or, with `@`, a file of arguments gets `./` in front. A lone `-` is standard input.
    pub fn path(self, path: &Path) -> Tool {
        let name = path.to_string_lossy();
        if name.starts_with(['-', '@']) && name != "-" {
            self.arg(format!("./{name}"))
        } else {
            self.arg(name)
        }
    }

    /// Appends arguments.
    pub fn args<I: IntoIterator<Item = S>, S: Into<String>>(mut self, words: I) -> Tool {
        self.words.extend(words.into_iter().map(Into::into));
        self
    }

    /// Runs the command; its standard output is ours.
    ///
    /// # Errors
    /// An environment failure if it cannot be started, or failed without a word; [`Failure::reported`] if it failed, having said why.
    pub fn run(&self, show: Show) -> Result<(), Failure> {
        self.run_reported_again(show, |text, _| text.to_owned())
    }

    /// Runs the command and gives its standard output, nothing if commands are only shown. Errors as in [`Tool::run`].
    pub fn capture(&self, show: Show) -> Result<Vec<u8>, Failure> {
        match self.attempt(show)? {
            Some(output) => self.finish(output),
            None => Ok(Vec::new()),
        }
    }

    /// Runs the command; nobody sees yet what it says, or that it failed. `None`: commands are only shown.
    ///
    /// # Errors
    /// An environment failure if it cannot be started.
    pub fn attempt(&self, show: Show) -> Result<Option<Output>, Failure> {
        self.output(show, Stdio::piped())
    }

    /// Shows what the command has said, and gives its standard output. Errors as in [`Tool::run`].
    pub fn finish(&self, output: Output) -> Result<Vec<u8>, Failure> {
        self.judge(&output, |text, _| text.to_owned())?;
        Ok(output.stdout)
    }

    /// Runs the command; what it says on standard error, and whether it failed, goes through `retold` before users see it. Errors as in [`Tool::run`].
    pub fn run_reported_again(
        &self,
        show: Show,
        retold: impl FnOnce(&str, bool) -> String,
    ) -> Result<(), Failure> {
        match self.output(show, Stdio::inherit())? {
            Some(output) => self.judge(&output, retold),
            None => Ok(()),
        }
    }

    /// Runs the command to its end. `None`: commands are only shown.
    fn output(&self, show: Show, stdout: Stdio) -> Result<Option<Output>, Failure> {
        if show != Show::Nothing {
            print_command(&self.words);
        }
        if show == Show::Only {
            return Ok(None);
        }
        let stdin = match self.reads_input {
            true => Stdio::inherit(),
            false => Stdio::null(),
        };
        let mut command = Command::new(self.program());
        command.args(self.words.iter().skip(1));
        let output = command.stdin(stdin).stdout(stdout).output();
        let output = output.map_err(|error| self.not_started(&error))?;
        temp_files::stop_if_interrupted(output.status);
        Ok(Some(output))
    }

    /// Shows what the command has said, and judges its end.
    fn judge(
        &self,
        output: &Output,
        retold: impl FnOnce(&str, bool) -> String,
    ) -> Result<(), Failure> {
        let failed = !output.status.success();
        let said = String::from_utf8_lossy(&output.stderr);
        let text = retold(&said, failed);
        // Colours are for one that was asked for them; all else would be a command from a name or a source.
        let asked = |flags: &[&str]| {
            let mut words = self.words.iter();
            words.any(|word| flags.contains(&word.as_str()))
        };
        let text = if asked(COLORS) {
            printable_with_colors(&text)
        } else if asked(&["-fdiagnostics-format=json"]) {
            printable_json(&text)
        } else {
            printable(&text)
        };
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
        match failed {
            true => Err(self.failure(output.status, &said)),
            false => Ok(()),
        }
    }

    fn program(&self) -> &str {
        self.words.first().map_or("cc", String::as_str)
    }

    fn failure(&self, status: ExitStatus, said: &str) -> Failure {
        use std::os::unix::process::ExitStatusExt as _;
        if let Some(signal) = status.signal() {
            let message = format!("`{}` was killed by signal {signal}", self.program());
            return Failure {
                exit: Exit::Errors,
                message,
            };
        }
        if !said.trim().is_empty() {
            return Failure::reported();
        }
        let status = status.code().unwrap_or_default();
        Failure::environment(format!(
            "`{}` failed with status {status} and did not say why; UPCC_CC names the C compiler to use",
            self.program()
        ))
    }

    fn not_started(&self, error: &std::io::Error) -> Failure {
        Failure::environment(format!(
            "cannot start `{}`: {}; UPCC_CC names the C compiler to use",
            self.program(),
            plain(error)
        ))
    }
}

/// A command line that a shell would take.
pub fn shown(words: &[String]) -> String {
    // A word with a NUL byte cannot be quoted; it could not be run either.
    let quoted = words
        .iter()
        .map(|word| shlex::try_quote(word).unwrap_or(word.into()));
    quoted.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_no_options() {
        for (name, word) in [
            ("a.upc", "a.upc"),
            ("-o.upc", "./-o.upc"),
            ("--", "./--"),
            ("-wrapper", "./-wrapper"),
            ("@a.upc", "./@a.upc"),
            ("-", "-"),
            ("d/-o", "d/-o"),
        ] {
            assert_eq!(Tool::default().path(Path::new(name)).words, [word]);
        }
    }

    #[test]
    fn a_command_that_fails_without_a_word_is_named() {
        let failed = |script: &str| {
            let words = ["sh", "-c", script].map(str::to_owned);
            Tool::of(words.into()).run(Show::Nothing).unwrap_err()
        };
        let silent = failed("exit 3");
        assert_eq!(silent.exit, Exit::Environment);
        assert!(silent.message.contains("`sh` failed with status 3"));
        assert_eq!(failed("echo why >&2; exit 3"), Failure::reported());
        assert!(failed("kill -9 $$").message.contains("signal 9"));
    }
}
