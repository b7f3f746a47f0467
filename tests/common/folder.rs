//! A folder for the commands of a test.
#![allow(dead_code, reason = "not every test needs all of it")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

pub const UPCC: &str = env!("CARGO_BIN_EXE_upcc");
pub const UPCRUN: &str = env!("CARGO_BIN_EXE_upcrun");

/// A new folder with files in it.
pub struct Folder(TempDir);

impl Folder {
    pub fn with(files: &[(&str, &str)]) -> Folder {
        let folder = Folder(TempDir::new().expect("temporary folder"));
        for (name, text) in files {
            let path = folder.path(name);
            let parent = path.parent().expect("a file in the folder");
            fs::create_dir_all(parent).expect("folder in a temporary folder");
            fs::write(path, text).expect("file in a temporary folder");
        }
        folder
    }

    /// Writes an executable file.
    pub fn executable(&self, name: &str, text: &str) {
        write_executable(&self.path(name), text);
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn has(&self, name: &str) -> bool {
        self.path(name).is_file()
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// Returns a command in this folder, with temporary files in `tmp`.
    pub fn command(&self, program: &str, line: &str) -> Command {
        let tmp = self.path("tmp");
        fs::create_dir_all(&tmp).expect("folder in a temporary folder");
        let mut command = Command::new(program);
        command
            .args(line.split_whitespace())
            .current_dir(self.0.path())
            .env("TMPDIR", tmp);
        command.env("UPCC_NORC", "1").env_remove("UPCC_FLAGS");
        command
    }

    pub fn run(&self, program: &str, line: &str) -> Output {
        self.command(program, line)
            .output()
            .expect("the program starts")
    }

    /// Runs `upcc` with these arguments, which must succeed; returns its standard output.
    pub fn upcc(&self, line: &str) -> String {
        let output = self.run(UPCC, line);
        assert!(output.status.success(), "upcc {line}: {}", stderr(&output));
        assert_eq!(self.leftovers(), 0, "upcc {line} left temporary files");
        stdout(&output)
    }

    /// Returns the number of remaining temporary files.
    pub fn leftovers(&self) -> usize {
        fs::read_dir(self.path("tmp")).map_or(0, Iterator::count)
    }
}

/// Writes an executable file. A separate process writes it: processes that other tests start at that moment would
/// inherit a descriptor open for writing in this one, and exec rejects such a file ("text file busy").
pub fn write_executable(path: &Path, text: &str) {
    let mut shell = Command::new("sh")
        .args(["-c", "cat >\"$0\" && chmod +x \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .expect("a shell starts");
    let mut input = shell.stdin.take().expect("its input is a pipe");
    input.write_all(text.as_bytes()).expect("the shell reads");
    drop(input);
    assert!(shell.wait().expect("the shell ends").success());
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
