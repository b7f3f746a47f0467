//! Configures, builds and runs the projects of tests/builds with upcc as their compiler, each in a copy; in a long run
//! over each C compiler, in a normal one over one of them.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::test::Test;
use crate::context::Context;
use crate::process;
use crate::report::Tally;
use crate::tools::{self, Need, compilers_of};

/// A project: its folder, and the commands that a user would type in it.
struct Project {
    name: &'static str,
    steps: &'static [&'static str],
}

#[rustfmt::skip] // one row per line
const PROJECTS: &[Project] = &[
    Project { name: "cmake", steps: &["cmake -S . -B build", "cmake --build build", "cmake --build build --target test", "cmake --install build --prefix installed", "upcrun -n 2 installed/bin/heat"] },
    Project { name: "cmake-upc", steps: &["sh check.sh"] },
    Project { name: "autoconf-upc", steps: &["sh check.sh"] },
    Project { name: "pkg-config", steps: &["sh check.sh"] },
    Project { name: "ccache", steps: &["sh check.sh"] },
    Project { name: "autotools", steps: &["autoreconf -fi", "./configure", "make check", "make distclean"] },
    Project { name: "berkeley", steps: &["make check", "make clean"] },
    Project { name: "gupc", steps: &["make CC=upcc check", "touch table.h", "make -j4 CC=upcc check"] },
    Project { name: "meson", steps: &["sh check.sh"] },
    Project { name: "mixed", steps: &["make check"] },
];

/// What a project needs besides the suite.
const NEEDS: &[(&str, Need)] = &[("meson", Need::Meson)];

/// The time limit of one step.
const STEP: Duration = Duration::from_secs(300);

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let work = context.fresh("builds")?;
    let cases = PROJECTS.iter().enumerate().flat_map(|(number, project)| {
        compilers_of(number, context.long).map(move |cc| (project, cc))
    });
    let test = |(project, cc): (&'static Project, &'static str)| {
        let folder = work.join(format!("{}-{cc}", project.name));
        let name = format!("{}::{cc}", project.name);
        Test::new(name, move || match missing(project) {
            Some(why) => Tally::skipped(project.name, &why),
            None => Tally::one(project.name, one(context, project, cc, &folder)),
        })
    };
    Ok(cases.map(test).collect())
}

fn missing(project: &Project) -> Option<String> {
    let needs = NEEDS.iter().filter(|(name, _)| *name == project.name);
    let needs: Vec<Need> = needs.map(|(_, need)| *need).collect();
    tools::missing(&needs)
}

fn one(context: &Context, project: &Project, cc: &str, folder: &Path) -> Result<(), String> {
    let source = context.root.join("tests/builds").join(project.name);
    process::must(Command::new("cp").arg("-r").arg(source).arg(folder), STEP)?;
    let bin = context.upcc.parent().ok_or("upcc is in no folder")?;
    let path = std::env::var("PATH").unwrap_or_default();
    for step in project.steps {
        let mut words = step.split(' ');
        let mut command = Command::new(words.next().unwrap_or_default());
        // The compiler settings of the tests' own environment do not apply to the project.
        for variable in ["CFLAGS", "MAKEFLAGS", "UPCC_FLAGS"] {
            command.env_remove(variable);
        }
        command
            .args(words)
            .current_dir(folder)
            .env("PATH", format!("{}:{path}", bin.display()))
            .env("CC", "upcc")
            .env("UPCC_CC", cc)
            .env("UPCC_NORC", "1");
        process::must(&mut command, STEP)?;
    }
    Ok(())
}
