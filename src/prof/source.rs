//! Lines of the user's source.

use hashbrown::HashMap;
use std::path::PathBuf;

/// The source files read so far.
#[derive(Debug)]
pub struct Sources {
    /// The folders in which to look for files that do not exist at their own path.
    folders: Vec<PathBuf>,
    files: HashMap<String, Option<Vec<String>>>,
}

/// Larger files are not treated as source.
const LARGEST: u64 = 16 << 20;

impl Sources {
    /// Returns the initial state, without files.
    pub fn new(folders: Vec<PathBuf>) -> Sources {
        Sources {
            folders,
            files: HashMap::new(),
        }
    }

    /// Returns the text of a line without surrounding blanks; `None` if the file does not exist, or has changed so that
    /// it has no such line.
    pub fn line(&mut self, file: &str, line: u32) -> Option<&str> {
        let at = usize::try_from(line).ok()?.checked_sub(1)?;
        self.lines(file)?.get(at).map(|text| text.trim())
    }

    /// Returns the lines of a file; `None` if it does not exist.
    pub fn lines(&mut self, file: &str) -> Option<&[String]> {
        let folders = &self.folders;
        let lines = self
            .files
            .entry(file.to_owned())
            .or_insert_with(|| read(folders, file));
        lines.as_deref()
    }
}

fn read(folders: &[PathBuf], file: &str) -> Option<Vec<String>> {
    let name = PathBuf::from(file);
    let base = name.file_name().map(PathBuf::from);
    let inside = folders.iter().flat_map(|folder| {
        let base = base.iter().map(|base| folder.join(base));
        std::iter::once(folder.join(file)).chain(base)
    });
    let path = std::iter::once(name).chain(inside).find(|path| {
        let data = path.metadata();
        data.is_ok_and(|data| data.is_file() && data.len() <= LARGEST)
    })?;
    let text = std::fs::read(path).ok()?;
    let text = String::from_utf8_lossy(&text);
    Some(text.lines().map(str::to_owned).collect())
}
