//! Tests of the cache of the compiled runtime: parallel, interrupted and failed builds, and missing cache folders.

#[path = "common/folder.rs"]
mod folder;

use folder::write_executable;
use rustix::process::{Pid, Signal, kill_process_group};
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const UPCC: &str = env!("CARGO_BIN_EXE_upcc");

/// A C compiler that stops at, or rejects, one of the first files of the runtime, as the environment specifies. It
/// touches `$MARK` before it stops. It optimises little, which does not affect the cache and saves time.
///
/// The tests build the runtime some twenty times. `$OBJECTS` keeps the object of each unit of the runtime, by its name
/// and the flags, so that gcc compiles each only once, also if several tests begin with it.
const COMPILER: &str = r#"#!/bin/sh
case "$TROUBLE $*" in
stop*/bupc.c*) touch "$MARK"; sleep 200 ;;
modes*trans.c*) stat -c %a "$TMPDIR"/upcc-* >"$MARK" ;;
fail*/bupc.c*) echo broken >&2; exit 1 ;;
*\ --version) gcc --version | sed "1s/^gcc/${0##*/}/"; exit ;;
esac
object= source= flags= before=
for word in "$@"; do
    case $before in -o) object=$word ;; -c) source=$word ;; esac
    # Paths differ from test to test.
    case $word in */*) ;; *) flags="$flags $word" ;; esac
    before=$word
done
case $source in
*/src/*.c | */content/*.c) ;;
*) exec gcc "$@" -O1 ;;
esac
kept="$OBJECTS/${source##*/} $(echo "$flags" | cksum)"
exec 9>"$kept.lock"
flock 9
if [ -f "$kept" ]; then
    exec cp "$kept" "$object"
fi
gcc "$@" -O1 && cp "$object" "$kept.$$" && mv "$kept.$$" "$kept"
"#;

/// Returns the folder of the objects that [`COMPILER`] keeps. A hash of the compiler, of the runtime's files and of
/// gcc's version is in its name; folders of other hashes are removed.
fn objects() -> &'static Path {
    static OBJECTS: LazyLock<PathBuf> = LazyLock::new(|| {
        let mut hasher = DefaultHasher::new();
        COMPILER.hash(&mut hasher);
        let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime-c");
        let folders = ["include", "src"].map(|folder| all_below(&runtime.join(folder)));
        let mut paths: Vec<PathBuf> = folders.concat();
        paths.retain(|path| path.is_file());
        paths.sort();
        for path in paths {
            (&path, fs::read(&path).expect("a file")).hash(&mut hasher);
        }
        let gcc = Command::new("gcc").arg("--version").output();
        gcc.expect("gcc starts").stdout.hash(&mut hasher);
        let all = Path::new(env!("CARGO_TARGET_TMPDIR")).join("runtime-objects");
        let folder = all.join(format!("{:016x}", hasher.finish()));
        for other in fs::read_dir(&all).into_iter().flatten().flatten() {
            if other.path() != folder {
                let _ = fs::remove_dir_all(other.path());
            }
        }
        fs::create_dir_all(&folder).expect("a folder");
        folder
    });
    &OBJECTS
}

struct Place(TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(TempDir::new().expect("temporary folder"));
        fs::write(place.path("a.upc"), "int main(void) { return 7; }\n").expect("a file");
        write_executable(&place.path("cc"), COMPILER);
        fs::create_dir(place.path("tmp")).expect("a folder");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Returns `upcc a.upc -o OUTPUT` with the cache in this folder.
    fn upcc(&self, output: &str, trouble: &str) -> Command {
        let mut command = Command::new(UPCC);
        command
            .args(["a.upc", "-o", output])
            .current_dir(self.0.path())
            .process_group(0)
            .env("XDG_CACHE_HOME", self.path("cache"))
            .env("TMPDIR", self.path("tmp"))
            .env("UPCC_CC", self.path("cc"))
            .env("OBJECTS", objects())
            .env("UPCC_NORC", "1")
            .env("TROUBLE", trouble)
            .env("MARK", self.path("mark"))
            .env_remove("UPCC_FLAGS")
            .stdin(Stdio::null());
        command
    }

    /// Returns the number of names in the cache with this prefix.
    fn cached(&self, prefix: &str) -> usize {
        let entries = fs::read_dir(self.path("cache/upcc")).into_iter().flatten();
        let names = entries.flatten().map(|entry| entry.file_name());
        names
            .filter(|name| {
                let name = name.to_string_lossy();
                name.starts_with(prefix) && !name.ends_with(".lock")
            })
            .count()
    }
}

fn works(program: &Path) -> bool {
    Command::new(program)
        .status()
        .is_ok_and(|status| status.code() == Some(7))
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn eight_at_once_from_an_empty_cache() {
    let place = Place::new();
    let start = |index: usize| {
        let mut command = place.upcc(&format!("a{index}"), "");
        command.stderr(Stdio::piped()).spawn().expect("upcc starts")
    };
    let children: Vec<Child> = (0..8).map(start).collect();
    for child in children {
        let output = child.wait_with_output().expect("upcc ends");
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{}",
            text(&output)
        );
    }
    assert!((0..8).all(|index| works(&place.path(&format!("a{index}")))));
    assert_eq!((place.cached("lib-"), place.cached("src-")), (1, 1));
    assert_eq!(place.cached("upcc-"), 0, "private folders are left");
}

/// gcc prints the name that it is called by. A name with the machine's may stand for another machine.
#[test]
fn names_of_one_compiler_share_a_library() {
    let place = Place::new();
    for (name, libraries) in [("cc", 1), ("gcc", 1), ("other-gcc", 2)] {
        let compiler = place.path(name);
        if name != "cc" {
            std::os::unix::fs::symlink(place.path("cc"), &compiler).expect("a link");
        }
        let mut command = place.upcc("a", "");
        let output = command.env("UPCC_CC", &compiler).output();
        let output = output.expect("upcc starts");
        assert!(output.status.success(), "{name}: {}", text(&output));
        assert_eq!(place.cached("lib-"), libraries, "{name}");
    }
}

#[test]
fn interrupted_and_failed_builds_leave_no_half_cache() {
    let place = Place::new();
    for signal in [Signal::KILL, Signal::INT] {
        let mut child = place.upcc("a", "stop").spawn().expect("upcc starts");
        let until = Instant::now() + Duration::from_secs(180);
        while !place.path("mark").exists() {
            assert!(Instant::now() < until, "the runtime is not compiled");
            std::thread::sleep(Duration::from_millis(20));
        }
        kill_process_group(Pid::from_child(&child), signal).expect("upcc runs");
        assert!(!child.wait().expect("upcc ends").success());
        assert_eq!(place.cached("lib-"), 0, "half a library after {signal:?}");
        fs::remove_file(place.path("mark")).expect("the mark");
    }
    let output = place.upcc("a", "fail").output().expect("upcc starts");
    assert_eq!(output.status.code(), Some(3), "{}", text(&output));
    assert!(text(&output).contains("cannot compile the runtime"));
    assert_eq!(place.cached("lib-"), 0);
    assert!(!place.path("a").exists());
    let output = place.upcc("a", "").output().expect("upcc starts");
    assert!(
        output.status.success() && works(&place.path("a")),
        "{}",
        text(&output)
    );
    // Only the folder of the killed process may remain; it is removed after an hour.
    assert!(place.cached("upcc-") <= 1);
}

#[test]
fn no_place_for_a_cache() {
    let place = Place::new();
    for (cache, home) in [
        (Some("/dev/null/cache"), None),
        (None, None),
        (None, Some("/dev/null")),
    ] {
        let mut command = place.upcc("a", "");
        command.env_remove("XDG_CACHE_HOME").env_remove("HOME");
        if let Some(cache) = cache {
            command.env("XDG_CACHE_HOME", cache);
        }
        if let Some(home) = home {
            command.env("HOME", home);
        }
        let output = command.output().expect("upcc starts");
        assert!(
            output.status.success() && works(&place.path("a")),
            "{}",
            text(&output)
        );
        fs::remove_file(place.path("a")).expect("the program");
    }
}

/// Files that a command uses are restored after any damage by the disk or a user.
#[test]
fn a_damaged_cache_heals() {
    let place = Place::new();
    let compiles = |line: &[&str]| {
        let mut command = place.upcc("a", "");
        let output = command.args(line).output().expect("upcc starts");
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{line:?}: {}",
            text(&output)
        );
        let _ = fs::remove_file(place.path("a"));
    };
    let folder = |prefix: &str| {
        let entries = fs::read_dir(place.path("cache/upcc")).expect("a cache");
        let names = entries.flatten().map(|entry| entry.path());
        let mut folders = names.filter(|path| {
            path.is_dir()
                && path
                    .file_name()
                    .is_some_and(|name| name.to_string_lossy().starts_with(prefix))
        });
        folders.next().expect("a folder")
    };
    fs::write(
        place.path("a.upc"),
        "#include <upc.h>\nint main(void) { return 7; }\n",
    )
    .expect("a file");
    compiles(&[]);
    let (sources, library) = (folder("src-"), folder("lib-"));
    let empty = |path: &Path| fs::write(path, "").expect("a file");
    let cut = |path: &Path| {
        let bytes = fs::read(path).expect("a file");
        fs::write(path, &bytes[..bytes.len() / 2]).expect("a file");
    };
    let turned = |path: &Path| {
        let mut bytes = fs::read(path).expect("a file");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(path, bytes).expect("a file");
    };
    let gone = |path: &Path| fs::remove_file(path).expect("a file");
    let damages: [&dyn Fn(&Path); 4] = [&empty, &cut, &turned, &gone];
    for damage in damages {
        for file in ["include/upc.h", "include/upcr/base.h", "gdb/upc.py"] {
            let path = sources.join(file);
            let before = fs::read(&path).expect("a header");
            damage(&path);
            compiles(&["-c"]);
            assert_eq!(fs::read(&path).ok(), Some(before), "{file}");
        }
    }
    // A header that is not the runtime's would replace the system's.
    fs::write(sources.join("include/stdlib.h"), "#error planted\n").expect("a file");
    fs::write(
        place.path("a.upc"),
        "#include <stdlib.h>\nint main(void) { return 7; }\n",
    )
    .expect("a file");
    compiles(&["-c"]);
    // The library, and the sources of it that are needed to rebuild it.
    let archive = library.join("libupcr.a");
    let before = fs::metadata(&archive).expect("the library").len();
    for (damage, source) in [
        (&cut as &dyn Fn(&Path), None),
        (&gone, Some("src/launch.c")),
    ] {
        damage(&archive);
        if let Some(source) = source {
            empty(&sources.join(source));
        }
        compiles(&[]);
        assert_eq!(fs::metadata(&archive).expect("the library").len(), before);
    }
    assert_eq!((place.cached("lib-"), place.cached("src-")), (1, 1));
    assert_eq!(place.cached("upcc-"), 0, "private folders are left");
}

/// A user who can write to the cache determines the contents of programs, and the scripts that gdb runs.
#[test]
fn a_cache_of_others_is_not_used() {
    let set = |path: &Path, mode: u32| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
    };
    let setup = |place: &Place| {
        let mut command = place.upcc("a", "");
        command
            .arg("--print-gdb-setup")
            .output()
            .expect("upcc starts")
    };
    let place = Place::new();
    let cache = place.path("cache/upcc");
    fs::create_dir_all(&cache).expect("a folder");
    let other_owner = |path: &Path| std::os::unix::fs::chown(path, Some(1), None).is_ok();
    for (mode, given, reason) in [
        (0o777, false, "can be written by others"),
        (0o770, false, "can be written by others"),
        (0o755, true, "belongs to another user"),
    ] {
        set(&cache, mode);
        if given && !other_owner(&cache) {
            continue; // only root can give a folder away
        }
        let output = setup(&place);
        assert!(
            output.status.success() && text(&output).contains(reason),
            "{}",
            text(&output)
        );
        let lines = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            !lines.contains("cache/upcc") && lines.contains("/tmp/upcc-cache-"),
            "{lines}"
        );
        assert_eq!(place.cached(""), 0, "something is in it");
    }
    // The remaining candidate is a folder that all users may write to, as the first one is.
    set(&cache, 0o777);
    let user = rustix::process::geteuid().as_raw();
    let fallback = place.path(&format!("tmp/upcc-cache-{user}"));
    set(&fallback, 0o777);
    let output = setup(&place);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output));
    assert!(text(&output).contains("set XDG_CACHE_HOME to a folder of your own"));
    fs::remove_dir_all(&fallback).expect("the folder");
    fs::create_dir(place.path("elsewhere")).expect("a folder");
    std::os::unix::fs::symlink(place.path("elsewhere"), &fallback).expect("a link");
    let output = setup(&place);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output));
    entries_of_others_are_not_used(&place, &set);
}

/// Entries that others can write to, or own, are made again, whatever they contain.
fn entries_of_others_are_not_used(place: &Place, set: &dyn Fn(&Path, u32)) {
    let cache = place.path("cache/upcc");
    fs::remove_dir_all(&cache).expect("the folder");
    let compiles = || {
        let output = place.upcc("a", "").output().expect("upcc starts");
        assert!(output.status.success(), "{}", text(&output));
        assert!(works(&place.path("a")));
    };
    compiles();
    let below = |prefix: &str| {
        let mut paths = all_below(&cache).into_iter();
        let folder = |path: &PathBuf| {
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            path.is_dir() && name.starts_with(prefix)
        };
        paths.find(folder).expect("a folder")
    };
    let (sources, library) = (below("src-"), below("lib-"));
    let archive = library.join("libupcr.a");
    let age = || {
        fs::metadata(&archive)
            .expect("the library")
            .modified()
            .expect("a time")
    };
    let python = sources.join("gdb/__pycache__");
    for (path, mode) in [
        (&archive, 0o666),
        (&sources, 0o770),
        (&sources.join("gdb/upc.py"), 0o662),
        (&sources.join("include/upcr"), 0o1777),
        (&python, 0o777),
    ] {
        if path == &python {
            fs::create_dir(&python).expect("a folder");
            fs::write(python.join("upc.pyc"), "").expect("a file");
        }
        set(path, mode);
        let before = age();
        compiles();
        assert_eq!(
            age() != before,
            path.starts_with(&library),
            "{}",
            path.display()
        );
        assert!(!python.exists(), "{}", path.display());
        are_closed_to_others(&cache);
    }
    if std::os::unix::fs::chown(sources.join("gdb/upc.py"), Some(1), None).is_ok() {
        compiles();
        are_closed_to_others(&cache);
    }
}

/// Returns a path and, if it is a folder, all paths below it.
fn all_below(path: &Path) -> Vec<PathBuf> {
    let mut all = vec![path.to_path_buf()];
    if path.is_dir() {
        let entries = fs::read_dir(path).expect("a folder").flatten();
        all.extend(entries.flat_map(|entry| all_below(&entry.path())));
    }
    all
}

fn are_closed_to_others(cache: &Path) {
    let user = rustix::process::geteuid().as_raw();
    let all = all_below(cache);
    assert!(all.len() > 100, "{all:?}");
    for path in all {
        let found = fs::symlink_metadata(&path).expect("a file");
        let mode = found.permissions().mode();
        assert_eq!(mode & 0o022, 0, "{}: {mode:o}", path.display());
        assert_eq!(found.uid(), user, "{}", path.display());
    }
}

#[test]
fn temporary_folders_are_private() {
    // The cache's folder is there already in most runs, with the mode that another program's mask gave it.
    for old in [None, Some(0o755)] {
        let place = Place::new();
        let cache = place.path("cache/upcc");
        if let Some(mode) = old {
            fs::create_dir_all(&cache).expect("a folder");
            fs::set_permissions(&cache, fs::Permissions::from_mode(mode)).expect("a mode");
        }
        let command = place.upcc("a", "modes");
        let mut shell = Command::new("sh");
        shell
            .args(["-c", "umask 0; exec \"$@\"", "sh"])
            .arg(command.get_program());
        shell.args(command.get_args()).current_dir(place.path(""));
        for (name, value) in command.get_envs() {
            shell.env(name, value.unwrap_or_default());
        }
        let output = shell.output().expect("a shell starts");
        assert!(output.status.success(), "{}", text(&output));
        let modes = fs::read_to_string(place.path("mark")).expect("the modes");
        assert!(
            !modes.is_empty() && modes.lines().all(|mode| mode == "700"),
            "{modes}"
        );
        if old.is_none() {
            for name in ["cache", "cache/upcc"] {
                let found = fs::metadata(place.path(name)).expect("a folder");
                assert_eq!(found.permissions().mode() & 0o777, 0o700, "{name}");
            }
        }
        assert_eq!((place.cached("lib-"), place.cached("src-")), (1, 1));
        are_closed_to_others(&cache);
    }
}

/// A library in front of the C library: it logs what is written to disk and what is renamed, in order.
const WATCH: &str = r#"#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void note(const char *what, const char *path)
{
    char line[8192];
    int length = snprintf(line, sizeof line, "%s %s\n", what, path);
    int log = open(getenv("MARK"), O_WRONLY | O_APPEND | O_CREAT, 0600);
    if (write(log, line, length) != length)
        abort();
    close(log);
}
int fsync(int file)
{
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    char name[64], path[4096];
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    ssize_t length = readlink(name, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = '\0';
    note("sync", path);
    return real(file);
}
int rename(const char *from, const char *to)
{
    int (*real)(const char *, const char *) = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
    note("from", from);
    note("to", to);
    return real(from, to);
}
"#;

/// After a crash of the machine, a name must not designate a file whose contents never reached the disk.
#[test]
fn files_are_on_disk_before_they_get_their_names() {
    let place = Place::new();
    fs::write(place.path("watch.c"), WATCH).expect("a file");
    let built = Command::new("gcc")
        .args(["-shared", "-fPIC", "-o", "watch.so", "watch.c", "-ldl"])
        .current_dir(place.path(""))
        .output()
        .expect("gcc starts");
    assert!(built.status.success(), "{}", text(&built));
    let mut command = place.upcc("a", "");
    command.env("LD_PRELOAD", place.path("watch.so"));
    let output = command.output().expect("upcc starts");
    assert!(output.status.success(), "{}", text(&output));
    let log = fs::read_to_string(place.path("mark")).expect("a log");
    let steps: Vec<(&str, &Path)> = log
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(what, path)| (what, Path::new(path)))
        .collect();
    let mut renamed = 0;
    for at in 1..steps.len() {
        let [("from", from), ("to", to)] = steps[at - 1..=at] else {
            continue;
        };
        let name = to.file_name().unwrap_or_default().to_string_lossy();
        if to.parent() != Some(&place.path("cache/upcc")) || !to.is_dir() {
            continue;
        }
        renamed += 1;
        for path in all_below(to) {
            let before = from.join(path.strip_prefix(to).expect("a path below it"));
            // A joined empty path ends with a slash.
            let before = before.components().as_path().to_path_buf();
            assert!(
                steps[..at].contains(&("sync", &before)),
                "{} of {name} gets its name before it is on disk",
                before.display()
            );
        }
    }
    assert_eq!(renamed, 2, "sources and library: {log}");
}

/// The paths of the cache folder stay out of objects, in debug information too.
#[test]
fn objects_of_two_users_are_equal() {
    let folder = TempDir::new().expect("temporary folder");
    let source = "#include <upc.h>\nshared int a[THREADS]; int main(void) { a[0]++; upc_barrier; return a[MYTHREAD]; }\n";
    fs::write(folder.path().join("a.upc"), source).expect("a file");
    let object = |user: &str, compiler: &str, flags: &[&str]| {
        let output = Command::new(UPCC)
            .args(["-c", "a.upc", "-o", "a.o"])
            .args(flags)
            .current_dir(folder.path())
            .env("XDG_CACHE_HOME", folder.path().join(user))
            .env("UPCC_CC", compiler)
            .env("UPCC_NORC", "1")
            .env_remove("UPCC_FLAGS")
            .output()
            .expect("upcc starts");
        assert!(output.status.success(), "{}", text(&output));
        fs::read(folder.path().join("a.o")).expect("an object")
    };
    let flag_lists: [&[&str]; 4] = [&[], &["-g"], &["-g", "--inst-functions"], &["-g3", "-O2"]];
    let installed = |compiler: &&&str| Command::new(compiler).arg("--version").output().is_ok();
    for compiler in ["gcc", "clang"].iter().filter(installed) {
        for flags in flag_lists {
            let (one, other) = ("one", "another/longer");
            let objects = [one, other].map(|user| object(user, compiler, flags));
            assert!(objects[0] == objects[1], "{compiler} {flags:?}");
        }
    }
}
