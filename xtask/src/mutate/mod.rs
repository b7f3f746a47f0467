//! `cargo xtask mutate`: plants mistakes in a copy of the project, one after the other, and shows that each makes a
//! random program fail.
//!
//! The copy is in the target folder with build products of its own, so a mistake costs one incremental build. It is
//! removed at the end.

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

/// The time limits of a build of the copy and of a series of random programs.
const BUILD: Duration = Duration::from_secs(1800);
const PROGRAMS: Duration = Duration::from_secs(3600);

/// The page with the table of results, and the marks around the table.
const PAGE: &str = "docs/testing.md";
const BEGIN: &str = "<!-- cargo xtask mutate --write -->\n";
const END: &str = "<!-- end -->\n";

/// The arguments of `cargo xtask mutate`.
#[derive(Args)]
pub struct Options {
    /// Prints the mistakes
    #[arg(long)]
    list: bool,
    /// Puts what was found into docs/testing.md
    #[arg(long, conflicts_with = "name")]
    write: bool,
    /// Leaves the copy and its build products, so that the next run begins sooner
    #[arg(long)]
    keep: bool,
    /// Makes the programs that fail small, and prints them
    #[arg(long)]
    reduce: bool,
    /// Only these mistakes
    name: Vec<String>,
}

/// The result for a mistake.
enum Verdict {
    /// The first program that failed, and the reason.
    Found {
        seed: u64,
        why: String,
    },
    Missed,
    /// The mistake could not be planted, or its program fails without it, too.
    Bad(String),
}

/// Plants each mistake. Returns true if every one was found.
///
/// # Errors
/// A name of an unknown mistake, or the copy cannot be made or built.
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
    let copy = Copy::new(&context, options.reduce)?;
    let rows = copy.rows(&chosen);
    if !options.keep {
        copy.remove()?;
    }
    let rows = rows?;
    let table = table(&rows);
    print!("\n{table}");
    if options.write {
        write_page(&context.root.join(PAGE), &table)?;
    }
    let is_found = |verdict: &Verdict| matches!(verdict, Verdict::Found { .. });
    let found = rows.iter().filter(|(_, verdict)| is_found(verdict)).count();
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

/// A mistake and its result.
type Planted = (&'static Mistake, Verdict);

fn in_words(mistake: &Mistake, verdict: &Verdict) -> String {
    match verdict {
        Verdict::Found { seed, why } => format!("seed {seed}, form `{}`: {why}", mistake.form),
        Verdict::Missed => "**not found**".to_owned(),
        Verdict::Bad(why) => format!("**not planted**: {}", why.replace('\n', " ")),
    }
}

/// Returns the results as a table of a page.
fn table(rows: &[Planted]) -> String {
    let mut text =
        "| mistake | in | what is wrong then | random program that fails |\n|---|---|---|---|\n"
            .to_owned();
    for (mistake, verdict) in rows {
        let found = in_words(mistake, verdict);
        let (name, file, breaks) = (mistake.name, mistake.file, mistake.breaks);
        text.push_str(&format!("| {name} | `{file}` | {breaks} | {found} |\n"));
    }
    text
}

/// Replaces the table of a page.
fn write_page(page: &Path, table: &str) -> Result<(), String> {
    let text = read(page)?;
    let parts = text.split_once(BEGIN).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(END)?;
        Some(format!("{before}{BEGIN}{table}{END}{after}"))
    });
    let text = parts.ok_or_else(|| format!("{}: no place for the table", page.display()))?;
    write(page, &text)
}

/// A copy of the project with build products of its own.
struct Copy {
    folder: PathBuf,
    tree: PathBuf,
    target: PathBuf,
    reduce: bool,
}

impl Copy {
    /// Updates the copy to the state of the project: the files that git tracks or would add.
    fn new(context: &Context, reduce: bool) -> Result<Copy, String> {
        let folder = context.work.join("mutate");
        let copy = Copy {
            tree: folder.join("tree"),
            target: folder.join("target"),
            folder,
            reduce,
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
        // Git still lists a file that is removed and not committed.
        let there = |name: &&str| !name.is_empty() && context.root.join(name).exists();
        let files: BTreeSet<&str> = listed.split('\0').filter(there).collect();
        for name in &files {
            copy_file(&context.root.join(name), &copy.tree.join(name))?;
        }
        copy.remove_others(&copy.tree, &files)?;
        Ok(copy)
    }

    /// Removes files that the project does not have any more.
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
        // A broken runtime must not get into the user's cache.
        cargo
            .args(words)
            .current_dir(&self.tree)
            .env("CARGO_TARGET_DIR", &self.target)
            .env("CARGO_TERM_PROGRESS_WHEN", "never")
            .env("XDG_CACHE_HOME", self.target.join("cache"));
        process::run(&mut cargo, limit)
    }

    /// Builds `upcc` and the tasks.
    fn build(&self) -> Result<(), String> {
        let words = ["build", "--bins", "--package", "upcc", "--package", "xtask"];
        let output = self.cargo(&words, BUILD)?;
        match output.ok() {
            true => Ok(()),
            false => Err(format!("does not build: {}", output.tail())),
        }
    }

    /// Runs random programs up to the first that fails.
    fn fuzz(&self, words: &[&str]) -> Result<Output, String> {
        let reduce: &[&str] = if self.reduce { &["--reduce"] } else { &[] };
        let all = [&["xtask", "fuzz", "--first"], words, reduce].concat();
        self.cargo(&all, PROGRAMS)
    }

    /// Returns the result for each mistake.
    fn rows(&self, mistakes: &[&'static Mistake]) -> Result<Vec<Planted>, String> {
        println!("building the project in {}", self.tree.display());
        self.build()?;
        let mut rows: Vec<Planted> = Vec::new();
        for mistake in mistakes {
            println!("{}: {}", mistake.name, mistake.breaks);
            let verdict = self.plant(mistake);
            println!("    {}", in_words(mistake, &verdict));
            rows.push((mistake, verdict));
        }
        println!("the same programs without a mistake");
        self.build()?;
        for (mistake, verdict) in &mut rows {
            let Verdict::Found { seed, .. } = verdict else {
                continue;
            };
            let seed = seed.to_string();
            let output = self.fuzz(&["--seed", &seed, "--form", mistake.form])?;
            if !output.ok() {
                *verdict = Verdict::Bad(format!("seed {seed} fails without it, too"));
            }
        }
        Ok(rows)
    }

    /// Plants a mistake, runs programs and removes the mistake.
    fn plant(&self, mistake: &Mistake) -> Verdict {
        let path = self.tree.join(mistake.file);
        let text = match read(&path) {
            Ok(text) => text,
            Err(why) => return Verdict::Bad(why),
        };
        if text.matches(mistake.old).count() != 1 {
            return Verdict::Bad("the file does not have the old text once".to_owned());
        }
        let output = write(&path, &text.replace(mistake.old, mistake.new))
            .and_then(|()| self.build())
            .and_then(|()| self.fuzz(&["--form", mistake.form]));
        if let Err(why) = write(&path, &text) {
            return Verdict::Bad(format!("the mistake stays in the copy: {why}"));
        }
        match output {
            Err(why) => Verdict::Bad(why),
            Ok(output) if output.ok() => Verdict::Missed,
            Ok(output) => found(&output),
        }
    }

    fn remove(&self) -> Result<(), String> {
        let folder = &self.folder;
        fs::remove_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))
    }
}

/// Returns the first failure that random programs report.
fn found(output: &Output) -> Verdict {
    let text = output.out();
    let mut lines = text.lines().map(str::trim);
    let seed = lines.find_map(|line| line.strip_prefix("FAILED seed ")?.parse().ok());
    let why = lines.next();
    let reduced = lines.find_map(|line| line.strip_prefix("reduced: "));
    if let Some(Ok(program)) = reduced.map(|path| read(Path::new(path))) {
        println!("{program}");
    }
    match (seed, why) {
        (Some(seed), Some(why)) => Verdict::Found {
            seed,
            why: why.replace('|', "\\|"),
        },
        _ => Verdict::Bad(output.tail()),
    }
}

/// Copies a file unless the copy has the same bytes. An identical copy keeps its time stamp, by which cargo decides
/// what to rebuild.
fn copy_file(from: &Path, to: &Path) -> Result<(), String> {
    let failed = |e: std::io::Error| format!("{}: {e}", from.display());
    let bytes = fs::read(from).map_err(failed)?;
    if fs::read(to).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    fs::copy(from, to).map(drop).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::forms::FORMS;

    /// A mistake whose place has changed could not be planted. The page shows a run that found each.
    #[test]
    fn each_mistake_can_be_planted_and_is_in_the_page() {
        let context = Context::new(false, Build::Dev).unwrap();
        for mistake in MISTAKES {
            let text = read(&context.root.join(mistake.file)).unwrap();
            assert_eq!(text.matches(mistake.old).count(), 1, "{}", mistake.name);
            assert!(FORMS.iter().any(|form| form.name == mistake.form));
        }
        let page = read(&context.root.join(PAGE)).unwrap();
        let (_, rest) = page.split_once(BEGIN).unwrap();
        let (table, _) = rest.split_once(END).unwrap();
        let rows: Vec<&str> = table.lines().skip(2).collect();
        let begins = |(row, of): (&&str, &Mistake)| {
            row.starts_with(&format!("| {} | `{}` | {} |", of.name, of.file, of.breaks))
        };
        assert!(
            rows.len() == MISTAKES.len() && rows.iter().zip(MISTAKES).all(begins),
            "{PAGE} has other mistakes than xtask/src/mutate/table.rs: cargo xtask mutate --write"
        );
        let found = rows.iter().filter(|row| row.contains("| seed "));
        assert_eq!(found.count(), MISTAKES.len(), "{table}");
    }
}
