//! Compiles the headers of the C library's and the kernel's packages that gcc accepts alone: every header in a long run.

use std::path::Path;
use std::process::Command;
use std::time::Duration;
use std::{collections::BTreeSet, fs};

use super::forms;
use super::test::Test;
use crate::context::{COMPILE, Context, forever, write};
use crate::process;
use crate::report::Tally;

/// The packages whose headers are tested; if dpkg does not know them, the headers in the C library's usual folders.
const PACKAGES: &[&str] = &["libc6-dev", "linux-libc-dev"];
const FOLDERS: &[&str] = &[
    "/usr/include",
    "/usr/include/sys",
    "/usr/include/arpa",
    "/usr/include/net",
    "/usr/include/netinet",
];
/// Macros without which many headers declare little.
const FLAGS: &[&str] = &["-D_GNU_SOURCE", "-w", "-c"];
/// The share of headers that a normal run takes, one in this number: most are the kernel's, which are alike.
const ONE_IN: u64 = 5;
/// The time limit of the compilation of a header by upcc.
const LIMIT: Duration = Duration::from_secs(60);

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let work: &Path = forever(context.fresh("headers")?).as_path();
    let taken = |header: &String| forms::is_taken(header, ONE_IN, context.long);
    let headers: Vec<String> = headers().into_iter().filter(taken).collect();
    if headers.is_empty() {
        return Err("no header found".to_string());
    }
    let test = |header: String| Test::new(header.clone(), move || one(context, work, &header));
    Ok(headers.into_iter().map(test).collect())
}

/// Tests one header. A header that gcc rejects alone, too, is not a case; gcc is asked only about what upcc rejects.
fn one(context: &Context, work: &Path, header: &str) -> Tally {
    let mut tally = Tally::default();
    let base = header.trim_start_matches('/').replace('/', "-");
    let source = work.join(format!("{base}.c"));
    let object = work.join(format!("{base}.o"));
    let text = format!("#include \"{header}\"\nint upcc_test_end;\n");
    let taken = write(&source, &text).and_then(|()| {
        let mut upcc = context.upcc("gcc");
        upcc.args(FLAGS).arg(&source).arg("-o").arg(&object);
        process::must(&mut upcc, LIMIT)
    });
    match taken {
        Ok(_) => tally.add(header, Ok(())),
        Err(why) => match rejected_by_gcc(&source) {
            Ok(true) => {}
            Ok(false) => tally.add(header, Err(why)),
            Err(other) => tally.add(header, Err(other)),
        },
    }
    let _ = fs::remove_file(&object);
    tally
}

fn rejected_by_gcc(source: &Path) -> Result<bool, String> {
    let mut gcc = Command::new("gcc");
    gcc.args(FLAGS).arg("-fsyntax-only").arg(source);
    Ok(!process::run(&mut gcc, COMPILE)?.ok())
}

fn headers() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for package in PACKAGES {
        if let Ok(list) = process::run(Command::new("dpkg").args(["-L", package]), COMPILE) {
            found.extend(
                list.out()
                    .lines()
                    .filter(|l| l.ends_with(".h"))
                    .map(str::to_string),
            );
        }
    }
    if found.is_empty() {
        for folder in FOLDERS {
            let files = crate::context::files(Path::new(folder), "h").unwrap_or_default();
            found.extend(files.iter().map(|f| f.display().to_string()));
        }
    }
    found
}
