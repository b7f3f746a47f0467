//! The references of the recorded program: from a file, or from `upcc --emit=refs-json` for its sources.

use super::super::model::Recording;
use crate::cli::Failure;
use crate::cli::tools::beside;
use crate::references::References;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where references come from.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Files that `upcc --emit=refs-json` has written.
    pub files: Vec<PathBuf>,
    /// Flags of `upcc` for the sources.
    pub flags: Vec<String>,
    /// Folders with sources.
    pub folders: Vec<PathBuf>,
}

/// Returns the references, and what could not be read, in sentences.
///
/// # Errors
/// A file that was named cannot be read, or `upcc` cannot be started.
pub fn references(
    of: &dyn Recording,
    asked: &Asked,
) -> Result<(Option<References>, Vec<String>), Failure> {
    let mut all = References::default();
    let mut notes = Vec::new();
    for path in &asked.files {
        let text =
            std::fs::read_to_string(path).map_err(|error| Failure::io("read", path, &error))?;
        let read: References = serde_json::from_str(&text).map_err(|error| {
            Failure::environment(format!(
                "{} is not what upcc --emit=refs-json writes: {error}",
                path.display()
            ))
        })?;
        all.extend(read);
    }
    if asked.files.is_empty() {
        for name in sources(of) {
            match emitted(&name, asked)? {
                Ok(mut read) => {
                    // The recording has the name that the compiler was given then.
                    read.loops
                        .iter_mut()
                        .for_each(|it| it.file.clone_from(&name));
                    all.extend(read);
                }
                Err(why) => notes.push(why),
            }
        }
    }
    let found = (!all.loops.is_empty()).then_some(all);
    if found.is_none() {
        notes.push(
            "nothing is known of the program's references: each is taken as a single access"
                .to_owned(),
        );
    }
    Ok((found, notes))
}

/// The UPC sources of the program's events.
fn sources(of: &dyn Recording) -> BTreeSet<String> {
    let tables = of.tables();
    let files = tables.sites.iter().map(|site| tables.text(site.file));
    files
        .filter(|name| Path::new(name).extension().is_some_and(|it| it == "upc"))
        .map(str::to_owned)
        .collect()
}

/// What `upcc` says of a source; or why it says nothing.
fn emitted(name: &str, asked: &Asked) -> Result<Result<References, String>, Failure> {
    let file = Path::new(name).file_name().unwrap_or_default();
    let places = asked.folders.iter().map(|folder| folder.join(file));
    let mut places = std::iter::once(PathBuf::from(name)).chain(places);
    let Some(path) = places.find(|path| path.is_file()) else {
        return Ok(Err(format!(
            "the source {name} is not here: --source-dir says where it is"
        )));
    };
    let mut upcc = Command::new(beside("upcc")?);
    upcc.args(["--emit=refs-json", "-w"])
        .args(&asked.flags)
        .arg(&path);
    let output = upcc
        .stdin(Stdio::null())
        .output()
        .map_err(|error| Failure::io("start", Path::new("upcc"), &error))?;
    let read = serde_json::from_slice(&output.stdout).ok();
    Ok(read.filter(|_| output.status.success()).ok_or_else(|| {
        let why = String::from_utf8_lossy(&output.stderr);
        let why = why.lines().next().unwrap_or_default().to_owned();
        format!("upcc does not translate {name} (--upcc-flags passes flags): {why}")
    }))
}
