//! The user's C compiler.

use super::tool::{Show, Tool, shown};
use crate::cli::Failure;
use crate::types::{IntKind, Machine};
use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The user's C compiler: a program and the arguments that always come first (`ccache gcc -m32`).
#[derive(Clone, Debug)]
pub struct Compiler {
    words: Vec<String>,
    /// Its output for `--version`, once it has been asked.
    version: OnceLock<String>,
}

impl Compiler {
    /// Returns the compiler of `UPCC_CC`, else `CC`, else `cc`. A `CC` that names `upcc` itself (`make CC=upcc` exports
    /// it) is ignored.
    ///
    /// # Errors
    /// A usage failure for unbalanced quotes.
    pub fn from_env() -> Result<Compiler, Failure> {
        for variable in ["UPCC_CC", "CC"] {
            let Ok(value) = std::env::var(variable) else {
                continue;
            };
            let words = super::settings::split_words(&value, variable)?;
            let itself = words.iter().any(|word| {
                Path::new(word)
                    .file_name()
                    .is_some_and(|name| name == "upcc")
            });
            if !words.is_empty() && !itself {
                return Ok(Compiler::of(words));
            }
        }
        Ok(Compiler::of(vec!["cc".to_owned()]))
    }

    fn of(words: Vec<String>) -> Compiler {
        let version = OnceLock::new();
        Compiler { words, version }
    }

    /// Returns its program, and the arguments that always come first.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Returns a new command line of this compiler.
    pub fn tool(&self) -> Tool {
        Tool::of(self.words.clone()).with_input()
    }

    /// Returns the compiler as one program that can be started without further words, made in `folder` if necessary.
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

    /// Returns whether this is gcc; not all compilers have its options. Errors as in [`Compiler::identity`].
    pub fn is_gcc(&self) -> Result<bool, Failure> {
        Ok(self.identity()?.contains("Free Software Foundation"))
    }

    /// Returns whether the compiler has an option for the prefix of dumps and notes: gcc does since version 11. Errors
    /// as in [`Compiler::identity`].
    pub fn names_dumps(&self) -> Result<bool, Failure> {
        if !self.is_gcc()? {
            return Ok(false);
        }
        let version = self.tool().arg("-dumpversion").capture(Show::Nothing)?;
        let version = String::from_utf8_lossy(&version).into_owned();
        let major = version.trim().split('.').next().unwrap_or_default();
        Ok(major.parse::<u32>().is_ok_and(|major| major >= 11))
    }

    /// True for a compiler whose name and flags name no machine. To ask it takes clang 20 ms, for each file.
    fn is_for_this_machine(&self, flags: &[String]) -> bool {
        let [program] = self.words.as_slice() else {
            return false;
        };
        let name = Path::new(program).file_name().unwrap_or_default();
        let name = name.to_string_lossy();
        let is_version = |end: &str| end.chars().all(|c| c.is_ascii_digit() || c == '.');
        let base = match name.rsplit_once('-') {
            Some((base, end)) if is_version(end) => base,
            _ => &name,
        };
        let names_target = |flag: &String| flag.starts_with("--target") || flag == "-target";
        ["cc", "gcc", "clang"].contains(&base) && !flags.iter().any(names_target)
    }

    /// Returns whether the compiler is called by the name of the system's gcc or clang, without a version.
    pub fn is_of_the_system(&self) -> bool {
        let [program] = self.words.as_slice() else {
            return false;
        };
        let name = Path::new(program).file_name().unwrap_or_default();
        ["cc", "gcc", "clang"].iter().any(|known| name == *known)
    }

    /// Returns what the compiler's target decides about types. Only a compiler for other machines is asked for its
    /// macros, which takes longer.
    ///
    /// # Errors
    /// An environment failure if it cannot be started.
    pub fn machine(&self, flags: &[String]) -> Result<Machine, Failure> {
        if self.is_for_this_machine(flags) {
            return Ok(Machine::default());
        }
        let tool = self.tool().without_input().args(flags.iter().cloned());
        // A flag that the compiler refuses is reported when it preprocesses.
        let said = |words: &[&str]| -> Result<String, Failure> {
            let tool = tool.clone().args(words.iter().copied());
            let output = tool.attempt(Show::Nothing)?;
            let text = output.map(|output| output.stdout).unwrap_or_default();
            Ok(String::from_utf8_lossy(&text).into_owned())
        };
        let host = Machine::default();
        if said(&["-dumpmachine"])?.starts_with(std::env::consts::ARCH) {
            return Ok(host);
        }
        let macros = said(&["-E", "-dM", "-x", "c", "/dev/null"])?;
        let wchar = |words: &str| match words {
            "int" => Some(IntKind::Int),
            "unsigned int" => Some(IntKind::UInt),
            "long int" => Some(IntKind::Long),
            _ => None,
        };
        Ok(macros.lines().fold(
            Machine {
                unsigned_char: false,
                x86: false,
                unnamed_aligns: false,
                ..host
            },
            |machine, line| match line
                .strip_prefix("#define ")
                .and_then(|m| m.split_once(' '))
            {
                Some(("__CHAR_UNSIGNED__", _)) => Machine {
                    unsigned_char: true,
                    ..machine
                },
                Some(("__x86_64__" | "__i386__", _)) => Machine {
                    x86: true,
                    ..machine
                },
                Some(("__aarch64__" | "__arm__", _)) => Machine {
                    unnamed_aligns: true,
                    ..machine
                },
                Some(("__WCHAR_TYPE__", words)) => Machine {
                    wchar: wchar(words).unwrap_or(machine.wchar),
                    ..machine
                },
                _ => machine,
            },
        ))
    }

    /// Returns whether the compiler's C library is glibc.
    ///
    /// # Errors
    /// An environment failure if it cannot be started.
    pub fn has_glibc(&self) -> Result<bool, Failure> {
        let words = [
            "-E",
            "-dM",
            "-include",
            "features.h",
            "-x",
            "c",
            "/dev/null",
        ];
        let tool = self.tool().without_input().args(words);
        let output = tool.attempt(Show::Nothing)?;
        let macros = output.map(|output| output.stdout).unwrap_or_default();
        Ok(String::from_utf8_lossy(&macros).contains("#define __GLIBC__ "))
    }

    /// Returns the text that describes this compiler: its command and its output for `--version`.
    ///
    /// # Errors
    /// An environment failure if it cannot be started.
    pub fn identity(&self) -> Result<String, Failure> {
        Ok(format!("{}\n{}", self.words.join(" "), self.version()?))
    }

    /// Returns the text that distinguishes what this compiler makes from what others make: the same for `cc`, `gcc` and
    /// `/usr/bin/gcc` if they are one program.
    ///
    /// # Errors
    /// An environment failure if it cannot be started.
    pub fn essence(&self) -> Result<String, Failure> {
        let version = self.version()?;
        let Some((name, options)) = self.words.split_first() else {
            return Ok(version.to_owned());
        };
        let base = Path::new(name).file_name().unwrap_or_default();
        // gcc begins with the name that it is called by. Other names than these two may stand for another machine, where
        // one program, such as ccache, acts for compilers by the names of its links.
        let names = base.to_str().filter(|base| ["cc", "gcc"].contains(base));
        let version = names
            .and_then(|base| version.strip_prefix(base))
            .unwrap_or(version);
        let program = found(name).map_or(name.clone(), |path| path.display().to_string());
        Ok(format!("{program} {}\n{version}", options.join(" ")))
    }

    fn version(&self) -> Result<&str, Failure> {
        if let Some(text) = self.version.get() {
            return Ok(text);
        }
        let text = self.tool().arg("--version").capture(Show::Nothing)?;
        let text = String::from_utf8_lossy(&text).into_owned();
        Ok(self.version.get_or_init(|| text))
    }
}

/// Returns the file behind a command's name, without links. `None`: there is none.
fn found(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return std::fs::canonicalize(name).ok();
    }
    let folders = std::env::var_os("PATH")?;
    let mut files = std::env::split_paths(&folders).map(|folder| folder.join(name));
    files
        .find(|file| file.is_file())
        .and_then(|file| std::fs::canonicalize(file).ok())
}
