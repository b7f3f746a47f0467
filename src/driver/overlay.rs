//! Folders in which the unsaved texts of headers stand in for their files.
//!
//! C compilers read headers from folders. For each folder of the search that holds an unsaved header, at any depth, the
//! overlay has a folder with the unsaved texts and, beside them, links to all other files. So a header that is found
//! there finds its neighbours there, too. In the preprocessor's output, the names of the original folders return.

use crate::cli::Failure;
use crate::cli::temp_files::Temps;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// Unsaved texts, by their files.
pub type Unsaved = [(PathBuf, String)];

/// The folders that stand in for others.
#[derive(Debug, Default)]
pub struct Overlay {
    /// The folder here, and the original one as the command line names it.
    places: Vec<(String, String)>,
}

/// A text to write: its path below the folder, and its contents.
type Below<'t> = (PathBuf, &'t str);

impl Overlay {
    /// Makes the folders. `roots`: the folders of the search, as the command line names them, relative to `folder`.
    ///
    /// # Errors
    /// An environment failure if a folder or file cannot be made in `temps`.
    pub fn new<'r>(
        roots: impl Iterator<Item = &'r str>,
        folder: &Path,
        unsaved: &Unsaved,
        temps: &Temps,
    ) -> Result<Overlay, Failure> {
        let mut overlay = Overlay::default();
        let all = temps.file("overlay");
        if all.exists() {
            fs::remove_dir_all(&all).map_err(|error| Failure::io("remove", &all, &error))?;
        }
        for root in roots {
            let original = folder.join(root);
            let texts: Vec<Below<'_>> = unsaved
                .iter()
                .filter_map(|(path, text)| {
                    let path = path.strip_prefix(&original).ok()?;
                    Some((path.to_path_buf(), text.as_str()))
                })
                .collect();
            if texts.is_empty() {
                continue;
            }
            let place = all.join(overlay.places.len().to_string());
            fs::create_dir_all(&all)
                .and_then(|()| grow(&original, &place, &texts))
                .map_err(|error| Failure::io("write", &place, &error))?;
            let place = place.to_string_lossy().into_owned();
            overlay.places.push((place, root.to_owned()));
        }
        Ok(overlay)
    }

    /// Returns the folder that stands in for another.
    pub fn of(&self, root: &str) -> Option<&str> {
        let found = self.places.iter().find(|(_, original)| original == root);
        found.map(|(place, _)| place.as_str())
    }

    /// Returns a text of the preprocessor with the names of the original folders.
    pub fn restored(&self, text: String) -> String {
        self.places.iter().fold(text, |text, (place, original)| {
            match text.contains(place.as_str()) {
                true => text.replace(&format!("{place}/"), &format!("{original}/")),
                false => text,
            }
        })
    }
}

/// Makes the folder `place` for `original`, with links to what no text replaces.
fn grow(original: &Path, place: &Path, texts: &[Below<'_>]) -> io::Result<()> {
    fs::create_dir(place)?;
    let mut inner: BTreeMap<OsString, Vec<Below<'_>>> = BTreeMap::new();
    for (path, text) in texts {
        let mut parts = path.components();
        if let Some(first) = parts.next() {
            let rest = parts.as_path().to_path_buf();
            let name = first.as_os_str().to_owned();
            inner.entry(name).or_default().push((rest, text));
        }
    }
    // A header may be in a folder that is not there yet.
    for entry in fs::read_dir(original).into_iter().flatten().flatten() {
        if !inner.contains_key(&entry.file_name()) {
            symlink(entry.path(), place.join(entry.file_name()))?;
        }
    }
    for (name, texts) in inner {
        let here = place.join(&name);
        match texts.iter().find(|(rest, _)| rest.as_os_str().is_empty()) {
            Some((_, text)) => fs::write(&here, text)?,
            None => grow(&original.join(&name), &here, &texts)?,
        }
    }
    Ok(())
}
