//! The runtime: its sources are embedded in this binary and compiled into a cache on first use.
//!
//! Folders of the cache: `src-HASH` for the unpacked sources, `lib-HASH` for the library for one C compiler and set of
//! flags.

use super::cache::{self, Cache};
use super::tool::Show;
use super::toolchain::Compiler;
use crate::cli::Failure;
use crate::cli::temp_files::{self, Temps};
use crate::headers;
use crate::target::Reach;
use include_dir::{Dir, include_dir};
use siphasher::sip128::{Hasher128, SipHasher24};
use std::any::Any;
use std::collections::BTreeMap;
use std::fs;
use std::hash::Hasher as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The folders of `runtime-c/` that builds and debuggers need.
static FOLDERS: [(&str, Dir<'static>); 4] = [
    ("include", headers::INCLUDE),
    ("src", include_dir!("$CARGO_MANIFEST_DIR/runtime-c/src")),
    ("gdb", include_dir!("$CARGO_MANIFEST_DIR/runtime-c/gdb")),
    ("share", include_dir!("$CARGO_MANIFEST_DIR/runtime-c/share")),
];

/// The flags that every file of the runtime is compiled with. Position-independent objects fit every kind of program.
/// There is no debug information because the runtime uses a program's line tables to find the user's own code.
/// Only what the headers of users declare is exported (`tests/visibility.rs`).
const FLAGS: &[&str] = &[
    "-std=gnu11",
    "-O2",
    "-fPIC",
    "-fno-strict-aliasing",
    "-fvisibility=hidden",
];

/// The flags besides where the project's own tests run: they let no warning pass. The first word is a part of the
/// compiler's identity.
const STRICT: &[(&str, &[&str])] = &[
    ("Free Software Foundation", &["-Wall", "-Wextra", "-Werror"]),
    // Operators on atomic objects are sequentially consistent without saying so.
    (
        "clang version",
        &["-Wall", "-Wextra", "-Werror", "-Watomic-implicit-seq-cst"],
    ),
];

/// The runtime starts the job before the user's `main`, and calls `main` in each thread.
const WRAP_MAIN: &str = "-Wl,--wrap=main";

/// What a C library other than glibc needs besides: the runtime learns the status of `exit` by its own function of that
/// name (`libc.c`), and the table by which stacks are walked, which the wrapper `musl-gcc` does not ask for.
const OTHER_LIBC_FLAGS: &[&str] = &["-Wl,--wrap=exit", "-Wl,--eh-frame-hdr"];

/// An empty file beside a library that is linked with [`OTHER_LIBC_FLAGS`].
const OTHER_LIBC: &str = "other-libc";

/// The folder of the runtime's headers in debug information, so that objects are the same wherever the cache is.
pub const INCLUDE_IN_OBJECTS: &str = "/upcc/include";

/// The runtime's sources on disk.
#[derive(Debug)]
pub struct Runtime {
    /// `runtime-c/` or its copy in the cache.
    root: PathBuf,
    /// The embedded sources are used.
    embedded: bool,
    cache: Cache,
}

impl Runtime {
    /// Finds the sources: those of `UPCC_RUNTIME_DIR` (a `runtime-c/` folder), else the embedded ones, unpacked if
    /// necessary.
    ///
    /// # Errors
    /// An environment failure if they cannot be written anywhere.
    pub fn locate() -> Result<Runtime, Failure> {
        let cache = Cache::find()?;
        let (root, embedded) = match std::env::var_os("UPCC_RUNTIME_DIR") {
            Some(folder) => (PathBuf::from(folder), false),
            None => (unpacked(&cache, USED)?, true),
        };
        let runtime = Runtime {
            root,
            embedded,
            cache,
        };
        if !runtime.is_there() {
            let message = format!(
                "{} is not a runtime folder: it has no include/upc.h",
                runtime.root.display()
            );
            return Err(Failure::environment(message));
        }
        Ok(runtime)
    }

    /// Returns whether the folder has a runtime.
    pub fn is_there(&self) -> bool {
        self.include_dir().join("upc.h").is_file()
    }

    /// Returns the folder of `<upc.h>` and `upcr/upcr.h`.
    pub fn include_dir(&self) -> PathBuf {
        self.root.join("include")
    }

    /// Returns a folder of what other build tools read: `cmake`, `aclocal` or `pkgconfig`.
    pub fn share_dir(&self, name: &str) -> PathBuf {
        self.root.join("share").join(name)
    }

    /// Returns the macro that names the script that gdb loads; `None` if this runtime folder has none. A path that
    /// would need escapes in assembler is left out.
    fn gdb_define(&self) -> Option<String> {
        let script = self.root.join("gdb/upc.py");
        let name = script.to_str().filter(|_| script.is_file())?;
        let verbatim = !name.contains(['"', '\\', '\n']);
        verbatim.then(|| format!("-DUPCR_GDB_SCRIPT=\"{name}\""))
    }

    /// Returns the folders from which gdb must be allowed to load scripts. gdb runs the scripts in them, so no other
    /// user may be able to write there.
    pub fn gdb_folders(&self) -> Vec<PathBuf> {
        let root = self.root.join("gdb");
        let cache = self.cache.folder();
        let outside = !root.starts_with(cache) && cache::distrust_any(&root).is_none();
        std::iter::once(cache.to_path_buf())
            .chain(outside.then_some(root))
            .filter(|folder| is_one_folder(folder))
            .collect()
    }

    /// Returns the library for a compiler, compiled if the cache does not contain it, and the flags that it is linked
    /// with.
    ///
    /// # Errors
    /// An environment failure if the C compiler rejects the runtime or the cache cannot be written.
    pub fn library(
        &self,
        compiler: &Compiler,
        more: &[String],
        reach: Reach,
        show: Show,
    ) -> Result<(PathBuf, Vec<&'static str>), Failure> {
        let mut flags: Vec<&str> = FLAGS.to_vec();
        flags.extend(more.iter().map(String::as_str));
        let gdb_define = self.gdb_define();
        flags.extend(gdb_define.as_deref());
        let strict = strict(compiler)?;
        let mut hasher = SipHasher24::new();
        hasher.write(compiler.essence()?.as_bytes());
        // A library that was compiled without warnings does not stand for one that is to have none.
        for flag in flags.iter().chain(strict) {
            hash_field(&mut hasher, flag.as_bytes());
        }
        hash_field(&mut hasher, reach.network.name().as_bytes());
        match self.embedded {
            true => hash_field(&mut hasher, EMBEDDED.as_bytes()),
            false => self.hash_sources(reach, &mut hasher)?,
        }
        let name = format!("lib-{:032x}", hasher.finish128().as_u128());
        let archive = format!("lib{LIBRARY}.a");
        if show == Show::Only {
            let folder = self.cache.folder().join(name);
            return Ok((folder.join(archive), link_flags(&folder)));
        }
        let whole = |folder: &Path| cache::is_sealed(folder, &archive);
        let folder = self.cache.ready(&name, whole, |temporary| {
            if self.embedded {
                unpacked(&self.cache, &["src"])?;
            }
            let mut sources = self.files(reach)?;
            sources.retain(|file| is_source(file));
            self.compile(compiler, &flags, strict, &sources, temporary, show)?;
            if !compiler.has_glibc()? {
                fs::write(temporary.join(OTHER_LIBC), "")
                    .map_err(|error| Failure::io("write", temporary, &error))?;
            }
            cache::seal(temporary, &archive)
                .map_err(|error| Failure::io("write", temporary, &error))
        })?;
        Ok((folder.join(archive), link_flags(&folder)))
    }

    /// Returns the headers and sources of a library.
    fn files(&self, reach: Reach) -> Result<Vec<PathBuf>, Failure> {
        let mut files = Vec::new();
        for folder in ["include", "src"] {
            list_files(&self.root.join(folder), &mut files)?;
        }
        files.retain(|file| belongs(file.strip_prefix(&self.root).unwrap_or(file), reach));
        files.sort();
        Ok(files)
    }

    fn hash_sources(&self, reach: Reach, hasher: &mut SipHasher24) -> Result<(), Failure> {
        for file in self.files(reach)? {
            let bytes = fs::read(&file).map_err(|error| Failure::io("read", &file, &error))?;
            let name = file.strip_prefix(&self.root).unwrap_or(&file);
            hash_field(hasher, name.as_os_str().as_encoded_bytes());
            hash_field(hasher, &bytes);
        }
        Ok(())
    }

    /// Writes the files that are compiled: one for each folder, which includes the folder's sources, because the headers
    /// that sources share take as long to compile as the sources. Sources that the linker must choose by themselves are
    /// compiled by themselves.
    fn units(&self, sources: &[PathBuf], scratch: &Temps) -> Result<Vec<PathBuf>, Failure> {
        let root = self.root.join("src");
        let mut folders: BTreeMap<String, String> = BTreeMap::new();
        let mut units = Vec::new();
        for source in sources {
            let inner = source.strip_prefix(&root).unwrap_or(source);
            if SEPARATE.lines().any(|line| inner == Path::new(line)) {
                units.push(source.clone());
                continue;
            }
            let folder = inner.parent().unwrap_or(Path::new("")).to_string_lossy();
            let name = if folder.is_empty() {
                LIBRARY.to_owned()
            } else {
                folder.replace('/', "_")
            };
            let text = folders.entry(name).or_default();
            // The folder is searched for headers, so no quotation mark of its path must be escaped.
            text.push_str(&format!("#include \"{}\"\n", inner.display()));
        }
        for (name, text) in folders {
            let unit = scratch.file(&format!("{name}.c"));
            fs::write(&unit, text).map_err(|error| Failure::io("write", &unit, &error))?;
            units.push(unit);
        }
        Ok(units)
    }

    /// Compiles all sources, several in parallel, and makes the archive in `folder`.
    fn compile(
        &self,
        compiler: &Compiler,
        flags: &[&str],
        strict: &[&str],
        sources: &[PathBuf],
        folder: &Path,
        show: Show,
    ) -> Result<(), Failure> {
        show.step(&format!(
            "compile the runtime {} {}",
            self.root.display(),
            flags.join(" ")
        ));
        let scratch = Temps::new(Some(folder))?;
        // Flags for the user's own code, such as an exported CFLAGS, do not apply to the runtime.
        let ours = |name: &std::ffi::OsString| {
            let name = name.to_string_lossy();
            !["CFLAGS", "ARFLAGS"]
                .iter()
                .any(|flags| name.contains(flags))
        };
        let units = self.units(sources, &scratch)?;
        let logged = Arc::new(Logged::default());
        let mut build = cc::Build::new();
        build
            .set_envs_snapshot(std::env::vars_os().filter(|(name, _)| ours(name)))
            .compiler(compiler.program(&scratch.file(""))?)
            .target(TARGET)
            .host(TARGET)
            .opt_level(2)
            .out_dir(scratch.file(""))
            .cargo_metadata(false)
            .cargo_warnings(false)
            .message_logger(Some(logged.clone()))
            // The flags that a cross compiler needs are part of its command.
            .no_default_flags(true)
            .flags(flags)
            .include(self.include_dir())
            .include(self.root.join("src"))
            .files(units);
        set_warnings(&mut build, strict);
        build.try_compile(LIBRARY).map_err(|error| {
            temp_files::stop_if_ending();
            Failure::environment(format!(
                "the C compiler cannot compile the runtime: {error}\n{}",
                logged.text()
            ))
        })?;
        let archive = format!("lib{LIBRARY}.a");
        fs::rename(scratch.file(&archive), folder.join(&archive))
            .map_err(|error| Failure::io("make", folder, &error))
    }
}

/// Returns the flags of [`STRICT`] for a compiler: none unless `cargo xtask test` has set this variable, nor for compilers
/// of other machines and versions, whose warnings differ.
fn strict(compiler: &Compiler) -> Result<&'static [&'static str], Failure> {
    if std::env::var_os("UPCC_STRICT_RUNTIME").is_none() || !compiler.is_of_the_system() {
        return Ok(&[]);
    }
    let identity = compiler.identity()?;
    let row = STRICT.iter().find(|(word, _)| identity.contains(word));
    Ok(row.map_or(&[], |(_, flags)| flags))
}

/// Has the compiler give the warnings that `strict` asks for, and no others. `cc` passes `-w` if it is to ask for no warnings,
/// which would turn off those of `strict` too.
fn set_warnings(build: &mut cc::Build, strict: &[&str]) {
    build.warnings(!strict.is_empty()).flags(strict);
}

/// Returns the flags that the library in a folder of the cache is linked with.
fn link_flags(folder: &Path) -> Vec<&'static str> {
    let mut flags = vec![WRAP_MAIN];
    if folder.join(OTHER_LIBC).exists() {
        flags.extend(OTHER_LIBC_FLAGS);
    }
    flags
}

/// The compiler's messages about the runtime's sources, reported if the compilation fails.
#[derive(Default)]
struct Logged(Mutex<Vec<String>>);

impl Logged {
    fn text(&self) -> String {
        // No holder of the lock can leave the list in an inconsistent state.
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.join("\n")
    }
}

impl cc::BuildMessageLogger for Logged {
    fn log(&self, kind: cc::BuildMessageKind, message: cc::BuildMessage<'_>, _: &dyn Any) {
        if matches!(kind, cc::BuildMessageKind::StderrForwarding) {
            let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            lines.push(message.to_string());
        }
    }
}

/// The platform that this `upcc` was built for, as Rust names it.
const TARGET: &str = env!("UPCC_TARGET");

const LIBRARY: &str = "upcr";

/// The folders whose sources are compiled only for libraries whose programs access memory that is not mapped.
const REMOTE_ONLY: &[&str] = &["src/cache", "src/remote"];

/// Names the sources whose definitions the user's program or another library may replace. The linker must be able to
/// take or leave each of them without the rest of its folder.
const SEPARATE: &str = include_str!("../../runtime-c/src/separate.list");

/// Returns whether a file of `runtime-c/` is part of a library: all files are, except those of other transports, and
/// the sources for memory that is not mapped if all memory is.
fn belongs(file: &Path, reach: Reach) -> bool {
    let transport = file.strip_prefix("src/transport").ok();
    let folder = transport.and_then(Path::parent).unwrap_or(Path::new(""));
    let is_taken = |name: &&str| folder.starts_with(name);
    let is_remote_only =
        is_source(file) && REMOTE_ONLY.iter().any(|folder| file.starts_with(folder));
    (reach.remote || !is_remote_only)
        && (folder == Path::new("") || reach.network.folders().iter().any(is_taken))
}

fn is_source(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "c")
}

/// The folders of the sources that every command may use.
const USED: &[&str] = &["include", "gdb", "share"];

/// The folder that Python creates beside gdb's scripts.
const PYTHON_CACHE: &str = "__pycache__";

/// The name of the embedded sources' folder. It has their hash, which the build script works out.
const EMBEDDED: &str = concat!("src-", env!("UPCC_RUNTIME_HASH"));

/// Returns the embedded sources in the cache. `used` names the folders that the command uses.
fn unpacked(cache: &Cache, used: &[&str]) -> Result<PathBuf, Failure> {
    let whole = |folder: &Path| {
        let mut wanted = FOLDERS.iter().filter(|(name, _)| used.contains(name));
        wanted.all(|(name, dir)| holds(&folder.join(name), dir))
    };
    cache.ready(EMBEDDED, whole, |folder| {
        for (name, dir) in &FOLDERS {
            let target = folder.join(name);
            let made = fs::create_dir(&target).and_then(|()| dir.extract(&target));
            made.map_err(|error| Failure::io("write", &target, &error))?;
        }
        Ok(())
    })
}

/// Returns whether a folder contains exactly the unpacked files. `folder` is the root of all `dir`s.
fn holds(folder: &Path, dir: &Dir<'_>) -> bool {
    let here = folder.join(dir.path());
    let entries = fs::read_dir(here).into_iter().flatten().flatten();
    let there = entries.filter(|entry| entry.file_name() != PYTHON_CACHE);
    there.count() == dir.entries().len()
        && dir.files().all(|file| {
            let bytes = fs::read(folder.join(file.path()));
            bytes.is_ok_and(|bytes| bytes == file.contents())
        })
        && dir.dirs().all(|inner| holds(folder, inner))
}

/// Returns whether gdb treats a path as one folder: gdb separates folders by colons, and expands patterns.
fn is_one_folder(folder: &Path) -> bool {
    let text = folder.to_string_lossy();
    !text.contains([':', '*', '?', '[', '\\', '$', '~']) && !text.contains(char::is_control)
}

/// Hashes bytes with their length, so that the boundaries of fields are unambiguous.
fn hash_field(hasher: &mut SipHasher24, bytes: &[u8]) {
    hasher.write_usize(bytes.len());
    hasher.write(bytes);
}

/// Lists all files below a folder.
fn list_files(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let fail = |error: std::io::Error| Failure::io("read", folder, &error);
    for entry in fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if path.is_dir() {
            list_files(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the flags for warnings that `cc` passes to the compiler.
    fn warnings(strict: &[&str]) -> Vec<String> {
        let mut build = cc::Build::new();
        build
            .compiler("cc")
            .target(TARGET)
            .host(TARGET)
            .opt_level(2)
            .no_default_flags(true);
        set_warnings(&mut build, strict);
        let arguments = build.get_compiler().args().to_vec();
        let texts = arguments
            .iter()
            .map(|flag| flag.to_string_lossy().into_owned());
        texts
            .filter(|flag| flag.to_lowercase().starts_with("-w"))
            .collect()
    }

    #[test]
    fn strict_flags_are_not_turned_off() {
        for (_, strict) in STRICT {
            let passed = warnings(strict);
            assert!(!passed.contains(&"-w".to_owned()), "{passed:?}");
            assert!(
                strict
                    .iter()
                    .all(|flag| passed.iter().any(|other| other == flag)),
                "{passed:?}"
            );
        }
        assert_eq!(warnings(&[]), ["-w"]);
    }
}
