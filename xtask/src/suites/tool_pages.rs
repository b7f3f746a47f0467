//! Plays the sessions of `docs/tools.md` and of `docs/debugging.md`: gdb, core files, valgrind, the sanitizers, coverage, perf
//! and clang-format.
//!
//! A listing is a block ` ```c ` whose first line names the file. A session is a block ` ```console TOOL `, see [`TOOLS`].
//! Lines behind `$ ` are commands of the shell; lines behind `(gdb) ` are typed into the command above them. Of the other
//! lines each must be printed by that command, in any order, since threads are not ordered. Without a line `...` nothing
//! else may be printed.

use std::env;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::test::Test;
use crate::context::{COMPILE, Context, RUN, files, forever, read, write};
use crate::fences::{self, Part};
use crate::process;
use crate::report::Tally;
use crate::tools::{self, Need};

/// What a session needs.
struct Tool {
    /// The word behind `console`.
    word: &'static str,
    need: Option<Need>,
    /// Returns the reason why it cannot be used on this machine, though it is installed.
    forbidden: fn() -> Option<String>,
}

const TOOLS: &[Tool] = &[
    tool("gdb", Some(Need::Gdb), debugger),
    tool("core", Some(Need::Gdb), core_files),
    tool("valgrind", Some(Need::Valgrind), nothing),
    tool("asan", None, || sanitizer("-fsanitize=address")),
    tool("ubsan", None, || sanitizer("-fsanitize=undefined")),
    tool("gcov", None, nothing),
    tool("perf", Some(Need::Perf), perf),
    tool("clang-format", Some(Need::ClangFormat), nothing),
];

const fn tool(word: &'static str, need: Option<Need>, forbidden: fn() -> Option<String>) -> Tool {
    Tool {
        word,
        need,
        forbidden,
    }
}

impl Tool {
    fn missing(&self) -> Option<String> {
        let needs: Vec<Need> = self.need.into_iter().collect();
        tools::missing(&needs).or_else(self.forbidden)
    }
}

fn nothing() -> Option<String> {
    None
}

fn debugger() -> Option<String> {
    super::gdb::forbidden().unwrap_or_else(Some)
}

fn core_files() -> Option<String> {
    const PATTERN: &str = "/proc/sys/kernel/core_pattern";
    let pattern = fs::read_to_string(PATTERN).unwrap_or_default();
    let here = pattern.trim() == "core";
    let why = format!("{PATTERN} is `{}`, not `core`", pattern.trim());
    (!here).then_some(why)
}

fn sanitizer(flag: &str) -> Option<String> {
    let line = format!("echo 'int main(void) {{ return 0; }}' | gcc {flag} -x c - -o /dev/null");
    let works = tools::answers("sh", &["-c", &line]);
    (!works).then(|| format!("gcc has no library for {flag}"))
}

fn perf() -> Option<String> {
    let works = tools::answers("perf", &["record", "-q", "-o", "/dev/null", "true"]);
    (!works).then(|| "the kernel does not let this user run perf".to_owned())
}

/// The pages, and the time limit of a command on them: it may compile the runtime with new flags, beside other tests.
const PAGES: &[&str] = &["docs/tools.md", "docs/debugging.md"];
const LIMIT: Duration = Duration::from_secs(COMPILE.as_secs() * 4);

pub fn tests(context: &'static Context) -> Result<Vec<Test>, String> {
    let work: &Path = forever(context.fresh("tools")?).as_path();
    let mut tests = vec![Test::new("heaps-under-valgrind", move || {
        heaps_under_valgrind(context, work)
    })];
    for page in PAGES {
        let text = read(&context.root.join(page))?;
        let listings: &Vec<Vec<String>> = forever(listings(&text));
        for (name, parts) in sections(&text) {
            let parts: &Vec<Part> = forever(parts);
            let folder = work.join(name.replace(' ', "-"));
            let play = move || play(context, &folder, listings, parts).unwrap_or_else(failure);
            tests.push(Test::new(name, play));
        }
    }
    Ok(tests)
}

fn failure(why: String) -> Tally {
    Tally::one("the page", Err(why))
}

/// Returns the sections with sessions, each by its heading.
fn sections(page: &str) -> Vec<(String, Vec<Part>)> {
    let mut sections: Vec<(String, Vec<Part>)> = Vec::new();
    for part in fences::parts(page) {
        match part {
            Part::Text(lines) => {
                let heading = lines.iter().rev().find_map(|line| line.strip_prefix("## "));
                if let Some(heading) = heading {
                    sections.push((heading.to_lowercase(), Vec::new()));
                }
            }
            Part::Fenced { words, lines } => {
                if let Some((_, parts)) = sections.last_mut() {
                    parts.push(Part::Fenced { words, lines });
                }
            }
        }
    }
    let session =
        |part: &Part| matches!(part, Part::Fenced { words, .. } if words.starts_with("console "));
    sections.retain(|(_, parts)| parts.iter().any(session));
    sections
}

/// Returns the listings of a page. A section may use those of another one.
fn listings(page: &str) -> Vec<Vec<String>> {
    let parts = fences::parts(page).into_iter();
    let listings = parts.filter_map(|part| match part {
        Part::Fenced { words, lines } if words == "c" => Some(lines),
        Part::Fenced { .. } | Part::Text(_) => None,
    });
    listings.collect()
}

/// Plays the sessions of a section in a new folder that has the samples and the page's listings.
fn play(
    context: &Context,
    folder: &Path,
    listings: &[Vec<String>],
    parts: &[Part],
) -> Result<Tally, String> {
    // A test that runs again must not find what it left.
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut given = files(&context.root.join("samples"), "upc")?;
    given.push(context.root.join("editors/upc.clang-format"));
    for file in &given {
        let name = file.file_name().unwrap_or_default();
        fs::copy(file, folder.join(name)).map_err(|e| format!("{}: {e}", file.display()))?;
    }
    for lines in listings {
        let file = folder.join(fences::name_of(lines)?);
        write(&file, &(lines.join("\n") + "\n"))?;
    }
    let mut tally = Tally::default();
    for part in parts {
        let Part::Fenced { words, lines } = part else {
            continue;
        };
        if let Some(word) = words.strip_prefix("console ") {
            let tool = TOOLS.iter().find(|tool| tool.word == word);
            let tool = tool.ok_or_else(|| format!("no tool `{word}`"))?;
            match tool.missing() {
                Some(why) => tally.skip(word, &why),
                None => tally.add(word, session(context, folder, lines)),
            }
        }
    }
    Ok(tally)
}

/// A command, what is typed into it, and the lines that it prints.
#[derive(Default, PartialEq, Debug)]
struct Step {
    command: String,
    typed: Vec<String>,
    printed: Vec<String>,
}

fn steps(lines: &[String]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in lines {
        if let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step {
                command: command.to_owned(),
                ..Step::default()
            });
        } else if let Some(step) = steps.last_mut() {
            match line.strip_prefix("(gdb) ") {
                Some(typed) => step.typed.push(typed.to_owned()),
                None => step.printed.push(line.clone()),
            }
        }
    }
    steps
}

fn session(context: &Context, folder: &Path, lines: &[String]) -> Result<(), String> {
    steps(lines).iter().try_for_each(|step| {
        let said = said(context, folder, step)?;
        compare(&step.printed, &said).map_err(|why| format!("`{}` {why}\n{said}", step.command))
    })
}

/// Returns what a step prints on both streams, without the name of the folder.
fn said(context: &Context, folder: &Path, step: &Step) -> Result<String, String> {
    let mut input = tempfile::NamedTempFile::new_in(folder).map_err(|e| e.to_string())?;
    let typed = step.typed.join("\n") + "\n";
    let written = input.write_all(typed.as_bytes());
    written.map_err(|e| format!("{}: {e}", input.path().display()))?;
    let mut shell = user(context, folder);
    let line = format!("exec 2>&1 < {}\n{}", input.path().display(), step.command);
    let output = process::run(shell.args(["-c", &line]), LIMIT)?;
    match output.status {
        Some(_) => Ok(output.out().replace(&format!("{}/", folder.display()), "")),
        None => Err(output.tail()),
    }
}

/// Returns a shell of a user whose home is the folder, and whose cache is this user's.
fn user(context: &Context, folder: &Path) -> Command {
    let ours = context.upcc.parent().map(PathBuf::from);
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths(ours.into_iter().chain(env::split_paths(&path)));
    let home = env::var_os("HOME").unwrap_or_default();
    let cache =
        env::var_os("XDG_CACHE_HOME").map_or(Path::new(&home).join(".cache"), PathBuf::from);
    let mut shell = Command::new("sh");
    shell
        .current_dir(folder)
        .env("PATH", path.unwrap_or_default())
        .env("HOME", folder)
        .env("XDG_CACHE_HOME", cache)
        .env("LC_ALL", "C.UTF-8")
        .env("UPCC_NORC", "1")
        .env_remove("UPCC_FLAGS")
        .env_remove("DEBUGINFOD_URLS");
    shell
}

/// Checks that what a command printed is on the page.
fn compare(page: &[String], said: &str) -> Result<(), String> {
    let plain = |line: &str| stable(line.strip_prefix("(gdb) ").unwrap_or(line));
    let mut left: Vec<String> = said.lines().map(plain).collect();
    let is_whole = !page.iter().any(|line| line == "...");
    for line in page.iter().filter(|line| *line != "...") {
        let wanted = stable(line);
        let Some(at) = left.iter().position(|line| *line == wanted) else {
            return Err(format!("does not print `{line}`, but"));
        };
        left.swap_remove(at);
    }
    match left.first() {
        Some(line) if is_whole => Err(format!("prints `{line}`, which is not on the page:")),
        _ => Ok(()),
    }
}

/// What precedes a number that differs from run to run.
const VOLATILE: &[&str] = &["0x", "==", "process ", "loss record ", " of ", "/lib/", "$"];

/// Returns a line without what differs from run to run, addresses, processes and percentages, and with single spaces.
fn stable(line: &str) -> String {
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut result = String::new();
    let mut rest = line.as_str();
    while let Some(c) = rest.chars().next() {
        let is_hex = result.ends_with("0x");
        let digits = |c: char| c.is_ascii_digit() || c == '.' || (is_hex && c.is_ascii_hexdigit());
        let end = rest.find(|c| !digits(c)).unwrap_or(rest.len());
        if end == 0 {
            result.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let (number, behind) = rest.split_at(end);
        let hides = behind.starts_with('%') || VOLATILE.iter().any(|it| result.ends_with(it));
        // The `0` of `0x` is no number.
        result.push_str(if hides && !behind.starts_with('x') {
            "#"
        } else {
            number
        });
        rest = behind;
    }
    result
}

/// Checks that valgrind does not have to watch over large heaps: it says so of every range of 256 MB and more.
fn heaps_under_valgrind(context: &Context, work: &Path) -> Tally {
    const NAME: &str = "heaps under valgrind";
    if let Some(why) = tools::missing(&[Need::Valgrind]) {
        return Tally::skipped(NAME, &why);
    }
    Tally::one(NAME, small_heaps(context, work))
}

fn small_heaps(context: &Context, work: &Path) -> Result<(), String> {
    let program = work.join("hello");
    let source = context.root.join("samples/hello.upc");
    let mut upcc = context.upcc("gcc");
    process::must(
        upcc.args(["-g", "-fno-upc-checks"])
            .arg(source)
            .arg("-o")
            .arg(&program),
        LIMIT,
    )?;
    let large = |size: &[&str]| -> Result<usize, String> {
        let mut upcrun = Command::new(&context.upcrun);
        upcrun.args(["-n", "2"]).args(size);
        upcrun.args(["valgrind", "--leak-check=no"]).arg(&program);
        let output = process::must(&mut upcrun, RUN * 4)?;
        let is_large = |line: &&str| line.contains("large range") && line.contains("(defined)");
        Ok(output.err().lines().filter(is_large).count())
    };
    match (large(&[])?, large(&["-shared-heap", "1G"])?) {
        (0, 1..) => Ok(()),
        (all, given) => Err(format!(
            "valgrind warns of {all} large ranges, and of {given} if the heap has 1 GB"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_from_run_to_run_is_left_out() {
        let found = stable("  #0 0x55a81 in main  over.upc:19 of 40 ==12==");
        assert_eq!(found, "#0 0x# in main over.upc:19 of # ==#==");
        assert_eq!(stable("  12.50%  hot.upc:10"), "#% hot.upc:10");
    }

    #[test]
    fn pages_and_output_agree() {
        let page = |lines: &[&str]| {
            lines
                .iter()
                .map(|&line| line.to_owned())
                .collect::<Vec<_>>()
        };
        assert!(compare(&page(&["a", "b"]), "b\n(gdb) a\n").is_ok());
        assert!(compare(&page(&["a"]), "a\nb\n").is_err());
        assert!(compare(&page(&["...", "a", "a"]), "a\nb\n").is_err());
        assert!(compare(&page(&["a", "..."]), "a\nb\n").is_ok());
    }

    #[test]
    fn commands_have_input() {
        let lines = ["$ gdb x", "(gdb) bt", "#0 main"].map(str::to_owned);
        let step = Step {
            command: "gdb x".to_owned(),
            typed: vec!["bt".to_owned()],
            printed: vec!["#0 main".to_owned()],
        };
        assert_eq!(steps(&lines), [step]);
    }
}
