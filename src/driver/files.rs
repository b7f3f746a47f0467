//! Whether the files of a command line can be read and written, before anything runs: each tool would say it in its own
//! words, some of them late.

use super::settings::Options;
use crate::cli::Failure;
use rustix::fs::{Access, access};
use rustix::io::Errno;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::Path;
use upcc_grammar::spell::closest;

/// Checks the inputs and the output of a command line.
///
/// # Errors
/// An environment failure for the first file that cannot be used.
pub fn check(options: &Options) -> Result<(), Failure> {
    for (input, _) in options.inputs().filter(|(input, _)| is_named(input)) {
        readable(input).map_err(|error| unreadable(input, &error))?;
    }
    match &options.product.output {
        Some(output) if is_named(output) => {
            writable(output).map_err(|error| Failure::io("write", output, &error))
        }
        _ => Ok(()),
    }
}

/// Whether a name is that of a file, not of standard input or output.
fn is_named(path: &Path) -> bool {
    path != Path::new("-")
}

fn readable(path: &Path) -> io::Result<()> {
    let meta = fs::metadata(path)?;
    if meta.is_dir() {
        return Err(Errno::ISDIR.into());
    }
    // To open a pipe could block.
    match meta.is_file() {
        true => File::open(path).map(drop),
        false => Ok(()),
    }
}

fn writable(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(meta) if meta.is_dir() => return Err(Errno::ISDIR.into()),
        Ok(_) => return Ok(()),
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        Err(_) => {}
    }
    let folder = folder_of(path);
    if !fs::metadata(folder)?.is_dir() {
        return Err(Errno::NOTDIR.into());
    }
    Ok(access(folder, Access::WRITE_OK | Access::EXEC_OK)?)
}

fn folder_of(path: &Path) -> &Path {
    let folder = path.parent();
    let folder = folder.filter(|folder| *folder != Path::new(""));
    folder.unwrap_or(Path::new("."))
}

/// The failure for an input, with the name of a file in the same folder that may be meant.
fn unreadable(path: &Path, error: &io::Error) -> Failure {
    let mut failure = Failure::io("read", path, error);
    if error.kind() == ErrorKind::NotFound
        && let Some(near) = near(path)
    {
        failure.message += &format!("; did you mean `{near}`?");
    }
    failure
}

/// The file of the same folder whose name is nearest: that of the UPC source if only the ending is missing.
fn near(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let source = path.with_file_name(format!("{name}.upc"));
    if source.is_file() {
        return Some(source.display().to_string());
    }
    let entries = fs::read_dir(folder_of(path)).ok()?;
    let files = entries.flatten().filter(|entry| entry.path().is_file());
    let mut names: Vec<String> = files
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|other| Path::new(other).extension() == path.extension())
        .collect();
    names.sort();
    let near = closest(name, names.iter().map(String::as_str))?;
    Some(path.with_file_name(near).display().to_string())
}
