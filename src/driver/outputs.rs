//! Output files: their names, and writing each of them completely or not at all.

use super::compile::Session;
use super::settings::{SaveTemps, Stop};
use super::tool::{Show, Tool};
use crate::cli;
use crate::cli::Failure;
use crate::cli::temp_files::Leftover;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Flags that make the C compiler write more than an object: beside it, or where the program will look for it.
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

/// The dependency rule that `-MD` asks for.
#[derive(Debug, Default)]
pub struct Dependencies {
    /// The target that depends on the headers.
    pub target: PathBuf,
    /// The file that contains the rule.
    pub file: PathBuf,
}

impl Session<'_> {
    /// Returns the object of an input: the user's output with `-c`, else a temporary file.
    pub fn object_name(&self, input: &Path, index: usize) -> PathBuf {
        match (&self.options.product.output, self.options.product.stop) {
            (Some(output), Stop::Object) => output.clone(),
            (_, Stop::Object) => local_name(input, "o"),
            _ => self.intermediate(input, index, "o"),
        }
    }

    /// Returns an intermediate file: kept with `-save-temps`, else temporary. Each input has its own temporary folder,
    /// since names in different folders may be equal.
    pub fn intermediate(&self, input: &Path, index: usize, ending: &str) -> PathBuf {
        let name = local_name(input, ending);
        let beside = |output: &PathBuf| output.parent().map(|folder| folder.join(&name));
        match self.options.product.save_temps {
            SaveTemps::No => {
                let folder = self.temps.file(&index.to_string());
                // If the folder cannot be made, writing the file reports it.
                let _ = fs::create_dir_all(&folder);
                folder.join(name)
            }
            SaveTemps::Here => name,
            SaveTemps::BesideOutput => {
                let output = self.options.product.output.as_ref();
                output.and_then(beside).unwrap_or(name)
            }
        }
    }

    /// Returns the target of the dependencies and the file for them, with the C compiler's defaults unless the user
    /// names them.
    ///
    /// # Errors
    /// An environment failure if the C compiler cannot be asked for its identity.
    pub fn dependencies(&self, input: &Path) -> Result<Dependencies, Failure> {
        let output = self.options.product.output.as_ref();
        let output = output.filter(|output| output.as_os_str() != "-");
        let target = output.cloned().unwrap_or_else(|| local_name(input, "o"));
        let asked = self.options.deps.asked && !self.options.deps.file;
        let prefixed = asked && output.is_none() && self.options.product.stop == Stop::Program;
        let file = match prefixed && self.compiler.names_dumps()? {
            true => {
                let name = local_name(input, "d");
                PathBuf::from(self.dump_prefix(input) + &name.to_string_lossy())
            }
            false => target.with_extension("d"),
        };
        Ok(Dependencies { target, file })
    }

    /// Runs the C compiler, which makes `object` from an input as if in one step with the link. Its further output
    /// (coverage notes, dumps) goes to the same place as without the intermediate steps, and the program looks for its
    /// own part there.
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
        let asked = options
            .flags
            .all
            .iter()
            .chain(&options.flags.cc)
            .any(beside);
        let written = |object: &Path| tool.clone().arg("-o").path(object);
        if options.product.stop != Stop::Program || !asked || options.messages.show == Show::Only {
            return run(&written(object));
        }
        if self.compiler.names_dumps()? {
            let dumps = ["-dumpdir".to_owned(), self.dump_prefix(input)];
            let base = local_name(input, "c").to_string_lossy().into_owned();
            let base = ["-dumpbase".to_owned(), base, "-dumpbase-ext".to_owned()];
            return run(&written(object).args(dumps).args(base).arg(".c"));
        }
        // Other compilers name such files after the object, and write names into it.
        let place = free_name(input)?;
        let leftover = Leftover::new(&place);
        let made = run(&written(&place)).and_then(|()| {
            fs::copy(&place, object).map_err(|error| Failure::io("write", object, &error))
        });
        let _ = fs::remove_file(&place);
        drop(leftover);
        made.map(|_| ())
    }

    /// Returns the prefix of dump names in gcc: the program's name, unless the only input has the same name.
    fn dump_prefix(&self, input: &Path) -> String {
        let default = PathBuf::from("a.out");
        let output = self.options.product.output.as_ref().unwrap_or(&default);
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

    /// Writes a file, unless commands are only printed.
    pub fn write(&self, path: &Path, text: &str) -> Result<(), Failure> {
        match self.options.messages.show {
            Show::Only => Ok(()),
            Show::Nothing | Show::Commands => cli::write_whole(path, text.as_bytes()),
        }
    }
}

/// Returns an unused name for an object in the current folder: the input's if possible.
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

/// Maps `dir/foo.upc` to `foo.ending` in the current folder. `foo.trans.c` counts as `foo`.
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
}
