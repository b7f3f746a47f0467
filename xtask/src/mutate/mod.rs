//! `cargo xtask mutate`: plants mistakes in a copy of the project, one at a time, and shows that a test fails because of each.
//!
//! The copy is in the target folder and keeps its build products, so a mistake costs one incremental build.

mod table;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, fs};

use clap::Args;

use crate::context::{Build, Context, read, write};
use crate::process::{self, Output};
use table::{MISTAKES, Mistake};

/// Time limits of a build of the copy and of a command that is to fail.
const BUILD: Duration = Duration::from_secs(1800);
const COMMAND: Duration = Duration::from_secs(3600);

/// What `cargo xtask mutate` is told.
#[derive(Args)]
pub struct Options {
    /// Prints the table
    #[arg(long)]
    list: bool,
    /// Does not look first whether the commands pass without a mistake
    #[arg(long)]
    trust: bool,
    /// Only these mistakes
    name: Vec<String>,
}

/// What became of a mistake.
enum Verdict {
    /// The command failed; its first word on why.
    Found(String),
    Missed,
    /// The mistake could not be planted.
    Bad(String),
}

/// Plants each mistake. True: each was found.
///
/// # Errors
/// There is no such mistake, the copy cannot be made or built, or a command fails without any mistake.
pub fn command(options: &Options) -> Result<bool, String> {
    let chosen = chosen(&options.name)?;
    if options.list {
        for mistake in &chosen {
            println!(
                "{:<20} {:<40} {}",
                mistake.name, mistake.file, mistake.breaks
            );
        }
        return Ok(true);
    }
    let context = Context::new(false, Build::Dev)?;
    let copy = Copy::new(&context)?;
    println!("building the project in {}", copy.tree.display());
    copy.build()?;
    if !options.trust {
        let commands: BTreeSet<&[&str]> = chosen.iter().map(|mistake| mistake.fails).collect();
        for words in commands {
            println!("without a mistake: cargo {}", words.join(" "));
            let output = copy.cargo(words, COMMAND)?;
            if !output.ok() {
                return Err(format!(
                    "cargo {} fails without any mistake: {}",
                    words.join(" "),
                    output.tail()
                ));
            }
        }
    }
    let mut rows = Vec::new();
    for mistake in chosen {
        println!("{}: {}", mistake.name, mistake.breaks);
        let verdict = copy.plant(mistake);
        println!("    {}", in_words(&verdict));
        rows.push((mistake, verdict));
    }
    println!("\n{:<20} {:<40} found by", "mistake", "in");
    for (mistake, verdict) in &rows {
        let found = in_words(verdict);
        println!("{:<20} {:<40} {found}", mistake.name, mistake.file);
    }
    let found = rows
        .iter()
        .filter(|(_, verdict)| matches!(verdict, Verdict::Found(_)))
        .count();
    println!("\n{found} of {} found", rows.len());
    Ok(found == rows.len())
}

fn chosen(names: &[String]) -> Result<Vec<&'static Mistake>, String> {
    if names.is_empty() {
        return Ok(MISTAKES.iter().collect());
    }
    let named = |name: &String| {
        let mistake = MISTAKES.iter().find(|mistake| mistake.name == name);
        mistake.ok_or_else(|| format!("no mistake `{name}`: see --list"))
    };
    names.iter().map(named).collect()
}

fn in_words(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Found(by) => by.clone(),
        Verdict::Missed => "NOT FOUND".to_owned(),
        Verdict::Bad(why) => format!("NOT PLANTED: {why}"),
    }
}

/// A copy of the project with build products of its own.
struct Copy {
    tree: PathBuf,
    target: PathBuf,
}

impl Copy {
    /// Brings the copy to the state of the project: what git knows, or would.
    fn new(context: &Context) -> Result<Copy, String> {
        let folder = context.work.join("mutate");
        let copy = Copy {
            tree: folder.join("tree"),
            target: folder.join("target"),
        };
        let mut git = Command::new("git");
        git.args([
            "ls-files",
            "--cached",
            "--others",
            "--exclude-standard",
            "-z",
        ]);
        let listed = process::must(git.current_dir(&context.root), BUILD)?.out();
        let files: BTreeSet<&str> = listed.split('\0').filter(|name| !name.is_empty()).collect();
        for name in &files {
            copy_file(&context.root.join(name), &copy.tree.join(name))?;
        }
        copy.remove_others(&copy.tree, &files)?;
        Ok(copy)
    }

    /// Removes files that the project has no more.
    fn remove_others(&self, folder: &Path, files: &BTreeSet<&str>) -> Result<(), String> {
        let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
        for entry in fs::read_dir(folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let name = path
                .strip_prefix(&self.tree)
                .unwrap_or(&path)
                .to_string_lossy();
            if path.is_dir() && !path.is_symlink() {
                self.remove_others(&path, files)?;
            } else if !files.contains(&*name) {
                fs::remove_file(&path).map_err(failed)?;
            }
        }
        Ok(())
    }

    fn cargo(&self, words: &[&str], limit: Duration) -> Result<Output, String> {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        // A broken runtime stays out of the user's cache.
        cargo
            .args(words)
            .current_dir(&self.tree)
            .env("CARGO_TARGET_DIR", &self.target)
            .env("CARGO_TERM_PROGRESS_WHEN", "never")
            .env("XDG_CACHE_HOME", self.target.join("cache"));
        process::run(&mut cargo, limit)
    }

    fn build(&self) -> Result<(), String> {
        let output = self.cargo(&["build", "--workspace"], BUILD)?;
        match output.ok() {
            true => Ok(()),
            false => Err(format!("does not build: {}", output.tail())),
        }
    }

    /// Plants a mistake, runs its command and takes the mistake away.
    fn plant(&self, mistake: &Mistake) -> Verdict {
        let path = self.tree.join(mistake.file);
        let text = match read(&path) {
            Ok(text) => text,
            Err(why) => return Verdict::Bad(why),
        };
        match text.matches(mistake.old).count() {
            1 => {}
            0 => return Verdict::Bad("the file no longer has the old text".to_owned()),
            many => return Verdict::Bad(format!("the file has the old text {many} times")),
        }
        let verdict = write(&path, &text.replace(mistake.old, mistake.new))
            .and_then(|()| self.build())
            .and_then(|()| self.cargo(mistake.fails, COMMAND));
        if let Err(why) = write(&path, &text) {
            return Verdict::Bad(format!("the mistake stays in the copy: {why}"));
        }
        match verdict {
            Err(why) => Verdict::Bad(why),
            Ok(output) if output.ok() => Verdict::Missed,
            Ok(output) => Verdict::Found(reason(&output)),
        }
    }
}

/// The first failure that a command reports, with the line that says why.
fn reason(output: &Output) -> String {
    let text = output.out() + &output.err();
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|line| line.contains("FAILED") || line.starts_with("error"));
    match (first, lines.next()) {
        (Some(first), Some(why)) => format!("{first}: {why}"),
        (Some(first), None) => first.to_owned(),
        (None, _) => output.end(),
    }
}

/// Copies a file unless the copy has the same bytes, whose age cargo then goes by.
fn copy_file(from: &Path, to: &Path) -> Result<(), String> {
    let failed = |e: std::io::Error| format!("{}: {e}", from.display());
    if !from.exists() {
        return Ok(());
    }
    let bytes = fs::read(from).map_err(failed)?;
    if fs::read(to).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    fs::copy(from, to).map(drop).map_err(failed)
}
