//! The machines that the user names: `UPC_NODES`, `UPC_NODEFILE`.
//!
//! Their names reach ssh as arguments, through MPI's launcher and through the driver's own reachability test. A name
//! that begins with a dash would be an option of ssh, and `-oProxyCommand=...` runs any command. Invalid names are
//! therefore rejected before anything is started.

use crate::cli::Failure;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Variables that name machines.
const LIST_VARIABLE: &str = "UPC_NODES";
const FILE_VARIABLE: &str = "UPC_NODEFILE";

/// Characters that a machine's name may contain besides letters and digits. They are needed for IPv6 addresses, users
/// before a name, process counts after a name, and the launchers' own notations for sets of machines.
const NAME_CHARACTERS: &str = ".-_:[]%@+^";

/// Characters after which a value may start in the launchers' own settings.
const VALUE_STARTS: [char; 5] = ['=', ':', '@', '"', '\''];

/// The machines of a job.
#[derive(Debug, PartialEq, Eq)]
pub enum Hosts {
    /// No machines are named.
    None,
    /// A file of machines, and the first word of each of its lines.
    File(PathBuf, Vec<String>),
    /// `node1:4`
    List(Vec<String>),
}

impl Hosts {
    /// Returns the machines that the environment names.
    ///
    /// # Errors
    /// A usage failure for an invalid name, an environment failure for a file that cannot be read.
    pub fn from_env() -> Result<Hosts, Failure> {
        if let Some(file) = std::env::var_os(FILE_VARIABLE).filter(|file| !file.is_empty()) {
            return Hosts::in_file(file);
        }
        match std::env::var(LIST_VARIABLE) {
            Ok(list) => Hosts::in_list(&list),
            Err(std::env::VarError::NotPresent) => Ok(Hosts::None),
            Err(std::env::VarError::NotUnicode(list)) => Err(no_name(
                &list.to_string_lossy(),
                LIST_VARIABLE,
                "it is not UTF-8",
            )),
        }
    }

    fn in_list(list: &str) -> Result<Hosts, Failure> {
        let names = list.split([',', ' ']).filter(|name| !name.is_empty());
        let names: Vec<String> = names.map(str::to_owned).collect();
        names
            .iter()
            .try_for_each(|name| check(name, LIST_VARIABLE))?;
        Ok(match names.is_empty() {
            true => Hosts::None,
            false => Hosts::List(names),
        })
    }

    fn in_file(file: OsString) -> Result<Hosts, Failure> {
        let file = PathBuf::from(file);
        let failed = |error: std::io::Error| Failure::io("read", &file, &error);
        // The launcher reads the file again. It must be a regular file, so that the launcher reads what was checked.
        if !std::fs::metadata(&file).map_err(failed)?.is_file() {
            return Err(Failure::environment(format!(
                "{FILE_VARIABLE}: {} is not a regular file",
                file.display()
            )));
        }
        let text = std::fs::read(&file).map_err(failed)?;
        let names = names_in(&String::from_utf8_lossy(&text))?;
        Ok(Hosts::File(with_slash(file), names))
    }

    /// Returns the names without duplicates.
    pub fn names(&self) -> Vec<String> {
        let words = match self {
            Hosts::None => &[][..],
            Hosts::List(words) | Hosts::File(_, words) => words,
        };
        // A line of a file may have several.
        let words = words.iter().flat_map(|word| word.split(','));
        let mut names: Vec<String> = words
            .filter(|word| !word.is_empty())
            .map(|word| name_of(word).to_owned())
            .collect();
        names.sort();
        names.dedup();
        names
    }
}

/// Returns a path that contains a slash: `-x` would be an option.
fn with_slash(file: PathBuf) -> PathBuf {
    match file.to_string_lossy().contains('/') {
        true => file,
        false => Path::new(".").join(file),
    }
}

/// Returns the name in `node1:4`. An address with colons is in brackets, which belong to it: `[fe80::1]:4`.
fn name_of(host: &str) -> &str {
    let from = host.find(']').unwrap_or(0);
    match host[from..].find(':') {
        Some(colon) => &host[..from + colon],
        None => host,
    }
}

/// Returns the first word of each line of a file. Any further words, such as `slots=4`, are for the launcher.
fn names_in(text: &str) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else {
            continue;
        };
        for name in first.split(',').filter(|name| !name.is_empty()) {
            check(name, FILE_VARIABLE)?;
        }
        // `-x`, `username=-x`, `username="-x"`: the launcher passes a user's name to ssh in front of the machine's.
        let is_option = |word: &str| word.split(VALUE_STARTS).any(|part| part.starts_with('-'));
        if let Some(word) = words.find(|word| is_option(word)) {
            return Err(no_name(word, FILE_VARIABLE, DASH));
        }
        names.push(first.to_owned());
    }
    Ok(names)
}

const DASH: &str = "a name that starts with a dash would be an option of the command that starts programs there (ssh)";

fn check(name: &str, variable: &str) -> Result<(), Failure> {
    let known = |letter: char| letter.is_ascii_alphanumeric() || NAME_CHARACTERS.contains(letter);
    if name.starts_with('-') || name.contains("@-") {
        return Err(no_name(name, variable, DASH));
    }
    match name.chars().find(|&letter| !known(letter)) {
        Some(letter) => {
            let reason = format!("names cannot contain {letter:?}");
            Err(no_name(name, variable, &reason))
        }
        None => Ok(()),
    }
}

fn no_name(name: &str, variable: &str, reason: &str) -> Failure {
    Failure::usage(format!("{variable}: `{name}` is not a host name: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words, and whether each is a valid name of a machine.
    const NAMES: &[(&str, bool)] = &[
        ("node1", true),
        ("node-1.example.org:4", true),
        ("user@node_2", true),
        ("[fe80::1%eth0]", true),
        ("+n0", true),
        ("-oProxyCommand=touch${IFS}pwned", false),
        ("-", false),
        ("--", false),
        ("-v", false),
        ("a@-oX", false),
        ("a;b", false),
        ("$(a)", false),
        ("`a`", false),
        ("a|b", false),
        ("/etc/passwd", false),
        ("a\u{1b}[2J", false),
        ("\"-oX\"", false),
        ("/**/-oX", false),
        ("k\u{f6}ln", false),
    ];

    #[test]
    fn a_name_ends_before_the_number_of_its_slots() {
        let list = Hosts::in_list("node1:4,node2,[fe80::1]:2,[fe80::2]").unwrap();
        assert_eq!(list.names(), ["[fe80::1]", "[fe80::2]", "node1", "node2"]);
    }

    #[test]
    fn what_may_name_a_machine() {
        for &(name, good) in NAMES {
            let list = Hosts::in_list(&format!("first:2,{name}"));
            assert_eq!(list.is_ok(), good, "UPC_NODES: {name}");
            for file in [
                format!("{name}\n"),
                format!("first slots=2\n  {name} slots=4 # text"),
                format!("first,{name}"),
            ] {
                assert_eq!(names_in(&file).is_ok(), good, "UPC_NODEFILE: {file}");
            }
        }
        for file in [
            "a -oX=y",
            "a\t-l",
            "a\r-oX",
            "a\x0b-oX",
            "a\x00-oX",
            "a slots=2 username=-oX",
            "a username = -oX",
            "a user_name=\"-oX\"",
            "a user-name='-oX'",
            "a login=x@-oX",
        ] {
            assert!(names_in(file).is_err(), "{file:?}");
        }
        assert!(names_in("a slots=2 max-slots=4 username=user-1").is_ok());
        let failure = Hosts::in_list("-oX").unwrap_err();
        assert!(
            failure
                .message
                .starts_with("UPC_NODES: `-oX` is not a host name")
        );
    }

    #[test]
    fn names_come_once_each_without_numbers() {
        let hosts = Hosts::in_list("b:2, a,b:4").unwrap();
        assert_eq!(hosts.names(), ["a", "b"]);
        assert_eq!(Hosts::in_list(" ,").unwrap(), Hosts::None);
        assert_eq!(names_in("# all\n\na slots=2\n").unwrap(), ["a"]);
        let names = names_in("b:2,c\na slots=2\nb slots=1\n").unwrap();
        assert_eq!(Hosts::File("f".into(), names).names(), ["a", "b", "c"]);
    }

    #[test]
    fn a_file_of_machines_is_named_by_a_path() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("nodes");
        std::fs::write(&file, "a\n").unwrap();
        let hosts = Hosts::in_file(file.clone().into()).unwrap();
        assert_eq!(hosts, Hosts::File(file, vec!["a".to_owned()]));
        for (given, path) in [("nodes", "./nodes"), ("-x", "./-x"), ("a/nodes", "a/nodes")] {
            assert_eq!(with_slash(given.into()), Path::new(path));
        }
        assert!(Hosts::in_file(folder.path().join("none").into()).is_err());
        assert!(Hosts::in_file(folder.path().into()).is_err());
    }
}
