//! Which variables of the environment reach the program on other machines.
//!
//! srun and MPICH's launcher hand on the whole environment by themselves. Open MPI's launcher needs the name of each
//! variable.

use crate::cli::Failure;
use std::ffi::OsString;

/// The variable that names the folder for temporary files. Open MPI's launcher gets another value than the program
/// ([`JobFolder`](super::job_folder::JobFolder)).
pub const TMPDIR: &str = "TMPDIR";

/// Variables of the login, the shell and its terminal: another machine has its own.
const OF_SHELL: &[&str] = &[
    "_",
    "COLUMNS",
    "DISPLAY",
    "HOME",
    "HOST",
    "HOSTNAME",
    "IFS",
    "LINES",
    "LOGNAME",
    "LS_COLORS",
    "MAIL",
    "OLDPWD",
    "OPTIND",
    "PPID",
    "PROMPT_COMMAND",
    "PS1",
    "PS2",
    "PS3",
    "PS4",
    "PWD",
    "SHELL",
    "SHELLOPTS",
    "SHLVL",
    "TERM",
    "TERMCAP",
    "UID",
    "USER",
    "WINDOWID",
];

/// Beginnings of the names of such variables, and of those by which launchers talk to their own processes.
const OF_OTHERS: &[&str] = &[
    "BASH", "DBUS_", "HIST", "HYDRA_", "HYD_", "MPIEXEC_", "OMPI_", "ORTE_", "PMIX_", "PMI_",
    "PRTE_", "SLURM_", "SSH_", "TMUX", "UPCRUN_", "XDG_", "ZSH",
];

/// Returns whether a name can be handed to a launcher, which would take other characters for separators.
fn is_name(name: &str) -> bool {
    let known = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    !name.is_empty() && name.chars().all(known) && !name.starts_with(|c: char| c.is_ascii_digit())
}

/// Returns whether a variable reaches other machines though the user has not named it.
fn travels(name: &str) -> bool {
    let of_others = OF_OTHERS.iter().any(|prefix| name.starts_with(prefix));
    is_name(name) && !OF_SHELL.contains(&name) && !of_others
}

/// Returns the variables to forward: those of the environment that are not the shell's own, and those that are named or
/// set by `upcrun`, sorted. Each is a name, but TMPDIR has its value behind it; without one programs use `/tmp`.
pub fn forwarded(named: &[String], set: &[(&'static str, String)]) -> Vec<OsString> {
    let inherited = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let mut names: Vec<String> = inherited
        .filter(|name| travels(name))
        .chain(named.iter().cloned())
        .chain(set.iter().map(|(name, _)| (*name).to_owned()))
        .filter(|name| name != TMPDIR)
        .collect();
    names.sort();
    names.dedup();
    let mut folder = OsString::from(format!("{TMPDIR}="));
    folder.push(std::env::var_os(TMPDIR).unwrap_or_else(|| "/tmp".into()));
    names
        .into_iter()
        .map(OsString::from)
        .chain([folder])
        .collect()
}

/// Returns the names in the value of `-E` that the environment has. A job script may name others, which have nothing to
/// pass on.
///
/// # Errors
/// A usage failure for a word that is no name.
pub fn named(list: &str) -> Result<Vec<String>, Failure> {
    let names = list
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty());
    let check = |name: &str| match is_name(name) {
        true => Ok(name.to_owned()),
        false => Err(Failure::usage(format!(
            "`-E {list}`: `{name}` is not the name of a variable"
        ))),
    };
    let mut names = names.map(check).collect::<Result<Vec<String>, Failure>>()?;
    names.retain(|name| std::env::var_os(name).is_some());
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_travels() {
        for (name, does) in [
            ("OMP_NUM_THREADS", true),
            ("LD_LIBRARY_PATH", true),
            ("PATH", true),
            ("UPC_CACHE", true),
            ("GASNET_X", true),
            ("MY_INPUT", true),
            ("PWD", false),
            ("HOME", false),
            ("SSH_AUTH_SOCK", false),
            ("SLURM_PROCID", false),
            ("OMPI_MCA_btl", false),
            ("BASH_FUNC_which%%", false),
            ("A.B", false),
            ("1A", false),
            ("", false),
        ] {
            assert_eq!(travels(name), does, "{name}");
        }
    }

    #[test]
    fn what_is_named() {
        // Cargo sets this one.
        let given = named("CARGO_PKG_NAME,HOME").unwrap();
        let all = forwarded(&given, &[]);
        assert!(all.contains(&"HOME".into()));
        let folder = std::env::var_os(TMPDIR).unwrap_or_else(|| "/tmp".into());
        let last = all.last().unwrap().to_string_lossy().into_owned();
        assert_eq!(last, format!("TMPDIR={}", folder.display()));
        assert_eq!(
            named("NO_SUCH_VARIABLE_HERE").unwrap(),
            Vec::<String>::new()
        );
        for list in ["A=1", "a;b"] {
            assert!(named(list).is_err(), "{list}");
        }
    }
}
