//! sqlite3, zlib and Lua, from the sources inside the crates that carry them: built by upcc they print what gcc's builds print.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;

use super::c_forms::PRINT_PLAIN;
use super::csmith::compare;
use crate::context::{Context, files};
use crate::process::{self, Output};
use crate::report::Tally;

struct Program {
    name: &'static str,
    /// Folder of the C files in the vendored crates.
    folder: &'static str,
    /// Compiled beside every `.c` file of the folder that is not in `omit`; in tests/real-c.
    main: &'static str,
    omit: &'static [&'static str],
    flags: &'static [&'static str],
    libraries: &'static [&'static str],
    /// Argument of the program: a file of tests/real-c, or one to be made.
    argument: &'static str,
}

const PROGRAMS: &[Program] = &[
    Program {
        name: "sqlite3",
        folder: "libsqlite3-sys/sqlite3",
        main: "sqlite_main.c",
        omit: &["wasm32-wasi-vfs.c"],
        flags: &[
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

pub fn run(context: &Context) -> Result<Tally, String> {
    let vendor = sources(context)?;
    let work = context.fresh("real-c")?;
    let mut modes: Vec<Option<&[&str]>> = vec![None, Some(&[])];
    if context.long {
        modes.push(Some(&[PRINT_PLAIN]));
    }
    let builds: Vec<Build> = PROGRAMS
        .iter()
        .flat_map(|program| modes.iter().map(move |mode| (program, *mode)))
        .collect();
    let outputs = Mutex::new(BTreeMap::new());
    let mut tally = context.each(&builds, |build| {
        match build_and_run(context, &vendor, &work, build) {
            Ok(output) => {
                // A poisoned lock means that another worker panicked; each() reports that.
                if let Ok(mut outputs) = outputs.lock() {
                    outputs.insert(name(build), output);
                }
                Tally::default()
            }
            Err(why) => Tally::one(&name(build), Err(why)),
        }
    });
    let outputs = outputs.into_inner().unwrap_or_default();
    for (program, mode) in builds.iter().filter(|(_, mode)| mode.is_some()) {
        let found = outputs.get(&name(&(program, *mode)));
        let expected = outputs.get(&name(&(program, None)));
        // What was not built has failed above.
        if let (Some(expected), Some(found)) = (expected, found) {
            let verdict = match expected.ok() {
                true => compare(expected, found),
                false => Err(format!("gcc's own build fails: {}", expected.tail())),
            };
            tally.add(&name(&(program, *mode)), verdict);
        }
    }
    Ok(tally)
}

fn name((program, mode): &Build) -> String {
    let mode = match mode {
        None => "gcc",
        Some([]) => "upcc",
        Some([..]) => "printed",
    };
    format!("{}-{mode}", program.name)
}

/// The crates, unpacked side by side in folders that carry no version.
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
