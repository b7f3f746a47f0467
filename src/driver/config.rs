//! Options that take effect before those of the command line: a configuration file and `UPCC_FLAGS`.
//!
//! The file is the first that exists of `$XDG_CONFIG_HOME/upcc/upccrc`, `~/.config/upcc/upccrc` and `~/.upccrc`, or the
//! one of `-conf=FILE`. Its lines are `option = value`, as in Berkeley UPC: `default_options = -O -network=smp`, or the
//! long name of an option of `upcc` (`_` and `-` are the same) with its value, `yes` or `no` for an option without one.
//! Unknown names are skipped with a note at `-v`: the file may have been written for another compiler.

use super::option_table::OPTIONS;
use super::optspec::Form;
use super::settings::split_words;
use crate::cli::{Failure, folders};
use std::path::{Path, PathBuf};

/// The key whose value is a command line.
const DEFAULT_OPTIONS: &str = "default_options";

/// The environment variables that affect the configuration.
#[derive(Debug, Default)]
pub struct Environment {
    /// `UPCC_FLAGS`
    pub flags: Option<String>,
    /// `UPCC_NORC`: no file is read.
    pub norc: bool,
    /// The candidate paths of the file, in order.
    pub files: Vec<PathBuf>,
}

impl Environment {
    /// Reads the environment of this process.
    pub fn read() -> Environment {
        let xdg = folders::named("XDG_CONFIG_HOME").map(|config| config.join("upcc/upccrc"));
        let home = folders::named("HOME");
        let in_home = home
            .iter()
            .flat_map(|home| [home.join(".config/upcc/upccrc"), home.join(".upccrc")]);
        Environment {
            flags: std::env::var("UPCC_FLAGS").ok(),
            norc: std::env::var_os("UPCC_NORC").is_some(),
            files: xdg.into_iter().chain(in_home).collect(),
        }
    }
}

/// The options that precede the command line.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Defaults {
    /// Arguments.
    pub words: Vec<String>,
    /// Lines without effect, reported in a note.
    pub ignored: Vec<String>,
}

impl Defaults {
    /// Returns the defaults for a command line `args`, which may name another file or disable all files.
    ///
    /// # Errors
    /// A usage failure for a malformed file or variable, an environment failure if the file of `-conf` cannot be read.
    pub fn find(args: &[String], environment: &Environment) -> Result<Defaults, Failure> {
        let flags = environment.flags.as_deref().unwrap_or_default();
        let flags = split_words(flags, "UPCC_FLAGS")?;
        let typed = || flags.iter().chain(args).take_while(|word| *word != "--");
        let norc = environment.norc || typed().any(|word| long(word) == Some("norc"));
        let mut defaults = match named(typed()) {
            _ if norc => Defaults::default(),
            Some(file) => read(Path::new(&file))?,
            None => match environment.files.iter().find(|file| file.is_file()) {
                Some(file) => read(file)?,
                None => Defaults::default(),
            },
        };
        defaults.words.extend(flags);
        Ok(defaults)
    }
}

/// Returns an option's name without its dashes.
fn long(word: &str) -> Option<&str> {
    let name = word.strip_prefix('-')?;
    Some(name.strip_prefix('-').unwrap_or(name))
}

/// Returns the file of `-conf=FILE` or `-conf FILE`.
fn named<'a>(typed: impl Iterator<Item = &'a String>) -> Option<String> {
    let mut typed = typed.skip_while(|word| {
        !long(word).is_some_and(|name| name == "conf" || name.starts_with("conf="))
    });
    match typed.next()?.split_once('=') {
        Some((_, file)) => Some(file.to_owned()),
        None => typed.next().cloned(),
    }
}

fn read(file: &Path) -> Result<Defaults, Failure> {
    let text = std::fs::read_to_string(file).map_err(|error| Failure::io("read", file, &error))?;
    let mut defaults = Defaults::default();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let place = format!("{}:{}", file.display(), index + 1);
        let Some((key, value)) = line.split_once('=') else {
            return Err(Failure::usage(format!(
                "{place}: `{line}` is not of the form option = value"
            )));
        };
        let (key, value) = (key.trim(), value.trim());
        if key == DEFAULT_OPTIONS {
            defaults.words.extend(split_words(value, &place)?);
        } else {
            match word(key, value) {
                Some(word) => defaults.words.extend(word),
                None => defaults.ignored.push(format!("{place}: {line}")),
            }
        }
    }
    Ok(defaults)
}

/// Returns the argument that a line stands for: `Some(None)` if its value is `no`, `None` if the option does not exist.
fn word(key: &str, value: &str) -> Option<Option<String>> {
    let name = key.replace('_', "-");
    let spec = OPTIONS
        .iter()
        .find(|spec| name.len() > 1 && spec.names.contains(&name.as_str()))?;
    let with_value = || Some(Some(format!("-{name}={value}")));
    match (spec.form, value) {
        (Form::Flag | Form::Optional | Form::OptionalNumber, "yes") => {
            Some(Some(format!("-{name}")))
        }
        (Form::Flag | Form::Optional | Form::OptionalNumber, "no") => Some(None),
        (Form::Value | Form::Any | Form::Optional | Form::OptionalNumber, _) => with_value(),
        (
            Form::Flag
            | Form::Help
            | Form::Version
            | Form::Joined
            | Form::Separate
            | Form::JoinedOrSeparate
            | Form::OptionalValue,
            _,
        ) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(args: &str, file: &str, flags: &str) -> Defaults {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("upccrc");
        std::fs::write(&path, file).unwrap();
        let environment = Environment {
            flags: Some(flags.to_owned()),
            norc: false,
            files: vec![folder.path().join("missing"), path],
        };
        let args: Vec<String> = args.split_whitespace().map(str::to_owned).collect();
        Defaults::find(&args, &environment).unwrap()
    }

    #[test]
    fn lines_become_words_before_the_variables() {
        let file = "# mine\ndefault_options = -O -D 'X=a b'\nshared_heap = 64MB\nsave-temps = yes\nlines = no\nconduits = smp\n";
        let found = find("a.upc", file, "-T4");
        assert_eq!(
            found.words,
            [
                "-O",
                "-D",
                "X=a b",
                "-shared-heap=64MB",
                "-save-temps",
                "-T4"
            ]
        );
        assert_eq!(found.ignored.len(), 1);
        assert!(find("--norc a.upc", file, "").words.is_empty());
        assert!(find("-conf /dev/null a.upc", file, "").words.is_empty());
    }

    #[test]
    fn a_named_file_must_be_there() {
        let args = ["-conf=/no/such/file".to_owned()];
        let failure = Defaults::find(&args, &Environment::default()).unwrap_err();
        assert!(failure.message.contains("/no/such/file"));
    }
}
