//! The runtime: its sources travel in this binary and are compiled on first use into a cache.
//!
//! The cache holds folders whose names are hashes of what made them: `src-HASH` the unpacked sources, `lib-HASH` the library for one C
//! compiler and set of flags. Each is made in a private folder and renamed into place, so that neither parallel nor interrupted builds
//! leave half of one; a lock beside it, which dies with its holder, saves parallel builds the double work.

use super::exit::Failure;
use super::temps::Temps;
use super::tool::Show;
use super::toolchain::Compiler;
use crate::headers;
use crate::translate::Network;
use include_dir::{Dir, include_dir};
use siphasher::sip128::{Hasher128, SipHasher24};
use std::any::Any;
use std::fs;
use std::hash::Hasher as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// Folders of `runtime-c/` that builds and debuggers need.
static FOLDERS: [(&str, Dir<'static>); 3] = [
    ("include", headers::INCLUDE),
    ("src", include_dir!("$CARGO_MANIFEST_DIR/runtime-c/src")),
    ("gdb", include_dir!("$CARGO_MANIFEST_DIR/runtime-c/gdb")),
];

/// Flags every file of the runtime is compiled with. Position-independent objects fit every kind of program. No debug information: what
/// the runtime looks for in a program's line tables is the user's own code.
const FLAGS: &[&str] = &["-std=gnu11", "-O2", "-fPIC", "-fno-strict-aliasing"];

/// User flags that change what objects can be linked together, so that the runtime needs them too.
const ABI_FLAGS: &[&str] = &["-m32", "-m64", "-mx32"];

/// How long an abandoned private folder stays.
const STALE: Duration = Duration::from_secs(3600);

/// The runtime's sources on disk.
#[derive(Debug)]
pub struct Runtime {
    /// `runtime-c/` or its copy in the cache.
    root: PathBuf,
    cache: PathBuf,
}

impl Runtime {
    /// Finds the sources: those of `UPCC_RUNTIME_DIR` (a `runtime-c/` folder) or else the embedded ones, unpacked if need be.
    ///
    /// # Errors
    /// An environment failure if they cannot be written anywhere.
    pub fn locate() -> Result<Runtime, Failure> {
        let cache = cache_folder()?;
        let root = match std::env::var_os("UPCC_RUNTIME_DIR") {
            Some(folder) => PathBuf::from(folder),
            None => unpacked(&cache)?,
        };
        if !root.join("include/upc.h").is_file() {
            let message = format!(
                "{} is no runtime folder: it has no include/upc.h",
                root.display()
            );
            return Err(Failure::environment(message));
        }
        Ok(Runtime { root, cache })
    }

    /// Where `<upc.h>` and `upcr/upcr.h` are.
    pub fn include_dir(&self) -> PathBuf {
        self.root.join("include")
    }

    /// What gdb loads for programs compiled with `-g`; `None` if this runtime folder has no such file.
    pub fn gdb_script(&self) -> Option<PathBuf> {
        let script = self.root.join("gdb/upc.py");
        script.is_file().then_some(script)
    }

    /// Folders from which gdb must be allowed to load scripts.
    pub fn gdb_folders(&self) -> Vec<PathBuf> {
        let root = self.root.join("gdb");
        let outside = !root.starts_with(&self.cache);
        std::iter::once(self.cache.clone())
            .chain(outside.then_some(root))
            .collect()
    }

    /// The library for a compiler and the user's flags, compiled if the cache does not have it.
    ///
    /// # Errors
    /// An environment failure if the C compiler rejects the runtime or the cache cannot be written.
    pub fn library(
        &self,
        compiler: &Compiler,
        user: &[String],
        more: &[String],
        network: Network,
        show: Show,
    ) -> Result<PathBuf, Failure> {
        let mut flags: Vec<&str> = FLAGS.to_vec();
        flags.extend(
            user.iter()
                .map(String::as_str)
                .filter(|flag| ABI_FLAGS.contains(flag)),
        );
        flags.extend(more.iter().map(String::as_str));
        let mut files = Vec::new();
        for folder in ["include", "src"] {
            list_files(&self.root.join(folder), &mut files)?;
        }
        files.retain(|file| belongs(file.strip_prefix(&self.root).unwrap_or(file), network));
        files.sort();
        let mut hasher = SipHasher24::new();
        hasher.write(compiler.identity()?.as_bytes());
        for flag in &flags {
            hash_field(&mut hasher, flag.as_bytes());
        }
        for file in &files {
            let bytes = fs::read(file).map_err(|error| Failure::io("read", file, &error))?;
            let name = file.strip_prefix(&self.root).unwrap_or(file);
            hash_field(&mut hasher, name.as_os_str().as_encoded_bytes());
            hash_field(&mut hasher, &bytes);
        }
        let sources: Vec<&Path> = files
            .iter()
            .map(PathBuf::as_path)
            .filter(|file| is_source(file))
            .collect();
        let name = name_of("lib", &hasher);
        let archive = format!("lib{LIBRARY}.a");
        if show == Show::Only {
            return Ok(self.cache.join(name).join(archive));
        }
        let folder = ready(&self.cache, &name, |temporary| {
            self.compile(compiler, &flags, &sources, temporary, show)
        })?;
        Ok(folder.join(archive))
    }

    /// Compiles all sources, several at a time, and makes the archive in `folder`.
    fn compile(
        &self,
        compiler: &Compiler,
        flags: &[&str],
        sources: &[&Path],
        folder: &Path,
        show: Show,
    ) -> Result<(), Failure> {
        show.step(&format!(
            "compile the runtime {} {}",
            self.root.display(),
            flags.join(" ")
        ));
        let scratch = Temps::new(Some(folder))?;
        // Flags for the user's own text, such as an exported CFLAGS, are not for the runtime.
        let ours = |name: &std::ffi::OsString| !name.to_string_lossy().contains("CFLAGS");
        let said = Arc::new(Said::default());
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
            .message_logger(Some(said.clone()))
            .warnings(false)
            // What a compiler for another machine needs is among the words of its command.
            .no_default_flags(true)
            .flags(flags)
            .include(self.include_dir())
            .include(self.root.join("src"))
            .files(sources);
        build.try_compile(LIBRARY).map_err(|error| {
            Failure::environment(format!(
                "the C compiler cannot compile the runtime: {error}\n{}",
                said.text()
            ))
        })?;
        let archive = format!("lib{LIBRARY}.a");
        fs::rename(scratch.file(&archive), folder.join(&archive))
            .map_err(|error| Failure::io("make", folder, &error))
    }
}

/// What the compiler says to the runtime's sources: of interest if it refuses them.
#[derive(Default)]
struct Said(Mutex<Vec<String>>);

impl Said {
    fn text(&self) -> String {
        // No holder of the lock can leave the list half changed.
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.join("\n")
    }
}

impl cc::BuildMessageLogger for Said {
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

/// Whether a file of `runtime-c/` is part of the library for a transport: all are but those of other transports.
fn belongs(file: &Path, network: Network) -> bool {
    let transport = file.strip_prefix("src/transport").ok();
    let folder = transport
        .and_then(|rest| rest.parent())
        .unwrap_or(Path::new(""));
    Network::ALL
        .iter()
        .all(|other| *other == network || !folder.starts_with(other.name()))
}

fn is_source(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "c")
}

/// The cache: `$XDG_CACHE_HOME/upcc`, else `~/.cache/upcc`, else a folder of this user where the system has temporary files.
fn cache_folder() -> Result<PathBuf, Failure> {
    let absolute = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let wanted =
        absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")));
    if let Some(folder) = wanted.map(|folder| folder.join("upcc"))
        && fs::create_dir_all(&folder).is_ok()
        && writable(&folder)
    {
        return Ok(folder);
    }
    let user = rustix::process::getuid().as_raw();
    let folder = std::env::temp_dir().join(format!("upcc-cache-{user}"));
    match fs::DirBuilder::new().mode(0o700).create(&folder) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
            Err(Failure::io("make", &folder, &error))
        }
        _ if fs::symlink_metadata(&folder)
            .is_ok_and(|found| found.is_dir() && found.uid() == user) =>
        {
            Ok(folder)
        }
        _ => Err(Failure::environment(format!(
            "{} belongs to somebody else; set XDG_CACHE_HOME",
            folder.display()
        ))),
    }
}

use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};

fn writable(folder: &Path) -> bool {
    tempfile::tempfile_in(folder).is_ok()
}

/// The embedded sources in the cache.
fn unpacked(cache: &Path) -> Result<PathBuf, Failure> {
    let mut hasher = SipHasher24::new();
    for (name, dir) in &FOLDERS {
        hash_field(&mut hasher, name.as_bytes());
        hash_dir(&mut hasher, dir);
    }
    ready(cache, &name_of("src", &hasher), |folder| {
        for (name, dir) in &FOLDERS {
            let target = folder.join(name);
            let made = fs::create_dir(&target).and_then(|()| dir.extract(&target));
            made.map_err(|error| Failure::io("write", &target, &error))?;
        }
        Ok(())
    })
}

fn hash_dir(hasher: &mut SipHasher24, dir: &Dir<'_>) {
    for file in dir.files() {
        hash_field(hasher, file.path().as_os_str().as_encoded_bytes());
        hash_field(hasher, file.contents());
    }
    for inner in dir.dirs() {
        hash_dir(hasher, inner);
    }
}

/// Hashes bytes with their length, so that fields cannot run into each other.
fn hash_field(hasher: &mut SipHasher24, bytes: &[u8]) {
    hasher.write_usize(bytes.len());
    hasher.write(bytes);
}

fn name_of(kind: &str, hasher: &SipHasher24) -> String {
    format!("{kind}-{:032x}", hasher.finish128().as_u128())
}

/// All files below a folder.
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

/// The folder `name` of the cache, made by `make` if it is not there.
fn ready(
    cache: &Path,
    name: &str,
    make: impl FnOnce(&Path) -> Result<(), Failure>,
) -> Result<PathBuf, Failure> {
    let folder = cache.join(name);
    if folder.is_dir() {
        return Ok(folder);
    }
    let _turn = turn(cache, name);
    if folder.is_dir() {
        return Ok(folder);
    }
    sweep(cache);
    let temporary = Temps::new(Some(cache))?;
    let content = temporary.file("content");
    fs::create_dir(&content).map_err(|error| Failure::io("make", &content, &error))?;
    make(&content)?;
    match fs::rename(&content, &folder) {
        Ok(()) => Ok(folder),
        // Somebody else was faster.
        Err(_) if folder.is_dir() => Ok(folder),
        Err(error) => Err(Failure::io("make", &folder, &error)),
    }
}

/// How long to wait for somebody else who makes the same.
const PATIENCE: Duration = Duration::from_secs(120);

/// Waits until nobody else makes the folder `name`, so that `make -j` does the work once. The kernel releases the lock when its holder ends, however
/// that happens; who waits too long (a holder that was stopped, a file system without locks) does the work as well, which is safe.
fn turn(cache: &Path, name: &str) -> Option<fs::File> {
    let lock = fs::File::create(cache.join(format!("{name}.lock"))).ok()?;
    let until = Instant::now() + PATIENCE;
    loop {
        match lock.try_lock() {
            Ok(()) => return Some(lock),
            Err(fs::TryLockError::WouldBlock) if Instant::now() < until => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(_) => return None,
        }
    }
}

/// Removes private folders that a killed build left long ago.
fn sweep(cache: &Path) {
    let old = |path: &Path| {
        let age = fs::metadata(path)
            .and_then(|found| found.modified())
            .map(|time| SystemTime::now().duration_since(time));
        matches!(age, Ok(Ok(age)) if age > STALE)
    };
    let entries = fs::read_dir(cache).into_iter().flatten().flatten();
    for path in entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("upcc-"))
        .map(|entry| entry.path())
    {
        if old(&path) {
            let _ = fs::remove_dir_all(path);
        }
    }
}
