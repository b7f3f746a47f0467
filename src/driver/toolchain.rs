//! The C compiler and other programs we start.

use super::exit::{Exit, Failure, plain};
use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The user's C compiler: a program and arguments that always come first (`ccache gcc -m32`).
#[derive(Clone, Debug)]
pub struct Compiler {
    words: Vec<String>,
}

impl Compiler {
    /// From `UPCC_CC`, then `CC`, then `cc`. A `CC` that names `upcc` itself (`make CC=upcc` exports it) does not count.
    ///
    /// # Errors
    /// A usage failure for unbalanced quotes.
    pub fn from_env() -> Result<Compiler, Failure> {
        for variable in ["UPCC_CC", "CC"] {
            let Ok(value) = std::env::var(variable) else {
                continue;
            };
            let words = super::options::split_words(&value, variable)?;
            let itself = words.iter().any(|word| {
                Path::new(word)
                    .file_name()
                    .is_some_and(|name| name == "upcc")
            });
            if !words.is_empty() && !itself {
                return Ok(Compiler { words });
            }
        }
        Ok(Compiler {
            words: vec!["cc".to_owned()],
        })
    }

    /// A command line of this compiler.
    pub fn tool(&self) -> Tool {
        Tool {
            words: self.words.clone(),
        }
    }

    /// The compiler as one program that can be started without further words, made in `folder` if need be.
    ///
    /// # Errors
    /// An environment failure if the folder cannot be written.
    pub fn program(&self, folder: &Path) -> Result<PathBuf, Failure> {
        if let [program] = self.words.as_slice() {
            return Ok(PathBuf::from(program));
        }
        let script = folder.join("cc.sh");
        let text = format!("#!/bin/sh\nexec {} \"$@\"\n", shown(&self.words));
        let made = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o700)
            .open(&script)
            .and_then(|mut file| file.write_all(text.as_bytes()));
        made.map_err(|error| Failure::io("write", &script, &error))?;
        Ok(script)
    }

    /// Whether this is gcc, whose options others do not all have. Errors as in [`Compiler::identity`].
    pub fn is_gcc(&self) -> Result<bool, Failure> {
        Ok(self.identity()?.contains("Free Software Foundation"))
    }

    /// What tells this compiler from others: its command and what it says to `--version`.
    ///
    /// # Errors
    /// An environment failure if it cannot be started.
    pub fn identity(&self) -> Result<String, Failure> {
        let text = self.tool().arg("--version").capture(Show::Nothing)?;
        Ok(format!(
            "{}\n{}",
            self.words.join(" "),
            String::from_utf8_lossy(&text)
        ))
    }
}

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
            let _ = writeln!(std::io::stderr().lock(), " # {what}");
        }
    }
}

/// A line that a shell would take, indented as gcc has it.
fn say_command(words: &[String]) {
    let _ = writeln!(std::io::stderr().lock(), " {}", shown(words));
}

/// A command line to be shown and run.
#[derive(Clone, Debug)]
pub struct Tool {
    words: Vec<String>,
}

impl Tool {
    /// A command of the given words, the program first.
    pub fn of(words: Vec<String>) -> Tool {
        Tool { words }
    }

    /// Appends an argument.
    pub fn arg(mut self, word: impl Into<String>) -> Tool {
        self.words.push(word.into());
        self
    }

    /// Appends a file name. A name that begins with a dash gets `./` in front.
    pub fn path(self, path: &Path) -> Tool {
        let name = path.to_string_lossy();
        if name.starts_with('-') && name.len() > 1 {
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

    /// Runs the command with our standard streams.
    ///
    /// # Errors
    /// An environment failure if it cannot be started; [`Failure::reported`] if it failed, having said why.
    pub fn run(&self, show: Show) -> Result<(), Failure> {
        let Some(mut command) = self.command(show) else {
            return Ok(());
        };
        let status = command.status().map_err(|error| self.not_started(&error))?;
        self.check(status)
    }

    /// Runs the command and gives its standard output, nothing if commands are only shown. Errors as in [`Tool::run`].
    pub fn capture(&self, show: Show) -> Result<Vec<u8>, Failure> {
        let Some(mut command) = self.command(show) else {
            return Ok(Vec::new());
        };
        let output = command
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| self.not_started(&error))?;
        self.check(output.status)?;
        Ok(output.stdout)
    }

    /// Runs the command; what it says on standard error, and whether it failed, goes through `retold` before users see it. Errors as in [`Tool::run`].
    pub fn run_retold(
        &self,
        show: Show,
        retold: impl FnOnce(&str, bool) -> String,
    ) -> Result<(), Failure> {
        let Some(mut command) = self.command(show) else {
            return Ok(());
        };
        let output = command
            .stdout(Stdio::inherit())
            .output()
            .map_err(|error| self.not_started(&error))?;
        let text = retold(
            &String::from_utf8_lossy(&output.stderr),
            !output.status.success(),
        );
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
        self.check(output.status)
    }

    /// `None`: commands are only shown.
    fn command(&self, show: Show) -> Option<Command> {
        if show != Show::Nothing {
            say_command(&self.words);
        }
        let mut command = Command::new(self.program());
        command.args(self.words.iter().skip(1));
        (show != Show::Only).then_some(command)
    }

    fn program(&self) -> &str {
        self.words.first().map_or("cc", String::as_str)
    }

    fn check(&self, status: std::process::ExitStatus) -> Result<(), Failure> {
        use std::os::unix::process::ExitStatusExt as _;
        match status.signal() {
            _ if status.success() => Ok(()),
            Some(signal) => {
                let message = format!("`{}` was killed by signal {signal}", self.program());
                Err(Failure {
                    exit: Exit::Errors,
                    message,
                })
            }
            None => Err(Failure::reported()),
        }
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
fn shown(words: &[String]) -> String {
    // A word with a NUL byte cannot be quoted; it could not be run either.
    let quoted = words
        .iter()
        .map(|word| shlex::try_quote(word).unwrap_or(word.into()));
    quoted.collect::<Vec<_>>().join(" ")
}
