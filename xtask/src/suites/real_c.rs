//! sqlite3, zlib and Lua, from the sources inside the crates that contain them: built by upcc they print the same as
//! built by gcc.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::c_forms::NO_VERBATIM;
use super::csmith::compare;
use super::test::{Shared, Test};
use crate::context::{Context, files, forever};
use crate::process::{self, Output};

struct Program {
    name: &'static str,
    /// The folder of the C files in the vendored crates.
    folder: &'static str,
    /// Compiled together with every `.c` file of the folder that is not in `omit`; in tests/real-c.
    main: &'static str,
    omit: &'static [&'static str],
    flags: &'static [&'static str],
    libraries: &'static [&'static str],
    /// The argument of the program: a file of tests/real-c, or one to be made.
    argument: &'static str,
}

const PROGRAMS: &[Program] = &[
    Program {
        name: "sqlite3",
        folder: "libsqlite3-sys/sqlite3",
        main: "sqlite_main.c",
        omit: &["wasm32-wasi-vfs.c"],
        flags: &[
            "-O0",
            "-DSQLITE_ENABLE_FTS5",
            "-DSQLITE_ENABLE_RTREE",
            "-DSQLITE_ENABLE_MATH_FUNCTIONS",
            "-DSQLITE_OMIT_LOAD_EXTENSION",
        ],
        libraries: &["-lm", "-lpthread"],
        argument: "script.sql",
    },
    Program {
        name: "zlib",
        folder: "libz-sys/src/zlib",
        main: "zlib_main.c",
        omit: &[],
        flags: &["-O1", "-DHAVE_UNISTD_H", "-DHAVE_STDARG_H"],
        libraries: &[],
        argument: "out.gz",
    },
    Program {
        name: "lua",
        folder: "lua-src/lua-5.4.9",
        main: "lua_main.c",
        omit: &[],
        flags: &["-O1", "-DLUA_USE_POSIX"],
        libraries: &["-lm"],
        argument: "script.lua",
    },
];

const BUILD: Duration = Duration::from_secs(600);
const RUN: Duration = Duration::from_secs(60);

/// A program, and upcc's flags; `None`: built by gcc alone.
type Build<'a> = (&'a Program, Option<&'static [&'static str]>);

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let work: &Path = forever(context.fresh("real-c")?).as_path();
    let mut modes: Vec<&'static [&'static str]> = vec![&[]];
    if context.long {
        modes.push(&[NO_VERBATIM]);
    }
    let vendor = Shared::default();
    let mut tests = Vec::new();
    for program in PROGRAMS {
        for &mode in &modes {
            let vendor = vendor.clone();
            let built = (program, Some(mode));
            tests.push(Test::one(name(&built), move || {
                let vendor = vendor.get(|| sources(context))?;
                let expected = build_and_run(context, vendor, work, &(program, None))?;
                if !expected.ok() {
                    return Err(format!("gcc's own build fails: {}", expected.tail()));
                }
                compare(&expected, &build_and_run(context, vendor, work, &built)?)
            }));
        }
    }
    Ok(tests)
}

fn name((program, mode): &Build) -> String {
    let mode = match mode {
        None => "gcc",
        Some([]) => "upcc",
        Some([..]) => "printed",
    };
    format!("{}-{mode}", program.name)
}

/// Returns the folder of the crates, unpacked into folders without a version in their names.
pub fn sources(context: &Context) -> Result<PathBuf, String> {
    let vendor = context.work.join("real-c-sources");
    let manifest = context.root.join("tests/real-c/Cargo.toml");
    let mut cargo = context.cargo(&["vendor", "--quiet", "--locked", "--manifest-path"]);
    cargo.arg(manifest).arg(&vendor);
    process::must(&mut cargo, BUILD)?;
    Ok(vendor)
}

fn build_and_run(
    context: &Context,
    vendor: &Path,
    work: &Path,
    build: &Build,
) -> Result<Output, String> {
    let (program, mode) = build;
    let mut compiler = match mode {
        None => Command::new("gcc"),
        Some(flags) => {
            let mut upcc = context.upcc("gcc");
            upcc.arg("-T=1").args(*flags);
            upcc
        }
    };
    let name = name(build);
    let folder = vendor.join(program.folder);
    let tests = context.root.join("tests/real-c");
    let binary = work.join(&name);
    let mut sources = files(&folder, "c")?;
    sources.retain(|s| !program.omit.iter().any(|omit| s.ends_with(omit)));
    compiler
        .arg("-w")
        .args(program.flags)
        .arg("-I")
        .arg(&folder)
        .args(&sources)
        .arg(tests.join(program.main));
    compiler.arg("-o").arg(&binary).args(program.libraries);
    process::must(&mut compiler, BUILD)?;
    let script = tests.join(program.argument);
    let argument = if script.exists() {
        script
    } else {
        work.join(format!("{name}-{}", program.argument))
    };
    process::run(Command::new(&binary).arg(argument), RUN)
}
