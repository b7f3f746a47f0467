//! The flags by which a file is compiled: from `compile_commands.json` in its folder or one above, else those of the
//! editor's settings.

use crate::driver::split_words;
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

const DATABASE: &str = "compile_commands.json";

/// Where and with which flags a file is compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    pub folder: PathBuf,
    pub flags: Vec<String>,
}

/// One entry of a database.
struct Entry {
    file: PathBuf,
    command: Command,
}

/// A database as it was read.
struct Database {
    changed: Option<SystemTime>,
    entries: Vec<Entry>,
}

/// Finds flags, and keeps the databases that it has read.
#[derive(Default)]
pub struct Flags {
    /// The flags of files that no database lists.
    settings: Vec<String>,
    databases: HashMap<PathBuf, Database>,
}

impl Flags {
    /// Returns a finder with the flags of the editor's settings.
    pub fn new(settings: Vec<String>) -> Flags {
        Flags {
            settings,
            databases: HashMap::new(),
        }
    }

    /// Returns the command for a file: its own in the nearest database; for a file that is not listed, such as a header,
    /// that of a file in the same folder.
    ///
    /// # Errors
    /// The nearest database cannot be read; the text names it.
    pub fn of(&mut self, file: &Path) -> Result<Command, String> {
        let folder = file.parent().unwrap_or(Path::new("/"));
        let found = folder.ancestors().map(|above| above.join(DATABASE));
        let own = Command {
            folder: folder.to_path_buf(),
            flags: self.settings.clone(),
        };
        let Some(path) = found.into_iter().find(|path| path.is_file()) else {
            return Ok(own);
        };
        let entries = &self.database(&path)?.entries;
        let listed = entries.iter().find(|entry| entry.file == file);
        let beside = || {
            entries
                .iter()
                .find(|entry| entry.file.parent() == Some(folder))
        };
        Ok(listed
            .or_else(beside)
            .map_or(own, |entry| entry.command.clone()))
    }

    /// Returns a database, read again if it has changed.
    fn database(&mut self, path: &Path) -> Result<&Database, String> {
        let changed = std::fs::metadata(path)
            .and_then(|data| data.modified())
            .ok();
        let known = self.databases.get(path);
        if known.is_none_or(|known| known.changed != changed) {
            let entries = read(path)?;
            let database = Database { changed, entries };
            self.databases.insert(path.to_path_buf(), database);
        }
        self.databases
            .get(path)
            .ok_or_else(|| format!("{} has vanished", path.display()))
    }
}

/// Reads a database. An entry without file or command is skipped, as by other tools.
fn read(path: &Path) -> Result<Vec<Entry>, String> {
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let list: Vec<Value> = serde_json::from_str(&text)
        .map_err(|error| format!("{} is not a list of commands: {error}", path.display()))?;
    let base = path.parent().unwrap_or(Path::new("/"));
    Ok(list.iter().filter_map(|value| entry(value, base)).collect())
}

fn entry(value: &Value, base: &Path) -> Option<Entry> {
    let folder = base.join(value["directory"].as_str().unwrap_or("."));
    let file = clean(&folder.join(value["file"].as_str()?));
    let words: Vec<String> = match (&value["arguments"], value["command"].as_str()) {
        (Value::Array(words), _) => {
            let words = words.iter().map(|word| word.as_str().map(str::to_owned));
            words.collect::<Option<_>>()?
        }
        (_, Some(command)) => split_words(command, DATABASE).ok()?,
        (_, None) => return None,
    };
    // `ccache upcc` and the like: flags begin after the compiler.
    let programs = words.iter().take_while(|word| !word.starts_with('-'));
    let compiler = |word: &&String| {
        Path::new(word)
            .file_name()
            .is_some_and(|name| name == "upcc")
    };
    let first = programs
        .clone()
        .position(|word| compiler(&word))
        .unwrap_or(0);
    let flags = words.get(first + 1..).unwrap_or_default().to_vec();
    Some(Entry {
        file,
        command: Command { folder, flags },
    })
}

/// Returns a path without `.` and `..`.
pub fn clean(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                cleaned.pop();
            }
            part => cleaned.push(part),
        }
    }
    cleaned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_listed_files_and_of_their_headers() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path();
        std::fs::create_dir(base.join("src")).unwrap();
        let text = r#"[{"directory": "build", "file": "../src/a.upc",
            "arguments": ["ccache", "upcc", "-DA=1", "-c", "../src/a.upc"]},
            {"directory": ".", "file": "b.upc", "command": "upcc '-DB=x y' -c b.upc"}, {"file": "c.upc"}]"#;
        std::fs::write(base.join(DATABASE), text).unwrap();
        let mut flags = Flags::new(vec!["-T=2".to_owned()]);
        let of = |flags: &mut Flags, name: &str| flags.of(&base.join(name)).unwrap();
        let a = of(&mut flags, "src/a.upc");
        assert_eq!(a.flags, ["-DA=1", "-c", "../src/a.upc"]);
        assert_eq!(a.folder, base.join("build"));
        assert_eq!(of(&mut flags, "src/a.h"), a);
        assert_eq!(of(&mut flags, "b.upc").flags[0], "-DB=x y");
        std::fs::create_dir(base.join("other")).unwrap();
        assert_eq!(of(&mut flags, "other/d.upc").flags, ["-T=2"]);
        std::fs::write(base.join("src").join(DATABASE), "{").unwrap();
        assert!(
            flags
                .of(&base.join("src/a.upc"))
                .unwrap_err()
                .contains(DATABASE)
        );
    }
}
