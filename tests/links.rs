//! Tests that the files and headings that the pages name exist, and that the pages wrap at 100 columns.

#![allow(
    clippy::unwrap_used,
    reason = "a page that cannot be read fails the test"
)]

use std::fs;
use std::path::{Path, PathBuf};

const FOLDERS: [&str; 8] = [
    ".ci/",
    "docs/",
    "grammar/",
    "runtime-c/",
    "samples/",
    "src/",
    "tests/",
    "xtask/",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns every page of the project.
fn pages() -> Vec<PathBuf> {
    let mut folders = vec![root().to_path_buf()];
    let mut pages = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if name.starts_with('.') || name == "target" || path.is_symlink() {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// Returns the lines of a page that are not in a block of code, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut code = false;
    text.lines().enumerate().filter_map(move |(i, line)| {
        if line.trim_start().starts_with("```") {
            code = !code;
            return None;
        }
        (!code).then_some((i + 1, line))
    })
}

/// Returns the anchor that GitHub and other renderers give to a heading.
fn anchor(heading: &str) -> String {
    let mut text = String::new();
    let mut rest = heading;
    // A link is replaced by its text.
    while let Some(at) = rest.find("](") {
        text.push_str(&rest[..at]);
        rest = rest[at..].split_once(')').map_or("", |(_, rest)| rest);
    }
    text.push_str(rest);
    let kept = text.trim().to_lowercase();
    let kept = kept.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        _ => c.is_alphanumeric().then_some(c),
    });
    kept.collect()
}

fn anchors(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap();
    let headings = prose(&text).filter(|(_, line)| line.starts_with('#'));
    headings
        .map(|(_, line)| anchor(line.trim_start_matches('#')))
        .collect()
}

/// Returns the targets of the links in a line, except those into the web.
fn targets(line: &str) -> Vec<&str> {
    let links = line.split("](").skip(1);
    links
        .filter_map(|rest| rest.split_once(')').map(|(target, _)| target))
        .filter(|target| !target.contains("://") && !target.contains(' '))
        .collect()
}

/// Returns the code spans in a line that name a file or folder, relative to the project or to the page's folder.
fn paths(line: &str) -> Vec<&str> {
    let spans = line.split('`').skip(1).step_by(2);
    spans
        .filter(|span| FOLDERS.iter().any(|folder| span.starts_with(folder)))
        .filter(|span| !span.contains([' ', '*', '<', '{', '$', '|']) && !span.contains("..."))
        .collect()
}

fn broken_link(page: &Path, target: &str) -> bool {
    let (file, wanted) = target.split_once('#').unwrap_or((target, ""));
    let file = match file {
        "" => page.to_path_buf(),
        file => page.parent().unwrap().join(file),
    };
    !file.exists() || !wanted.is_empty() && !anchors(&file).iter().any(|a| a == wanted)
}

#[test]
fn links_and_paths_lead_somewhere() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for page in pages() {
        let shown = page.strip_prefix(root()).unwrap().display().to_string();
        // The change log refers to files as they were at the time.
        let names_files = shown != "CHANGELOG.md";
        let text = fs::read_to_string(&page).unwrap();
        for (number, line) in prose(&text) {
            let links = targets(line);
            let files = if names_files { paths(line) } else { Vec::new() };
            seen += links.len() + files.len();
            let links = links
                .into_iter()
                .filter(|target| broken_link(&page, target));
            let folder = page.parent().unwrap_or(root());
            let exists = |path: &str| root().join(path).exists() || folder.join(path).exists();
            let files = files.into_iter().filter(|path| !exists(path));
            wrong.extend(
                links
                    .chain(files)
                    .map(|what| format!("{shown}:{number}: {what}")),
            );
        }
    }
    assert!(seen > 200, "only {seen} links and paths found");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The width at which prose wraps.
const WIDTH: usize = 100;

/// True for a line that cannot be wrapped: a row of a table, a quoted message, an indented block of code, a heading with
/// a link, or a single word such as a link.
fn cannot_wrap(line: &str) -> bool {
    line.starts_with('|')
        || line.starts_with("> ")
        || line.starts_with("    ")
        || line.starts_with("<!--")
        || line.starts_with('#') && line.contains("](")
        || !line.trim_start_matches(['-', ' ']).contains(' ')
}

#[test]
fn prose_wraps_at_100_columns() {
    let mut wrong = Vec::new();
    for page in pages() {
        let shown = page.strip_prefix(root()).unwrap().display().to_string();
        let text = fs::read_to_string(&page).unwrap();
        let long = prose(&text).filter(|(_, line)| line.chars().count() > WIDTH);
        let long = long.filter(|(_, line)| !cannot_wrap(line));
        wrong.extend(
            long.map(|(number, line)| {
                format!("{shown}:{number}: {} columns", line.chars().count())
            }),
        );
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn anchors_are_those_of_renderers() {
    assert_eq!(anchor(" Events at run time"), "events-at-run-time");
    assert_eq!(
        anchor(" What `-g` adds (and more)"),
        "what--g-adds-and-more"
    );
    assert_eq!(anchor(" [E0517](diagnostics/E0517.md): x"), "e0517-x");
}
