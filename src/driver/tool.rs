//! Child programs and their output.

use crate::cli::temp_files;
use crate::cli::{Exit, Failure, system_text};
use crate::text::{printable, printable_json, printable_with_colors};
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};

/// Whether commands are printed, and whether they run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Show {
    /// Run without printing.
    #[default]
    Nothing,
    /// `-v`: print each command, then run it.
    Commands,
    /// `-###`: print only.
    Only,
}

impl Show {
    /// Prints a step that this process does itself, as a comment among the commands.
    pub fn step(self, what: &str) {
        if self != Show::Nothing {
            let _ = writeln!(std::io::stderr().lock(), " # {}", printable(what));
        }
    }
}

/// Flags that make C compilers colour their messages, whatever they are written to.
const COLORS: &[&str] = &[
    "-fdiagnostics-color",
    "-fdiagnostics-color=always",
    "-fcolor-diagnostics",
];

/// Prints a command line that a shell accepts, indented as gcc does.
fn print_command(words: &[String]) {
    let line = shown(words);
    let _ = writeln!(std::io::stderr().lock(), " {}", printable(&line));
}

/// A command line to print and run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tool {
    words: Vec<String>,
    /// Whether the command may read this process's standard input.
    reads_input: bool,
    /// The folder in which the command runs, if not this process's.
    folder: Option<PathBuf>,
}

impl Tool {
    /// Returns a command of the given words, the program first. It does not read standard input.
    pub fn of(words: Vec<String>) -> Tool {
        Tool {
            words,
            reads_input: false,
            folder: None,
        }
    }

    /// Lets the command read this process's standard input, which may be a source, under several names.
    pub fn with_input(mut self) -> Tool {
        self.reads_input = true;
        self
    }

    /// Keeps this process's standard input from the command.
    pub fn without_input(mut self) -> Tool {
        self.reads_input = false;
        self
    }

    /// Runs the command in a folder.
    pub fn in_folder(mut self, folder: &Path) -> Tool {
        self.folder = Some(folder.to_path_buf());
        self
    }

    /// Appends an argument.
    pub fn arg(mut self, word: impl Into<String>) -> Tool {
        self.words.push(word.into());
        self
    }

    /// Appends a file name. A name that would be an option or, with `@`, a response file is prefixed with `./`. `-`
    /// alone is standard input.
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

    /// Replaces each argument.
    pub fn map(mut self, replaced: impl Fn(String) -> String) -> Tool {
        self.words = self.words.into_iter().map(replaced).collect();
        self
    }

    /// Runs the command; it inherits standard output.
    ///
    /// # Errors
    /// An environment failure if it cannot be started, or fails without a message; [`Failure::reported`] if it fails
    /// with a message.
    pub fn run(&self, show: Show) -> Result<(), Failure> {
        self.run_rewriting(show, |text, _| text.to_owned())
    }

    /// Runs the command and returns its standard output; empty if commands are only printed. Errors as in
    /// [`Tool::run`].
    pub fn capture(&self, show: Show) -> Result<Vec<u8>, Failure> {
        match self.attempt(show)? {
            Some(output) => self.finish(output),
            None => Ok(Vec::new()),
        }
    }

    /// Runs the command without showing its messages or failure. Returns `None` if commands are only printed.
    ///
    /// # Errors
    /// An environment failure if it cannot be started.
    pub fn attempt(&self, show: Show) -> Result<Option<Output>, Failure> {
        self.output(show, Stdio::piped())
    }

    /// Prints the command's messages, and returns its standard output. Errors as in [`Tool::run`].
    pub fn finish(&self, output: Output) -> Result<Vec<u8>, Failure> {
        self.judge(&output, |text, _| text.to_owned())?;
        Ok(output.stdout)
    }

    /// Runs the command, and passes its standard error and whether it failed through `rewritten` before printing. Errors
    /// as in [`Tool::run`].
    pub fn run_rewriting(
        &self,
        show: Show,
        rewritten: impl FnOnce(&str, bool) -> String,
    ) -> Result<(), Failure> {
        match self.output(show, Stdio::inherit())? {
            Some(output) => self.judge(&output, rewritten),
            None => Ok(()),
        }
    }

    /// Runs the command until it ends. Returns `None` if commands are only printed.
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
        let output = self.command().stdin(stdin).stdout(stdout).output();
        let output = output.map_err(|error| self.not_started(&error))?;
        temp_files::stop_if_interrupted(output.status);
        Ok(Some(output))
    }

    /// Starts the command, which waits for its standard input.
    ///
    /// # Errors
    /// An environment failure if it cannot be started.
    pub fn begin(self) -> Result<Begun, Failure> {
        let mut command = self.command();
        command.stdin(Stdio::piped());
        let child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| self.not_started(&error))?;
        Ok(Begun { tool: self, child })
    }

    fn command(&self) -> Command {
        let mut command = Command::new(self.program());
        command.args(self.words.iter().skip(1));
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        command
    }

    /// Prints the command's messages, and evaluates its exit status.
    fn judge(
        &self,
        output: &Output,
        rewritten: impl FnOnce(&str, bool) -> String,
    ) -> Result<(), Failure> {
        let failed = !output.status.success();
        let messages = String::from_utf8_lossy(&output.stderr);
        let text = rewritten(&messages, failed);
        // Escape sequences are printed only if the command was asked for colours. Otherwise they come from a file name
        // or a source, and would control the terminal.
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
            true => Err(self.failure(output.status, &messages)),
            false => Ok(()),
        }
    }

    fn program(&self) -> &str {
        self.words.first().map_or("cc", String::as_str)
    }

    fn failure(&self, status: ExitStatus, messages: &str) -> Failure {
        use std::os::unix::process::ExitStatusExt as _;
        if let Some(signal) = status.signal() {
            let message = format!("`{}` was killed by signal {signal}", self.program());
            return Failure {
                exit: Exit::Errors,
                message,
            };
        }
        if !messages.trim().is_empty() {
            return Failure::reported();
        }
        let status = status.code().unwrap_or_default();
        Failure::environment(format!(
            "`{}` failed with status {status} without an error message; UPCC_CC names the C compiler to use",
            self.program()
        ))
    }

    fn not_started(&self, error: &std::io::Error) -> Failure {
        Failure::environment(format!(
            "cannot start `{}`: {}; UPCC_CC names the C compiler to use",
            self.program(),
            system_text(error)
        ))
    }
}

/// A command that has been started before its input is known. It ends with this value: the end of this process closes
/// its standard input, too.
#[derive(Debug)]
pub struct Begun {
    tool: Tool,
    child: Child,
}

impl Begun {
    /// Whether this is the command `tool`.
    pub fn is(&self, tool: &Tool) -> bool {
        self.tool == *tool
    }

    /// Gives the command its input, and returns its output when it has ended.
    ///
    /// # Errors
    /// An environment failure if its output cannot be read.
    pub fn feed(mut self, input: &[u8]) -> Result<Output, Failure> {
        let stdin = self.child.stdin.take();
        let stderr = self.child.stderr.take();
        let output = std::thread::scope(|scope| {
            scope.spawn(move || {
                // A command that ends early, because of a flag for example, says so in its output.
                let _ = stdin.map(|mut stdin| stdin.write_all(input));
            });
            let messages = scope.spawn(move || all_of(stderr));
            let stdout = all_of(self.child.stdout.take())?;
            let stderr = messages.join().unwrap_or_else(|_| Ok(Vec::new()))?;
            let status = self.child.wait()?;
            Ok(Output {
                status,
                stdout,
                stderr,
            })
        });
        output.map_err(|error| self.tool.not_started(&error))
    }
}

/// Reads a pipe to its end.
fn all_of(pipe: Option<impl Read>) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        pipe.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

impl Drop for Begun {
    fn drop(&mut self) {
        // Both do nothing for a command that has been waited for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns a command line that a shell accepts.
pub fn shown(words: &[String]) -> String {
    // A word with a NUL byte cannot be quoted, and could not be run either.
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
