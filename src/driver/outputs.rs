//! Where results go: what they are called, and that they are there whole or not at all.

use super::compile::Session;
use super::exit::Failure;
use super::options::{SaveTemps, Stop};
use super::temp_files::Leftover;
use super::tool::{Show, Tool};
use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// Flags by which the C compiler writes more than an object: beside it, or where the program will look for it.
const BESIDE: &[&str] = &[
    "--coverage",
    "-coverage",
    "-ftest-coverage",
    "-fprofile",
    "-gsplit-dwarf",
    "-fdump-",
    "-fstack-usage",
    "-fcallgraph-info",
    "-fsave-optimization-record",
    "-ftime-trace",
];

/// The rule that `-MD` asks for.
#[derive(Debug, Default)]
pub struct Dependencies {
    /// What depends on the headers.
    pub target: PathBuf,
    /// Where that is written.
    pub file: PathBuf,
}

impl Session<'_> {
    /// The object of an input: where the user wants it with `-c`, else temporary.
    pub fn object_name(&self, input: &Path, index: usize) -> PathBuf {
        match (&self.options.output, self.options.stop) {
            (Some(output), Stop::Object) => output.clone(),
            (_, Stop::Object) => local_name(input, "o"),
            _ => self.intermediate(input, index, "o"),
        }
    }

    /// An intermediate file: kept with `-save-temps`, else temporary, where each input has a folder, as names in different folders may be equal.
    pub fn intermediate(&self, input: &Path, index: usize, ending: &str) -> PathBuf {
        let name = local_name(input, ending);
        let beside = |output: &PathBuf| output.parent().map(|folder| folder.join(&name));
        match self.options.save_temps {
            SaveTemps::No => {
                let folder = self.temps.file(&index.to_string());
                // A folder that cannot be made shows when the file is written.
                let _ = fs::create_dir_all(&folder);
                folder.join(name)
            }
            SaveTemps::Here => name,
            SaveTemps::BesideOutput => {
                let output = self.options.output.as_ref();
                output.and_then(beside).unwrap_or(name)
            }
        }
    }

    /// What dependencies are for and the file that they go to, unless the user says, as the C compiler has it.
    ///
    /// # Errors
    /// An environment failure if the C compiler cannot be asked which it is.
    pub fn dependencies(&self, input: &Path) -> Result<Dependencies, Failure> {
        let output = self.options.output.as_ref();
        let output = output.filter(|output| output.as_os_str() != "-");
        let target = output.cloned().unwrap_or_else(|| local_name(input, "o"));
        let asked = self.options.deps && !self.options.deps_file;
        let prefixed = asked && output.is_none() && self.options.stop == Stop::Program;
        let file = match prefixed && self.compiler.names_dumps()? {
            true => {
                let name = local_name(input, "d");
                PathBuf::from(self.dump_prefix(input) + &name.to_string_lossy())
            }
            false => target.with_extension("d"),
        };
        Ok(Dependencies { target, file })
    }

    /// Runs the C compiler, which makes `object` of an input in one step with the link. What else it was asked for (notes of coverage, dumps)
    /// lands where it would without our steps between, and the program looks for its own part there.
    ///
    /// # Errors
    /// Those of `run`, and a file that cannot be moved.
    pub fn with_files_beside(
        &self,
        input: &Path,
        object: &Path,
        tool: &Tool,
        run: impl FnOnce(&Tool) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let options = self.options;
        let beside = |flag: &String| BESIDE.iter().any(|name| flag.starts_with(name));
        let asked = options.all.iter().chain(&options.cc).any(beside);
        let written = |object: &Path| tool.clone().arg("-o").path(object);
        if options.stop != Stop::Program || !asked || options.show == Show::Only {
            return run(&written(object));
        }
        if self.compiler.names_dumps()? {
            let dumps = ["-dumpdir".to_owned(), self.dump_prefix(input)];
            let base = local_name(input, "c").to_string_lossy().into_owned();
            let base = ["-dumpbase".to_owned(), base, "-dumpbase-ext".to_owned()];
            return run(&written(object).args(dumps).args(base).arg(".c"));
        }
        // Others name such files after the object, and write names into it.
        let place = free_name(input)?;
        let leftover = Leftover::new(&place);
        let made = run(&written(&place)).and_then(|()| {
            fs::copy(&place, object).map_err(|error| Failure::io("write", object, &error))
        });
        let _ = fs::remove_file(&place);
        drop(leftover);
        made.map(|_| ())
    }

    /// How names of dumps begin in gcc: with the program's, but for the only input of the same name.
    fn dump_prefix(&self, input: &Path) -> String {
        let default = PathBuf::from("a.out");
        let output = self.options.output.as_ref().unwrap_or(&default);
        let name = output.file_name().unwrap_or_default().to_string_lossy();
        let base = match &*name {
            "a.out" => "a",
            name => name.strip_suffix(".exe").unwrap_or(name),
        };
        let folder = output.parent().filter(|folder| *folder != Path::new(""));
        let folder = Path::new(".").join(folder.unwrap_or(Path::new("")));
        let folder = folder.to_string_lossy();
        let folder = folder.trim_end_matches('/');
        let only = self.options.inputs().count() == 1;
        match only && local_name(input, "c") == Path::new(&format!("{base}.c")) {
            true => format!("{folder}/"),
            false => format!("{folder}/{base}-"),
        }
    }

    /// Writes a file, unless commands are only shown.
    pub fn write(&self, path: &Path, text: &str) -> Result<(), Failure> {
        match self.options.show {
            Show::Only => Ok(()),
            Show::Nothing | Show::Commands => write_whole(path, text.as_bytes()),
        }
    }
}

/// An object's name in the current folder that nothing has: the input's if possible.
fn free_name(input: &Path) -> Result<PathBuf, Failure> {
    let endings = ["o".to_owned()].into_iter();
    let endings = endings.chain((1..100).map(|number| format!("{number}.o")));
    let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
    for ending in endings {
        let place = local_name(input, &ending);
        match fs::File::create_new(&place) {
            Ok(_) => return Ok(place),
            Err(error) => last = error,
        }
        if last.kind() != io::ErrorKind::AlreadyExists {
            break;
        }
    }
    Err(Failure::io("write", &local_name(input, "o"), &last))
}

/// `dir/foo.upc` to `foo.ending` in the current folder. `foo.trans.c` counts as `foo`.
pub fn local_name(input: &Path, ending: &str) -> PathBuf {
    let name = input
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let stem = match name.strip_suffix(".trans.c") {
        Some(stem) => stem,
        None => name
            .rsplit_once('.')
            .map_or(name.as_str(), |(stem, _)| stem),
    };
    PathBuf::from(format!("{stem}.{ending}"))
}

/// Writes a file whole: beside its place first, so that neither a full disk nor a signal leaves half of it, and an old one stays until there is
/// a new one.
///
/// # Errors
/// An environment failure; nothing has changed then.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::io("write", path, &error);
    // Behind a link, the file itself.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let old = fs::metadata(&target).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        // A device or a pipe.
        return fs::write(&target, bytes).map_err(failed);
    }
    let folder = target.parent().filter(|folder| *folder != Path::new(""));
    let mode = old.as_ref().map_or(0o666, |old| old.permissions().mode());
    let beside = tempfile::Builder::new()
        .prefix(".upcc-")
        .permissions(fs::Permissions::from_mode(mode & 0o777))
        .tempfile_in(folder.unwrap_or(Path::new(".")));
    let mut beside = match beside {
        // A file that may be written in a folder that may not.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied && old.is_some() => {
            return fs::write(&target, bytes).map_err(failed);
        }
        beside => beside.map_err(failed)?,
    };
    let _leftover = Leftover::new(beside.path());
    beside.write_all(bytes).map_err(failed)?;
    beside
        .persist(&target)
        .map(|_| ())
        .map_err(|error| failed(error.error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_named_after_inputs() {
        for (input, output) in [
            ("d/a.upc", "a.o"),
            ("a.b.c", "a.b.o"),
            ("x/f.trans.c", "f.o"),
            ("-", "-.o"),
        ] {
            assert_eq!(local_name(Path::new(input), "o"), Path::new(output));
        }
    }

    #[test]
    fn files_are_replaced_as_wholes() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("a"), folder.path().join("link"));
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        fs::write(&file, "old, and longer").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink("a", &link).unwrap();
        write_whole(&link, b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(mode(&file), 0o640);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        write_whole(&folder.path().join("b"), b"new").unwrap();
        let plain = folder.path().join("plain");
        fs::write(&plain, "").unwrap();
        assert_eq!(mode(&folder.path().join("b")), mode(&plain));
        write_whole(Path::new("/dev/null"), b"new").unwrap();
        let failure = write_whole(Path::new("/dev/full"), b"new").unwrap_err();
        assert!(failure.message.contains("/dev/full"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4);
    }
}
