//! `docs/gallery.md`: frequent mistakes, with what `upcc` says about them beside clang and gcc.
//!
//! `UPDATE=1 cargo test --test gallery` writes the page. The test compares only our own messages: those of clang and
//! gcc are recorded, with their versions, on the machine that wrote the page.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The sections of the page, and the programs in `tests/diagnostics/gallery` that they show.
const SECTIONS: [(&str, &str); 6] = [
    (
        "Syntax",
        "semicolon struct_semicolon struct_semicolon_shared parenthesis parenthesis_call brace else_alone equals define_semicolon comma_args comma_call forall_commas keyword_name layout_twice return_type forall_affinity block_size_pointer",
    ),
    (
        "Names",
        "name member member_arrow type goto_label barrier_word undeclared header header_c",
    ),
    (
        "Types",
        "redefinition redeclared_variable constant2 assignment case_twice swap_args_initializer string_quotes arguments_few arguments_many argument_struct alloc",
    ),
    (
        "Formats",
        "format_missing format_scanf format_scanf_address format_long format_shared_double format_pointer",
    ),
    (
        "Shared objects",
        "shared_automatic shared_return dynamic_dimension dynamic_indefinite to_local from_local address_missing block_size_mismatch memcpy_library memcpy_local lock",
    ),
    ("UPC statements", "break_forall notify"),
];

const HEAD: &str = "# Gallery of mistakes

This page shows COUNT mistakes that people make in C and UPC, and what `upcc`, clang and gcc say
about each. The messages of `upcc` are those of `upcc -trans`, those of the others of
`-fsyntax-only -Wall`; mistakes in UPC have no counterpart there. `UPDATE=1 cargo test --test
gallery` writes the page.

";

/// A mistake: its title, and the program without the marks of its diagnostics.
struct Mistake {
    name: &'static str,
    title: String,
    text: String,
}

impl Mistake {
    fn read(name: &'static str) -> Mistake {
        let path = folder().join(name).with_extension("upc");
        let marked = fs::read_to_string(path).expect("a program of the gallery");
        let (title, text) = marked.split_once('\n').expect("a line with the title");
        let lines = text.lines();
        let lines = lines.map(|line| line.split("//~").next().unwrap_or(line).trim_end());
        Mistake {
            name,
            title: title.trim_start_matches("// ").to_owned(),
            text: lines.map(|line| format!("{line}\n")).collect(),
        }
    }

    /// Whether a C compiler can read it.
    fn is_c(&self) -> bool {
        !self.text.contains("<upc")
    }

    /// What a compiler says about the program in a file with this ending.
    fn said(&self, command: &str, words: &[&str], ending: &str) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        let file = format!("{}.{ending}", self.name);
        fs::write(folder.path().join(&file), &self.text).expect("a file");
        let output = Command::new(command)
            .current_dir(folder.path())
            .env_remove("UPCC_FLAGS")
            .env("LC_ALL", "C")
            .args(words)
            .arg(file)
            .output()
            .expect("the compiler starts");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let lines = text.trim_end().lines();
        lines.map(|line| format!("{}\n", line.trim_end())).collect()
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics/gallery")
}

/// The name and version of a C compiler; `None`: it is not installed.
fn version(command: &str) -> Option<String> {
    let output = Command::new(command).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let number = text.split_whitespace().find(|word| {
        word.contains('.')
            && word
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'.')
    })?;
    Some(format!("{command} {number}"))
}

/// The blocks of the C compilers about a mistake on the page as it is.
fn recorded(page: &str, title: &str) -> String {
    let section = page.split(&format!("\n### {title}\n")).nth(1);
    let section = section.and_then(|rest| rest.split("\n## ").next());
    let section = section.and_then(|rest| rest.split("\n### ").next());
    let blocks = section.and_then(|section| section.split_once("\n`clang "));
    blocks.map_or_else(String::new, |(_, blocks)| {
        format!("`clang {}\n\n", blocks.trim_end())
    })
}

/// The blocks of the installed C compilers, or of the page if one is missing.
fn blocks(mistake: &Mistake, page: &str, update: bool) -> String {
    let versions = ["clang", "gcc"].map(|command| (command, version(command)));
    if !update || versions.iter().any(|(_, version)| version.is_none()) {
        return recorded(page, &mistake.title);
    }
    let mut text = String::new();
    for (command, version) in versions {
        let said = mistake.said(command, &["-fsyntax-only", "-Wall"], "c");
        let said = match said.is_empty() {
            true => "(nothing)\n".to_owned(),
            false => said,
        };
        let _ = write!(
            text,
            "`{}`:\n\n```text\n{said}```\n\n",
            version.unwrap_or_default()
        );
    }
    text
}

fn rendered(page: &str, update: bool) -> String {
    let count: usize = SECTIONS
        .iter()
        .map(|(_, names)| names.split(' ').count())
        .sum();
    let mut text = HEAD.replace("COUNT", &count.to_string());
    for (section, names) in SECTIONS {
        let _ = write!(text, "## {section}\n\n");
        for name in names.split(' ') {
            let mistake = Mistake::read(name);
            let words = ["-trans", "-o", "/dev/null"];
            let ours = mistake.said(env!("CARGO_BIN_EXE_upcc"), &words, "upc");
            let _ = write!(
                text,
                "### {}\n\n```c\n{}```\n\n`upcc`:\n\n```text\n{ours}```\n\n",
                mistake.title, mistake.text
            );
            if mistake.is_c() {
                text += &blocks(&mistake, page, update);
            }
        }
    }
    text.trim_end().to_owned() + "\n"
}

#[test]
fn the_page_shows_what_is_said() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/gallery.md");
    let page = fs::read_to_string(&path).unwrap_or_default();
    let update = env::var_os("UPDATE").is_some();
    let text = rendered(&page, update);
    if update {
        fs::write(&path, text).expect("the page can be written");
        return;
    }
    let lines = text.lines().zip(page.lines()).enumerate();
    let first = lines.into_iter().find(|(_, (new, old))| new != old);
    assert!(
        text == page,
        "docs/gallery.md is stale, first at {first:?}: UPDATE=1 cargo test --test gallery writes it"
    );
}

/// Each program of the folder is on the page, and the messages of ours are better than nothing: they point at a place
/// and help.
#[test]
fn each_mistake_is_shown_once_and_has_help() {
    let shown: Vec<&str> = SECTIONS
        .iter()
        .flat_map(|(_, names)| names.split(' '))
        .collect();
    let files = fs::read_dir(folder()).expect("the folder of the gallery");
    let files: BTreeSet<String> = files
        .map(|entry| entry.expect("an entry").path())
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    let unique: BTreeSet<String> = shown.iter().map(|&name| name.to_owned()).collect();
    assert_eq!((unique, shown.len()), (files.clone(), files.len()));
    assert!(files.len() >= 40);
    for name in shown {
        let mistake = Mistake::read(name);
        let words = ["-trans", "-o", "/dev/null"];
        let ours = mistake.said(env!("CARGO_BIN_EXE_upcc"), &words, "upc");
        let headers = ours
            .lines()
            .filter(|line| line.starts_with(&format!("{name}.upc:")));
        let help = ours.lines().filter(|line| line.contains(" = help: "));
        let (headers, help) = (headers.count(), help.count());
        assert!(headers > 0 && headers <= help, "{name}\n{ours}");
    }
}
