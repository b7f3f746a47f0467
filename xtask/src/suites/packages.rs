//! Packs a Debian package of the build under test twice, unpacks it, and builds projects with what it installs.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::test::Test;
use crate::context::{Context, read};
use crate::package::{self, Compression};
use crate::process;

/// The time limit of one step.
const STEP: Duration = Duration::from_secs(1800);

/// The date of the packages.
const EPOCH: &str = "1700000000";

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let work = context.fresh("packages")?;
    let mut tests = vec![
        Test::one("recipes".to_owned(), move || recipes(&context.root)),
        Test::one("debian".to_owned(), {
            let work = work.clone();
            move || debian(context, &work)
        }),
    ];
    if context.long {
        tests.push(Test::one("reproducible".to_owned(), move || {
            reproducible(context, &work)
        }));
    }
    Ok(tests)
}

/// The recipes for other systems name the version of Rust that `Cargo.toml` asks for.
fn recipes(root: &Path) -> Result<(), String> {
    let cargo = read(&root.join("Cargo.toml"))?;
    let line = cargo
        .lines()
        .find(|line| line.starts_with("rust-version = "));
    let rust = line.and_then(|line| line.split('"').nth(1));
    let rust = rust.ok_or("Cargo.toml names no rust-version")?;
    let places = [
        ("README.md", format!("Rust {rust} or later")),
        ("packages/Containerfile", format!("library/rust:{rust}-")),
        ("packages/spack/upcc/package.py", format!("rust@{rust}:")),
    ];
    for (file, text) in places {
        if !read(&root.join(file))?.contains(&text) {
            return Err(format!("{file} does not say `{text}`"));
        }
    }
    Ok(())
}

fn pack(context: &Context, folder: &Path) -> Result<PathBuf, String> {
    fs::create_dir_all(folder).map_err(|e| e.to_string())?;
    let bin = context.upcc.parent().ok_or("upcc is in no folder")?;
    package::pack(&context.root, bin, folder, EPOCH, Compression::None)
}

fn same(first: &Path, second: &Path) -> Result<(), String> {
    let mut cmp = Command::new("cmp");
    process::must(cmp.args([first, second]), STEP).map(|_| ())
}

/// Two packages of the same programs are equal, and what they install works where CMake and man look for it.
fn debian(context: &Context, work: &Path) -> Result<(), String> {
    let first = pack(context, &work.join("first"))?;
    let copy = work.join("copy");
    // Times and permissions of the project's files must not matter.
    let file = work.join("first/stage/usr/share/doc/upcc/README.md");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).map_err(|e| e.to_string())?;
    let second = pack(context, &copy)?;
    same(&first, &second)?;
    let root = work.join("root");
    let mut dpkg = Command::new("dpkg-deb");
    process::must(dpkg.arg("-x").args([&first, &root]), STEP)?;
    let usr = root.join("usr");
    for file in [
        "share/man/man1/upcprof.1.gz",
        "share/bash-completion/completions/upcrun",
        "share/zsh/vendor-completions/_upcprof",
        "share/fish/vendor_completions.d/upcc.fish",
        "share/doc/upcc/copyright",
        "share/aclocal/upc.m4",
        "include/upcc/bupc_extern.h",
    ] {
        if !usr.join(file).is_file() {
            return Err(format!("the package lacks /usr/{file}"));
        }
    }
    let pc = read(&usr.join("share/pkgconfig/upcc.pc"))?;
    if pc.contains('@') {
        return Err(format!("upcc.pc still has placeholders:\n{pc}"));
    }
    // Only the prefix is named: CMake finds the modules in it, and upcc.
    let project = work.join("project");
    let source = context.root.join("tests/builds/cmake-upc");
    process::must(Command::new("cp").arg("-r").arg(source).arg(&project), STEP)?;
    let prefix = format!("-DCMAKE_PREFIX_PATH={}", usr.display());
    let user = |words: &[&str]| {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).current_dir(&project);
        for variable in ["CC", "CFLAGS", "UPC", "UPCC_FLAGS", "UPCC_RUNTIME_DIR"] {
            command.env_remove(variable);
        }
        process::must(command.env("UPCC_NORC", "1"), STEP)
    };
    user(&["cmake", "-S", ".", "-B", "build", &prefix])?;
    user(&["cmake", "--build", "build"])?;
    let cache = read(&project.join("build/CMakeCache.txt"))?;
    let upcc = usr.join("bin/upcc");
    if !cache.contains(&format!("={}", upcc.display())) {
        return Err("CMake does not use the packaged upcc".to_owned());
    }
    let out = user(&["build/fixed"])?.out();
    match out.contains("3 threads, 7 stars each, static") {
        true => Ok(()),
        false => Err(format!("build/fixed prints {out}")),
    }
}

/// Programs that are built in two folders make equal packages.
fn reproducible(context: &Context, work: &Path) -> Result<(), String> {
    let mut packages = Vec::new();
    for name in ["one", "two"] {
        let folder = work.join(name);
        fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
        let bin = package::build(context, &folder)?;
        packages.push(package::pack(
            &context.root,
            &bin,
            &folder,
            EPOCH,
            Compression::None,
        )?);
    }
    same(&packages[0], &packages[1])
}
