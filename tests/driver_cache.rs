//! The cache of the compiled runtime: parallel, interrupted and failed builds, and no place for it.

use rustix::process::{Pid, Signal, kill_process_group};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const UPCC: &str = env!("CARGO_BIN_EXE_upcc");

/// A C compiler that stops at, or refuses, one of the first files of the runtime when the environment says so. It touches `$MARK` before it
/// stops. It does not optimise, which says nothing about a cache and takes half of the time.
const COMPILER: &str = "#!/bin/sh
case \"$TROUBLE $*\" in
stop*bupc/extern.c*) touch \"$MARK\"; sleep 200 ;;
fail*bupc/extern.c*) echo broken >&2; exit 1 ;;
esac
exec gcc \"$@\" -O0
";

struct Place(TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(TempDir::new().expect("temporary folder"));
        fs::write(place.path("a.upc"), "int main(void) { return 7; }\n").expect("a file");
        fs::write(place.path("cc"), COMPILER).expect("a file");
        fs::set_permissions(place.path("cc"), fs::Permissions::from_mode(0o755)).expect("a mode");
        fs::create_dir(place.path("tmp")).expect("a folder");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// `upcc a.upc -o OUTPUT` with the cache in this folder.
    fn upcc(&self, output: &str, trouble: &str) -> Command {
        let mut command = Command::new(UPCC);
        command
            .args(["a.upc", "-o", output])
            .current_dir(self.0.path())
            .process_group(0)
            .env("XDG_CACHE_HOME", self.path("cache"))
            .env("TMPDIR", self.path("tmp"))
            .env("UPCC_CC", self.path("cc"))
            .env("UPCC_NORC", "1")
            .env("TROUBLE", trouble)
            .env("MARK", self.path("mark"))
            .env_remove("UPCC_FLAGS")
            .stdin(Stdio::null());
        command
    }

    /// Names in the cache that begin so.
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
    // What SIGKILL left is the only thing that may be there still; it goes after an hour.
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
