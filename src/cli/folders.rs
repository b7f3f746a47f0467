//! The folders of a user, as the XDG Base Directory Specification has them.

use std::path::PathBuf;

/// Returns the folder that a variable of the environment names. A relative path counts as none.
pub fn named(variable: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(variable).map(PathBuf::from);
    folder.filter(|path| path.is_absolute())
}

/// Returns the folder that the environment variable names, or else `in_home` below the user's home folder.
pub fn of_user(variable: &str, in_home: &str) -> Option<PathBuf> {
    named(variable).or_else(|| Some(named("HOME")?.join(in_home)))
}
