//! The user's C compiler.

use super::exit::Failure;
use super::tool::{Show, Tool, shown};
use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

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
        Tool::of(self.words.clone()).with_input()
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

    /// Whether it lets us say how the names of dumps and notes begin: gcc does since its version 11. Errors as in [`Compiler::identity`].
    pub fn names_dumps(&self) -> Result<bool, Failure> {
        if !self.is_gcc()? {
            return Ok(false);
        }
        let version = self.tool().arg("-dumpversion").capture(Show::Nothing)?;
        let version = String::from_utf8_lossy(&version).into_owned();
        let major = version.trim().split('.').next().unwrap_or_default();
        Ok(major.parse::<u32>().is_ok_and(|major| major >= 11))
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
