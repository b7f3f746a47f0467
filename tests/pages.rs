//! Tests of the pages of `upcc --explain`: each code has one, its wrong example draws that code and nothing else, its
//! right example draws nothing.
//!
//! `docs/diagnostics.md` is made from the output for the wrong examples: `UPDATE=1 cargo test --test pages` writes it,
//! and the test fails when it is stale.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use upcc::diag::codes::{ALL, CodeInfo};
use upcc::diag::pages::page;

/// Returns a section `## name` of a page: its one code block, and the flags that the block's first line may give.
fn example(page: &'static str, name: &str) -> Option<(&'static str, Vec<&'static str>)> {
    let section = page.split(&format!("\n## {name}\n")).nth(1)?;
    let code = section.split("```c\n").nth(1)?.split("```").next()?;
    let flags = code
        .lines()
        .next()?
        .strip_prefix("// flags: ")
        .unwrap_or("");
    Some((code, flags.split_whitespace().collect()))
}

/// Returns the output of `upcc` for an example, in a folder of its own.
fn compile(folder: &Path, name: &str, (text, flags): &(&str, Vec<&str>)) -> Output {
    let file = format!("{name}.upc");
    fs::write(folder.join(&file), text).expect("the folder can be written");
    Command::new(env!("CARGO_BIN_EXE_upcc"))
        .current_dir(folder)
        .env_remove("UPCC_FLAGS")
        .args(["-c", "-o", "out.o", "-Wc,-w"])
        .args(flags)
        .arg(file)
        .output()
        .expect("upcc starts")
}

/// Returns the codes of the header lines of an output.
fn codes(stderr: &str) -> Vec<&str> {
    let headers = stderr
        .lines()
        .filter(|line| line.ends_with(']') && line.contains(": "));
    let bracket = headers.filter_map(|line| line.rsplit_once(" ["));
    bracket
        .map(|(_, code)| code.split([',', ']']).next().unwrap_or(code))
        .collect()
}

/// Returns an error if a page is wrong; otherwise the output for its wrong example.
fn check(folder: &Path, code: &CodeInfo, page: &'static str) -> Result<Option<String>, String> {
    let title = format!("# {code}: {}\n", code.title);
    if !page.starts_with(&title) {
        return Err(format!("the first line should be {title}"));
    }
    let (Some(wrong), Some(right)) = (example(page, "Wrong"), example(page, "Right")) else {
        let internal = page.contains("no program is meant to draw this")
            || page.contains("no\nprogram is meant to draw this");
        return if internal {
            Ok(None)
        } else {
            Err("no examples".to_owned())
        };
    };
    let name = code.to_string();
    let output = compile(folder, &name, &wrong);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let drawn = codes(&stderr);
    if drawn.is_empty() || drawn.iter().any(|drawn| *drawn != name) {
        return Err(format!("the wrong example draws {drawn:?}\n{stderr}"));
    }
    if output.status.success() != name.starts_with('W') {
        return Err(format!("the wrong example ends with {}", output.status));
    }
    let output = compile(folder, &name, &right);
    if !output.status.success() || !output.stderr.is_empty() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(format!("the right example: {}\n{stderr}", output.status));
    }
    Ok(Some(without_cache(&stderr)))
}

/// Removes the folder of the cache from places in the runtime's headers, as it differs between machines.
fn without_cache(shown: &str) -> String {
    let lines = shown.lines().map(|line| {
        let header = line.split_once("┌─ /").and_then(|(margin, path)| {
            let (_, header) = path.split_once("/include/")?;
            Some(format!("{margin}┌─ {header}\n"))
        });
        header.unwrap_or_else(|| format!("{line}\n"))
    });
    lines.collect()
}

#[test]
fn every_code_has_a_page_with_examples_and_the_catalogue_is_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let mut failures = String::new();
    let mut catalogue = String::from(
        "# Diagnostics of upcc\n\n\
         This page has every error and warning, with an example as users see it. `UPDATE=1 cargo test --test\n\
         pages` makes it from the pages in `diagnostics/`, which `upcc --explain CODE` prints.\n",
    );
    for code in ALL {
        let checked = match page(code) {
            Some(page) => check(folder.path(), code, page).map(|shown| (page, shown)),
            None => Err("no page docs/diagnostics/CODE.md".to_owned()),
        };
        match checked {
            Ok((_, None)) => {
                let _ = write!(
                    catalogue,
                    "\n## [{code}](diagnostics/{code}.md): {}\n",
                    code.title
                );
            }
            Ok((page, Some(shown))) => {
                let (text, _) = example(page, "Wrong").unwrap();
                let _ = write!(
                    catalogue,
                    "\n## [{code}](diagnostics/{code}.md): {}\n\n```c\n{text}```\n\n```text\n{}\n```\n",
                    code.title,
                    shown.trim_end()
                );
            }
            Err(why) => {
                let _ = writeln!(failures, "{code}: {why}");
            }
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/diagnostics.md");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&file, &catalogue).unwrap();
    }
    let stored = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        stored == catalogue,
        "docs/diagnostics.md is stale: run UPDATE=1 cargo test --test pages"
    );
}

/// A page for a removed code would never be shown.
#[test]
fn every_page_has_a_code() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/diagnostics");
    for entry in fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let code = upcc::diag::codes::find(name.trim_end_matches(".md"));
        assert!(code.is_some(), "{name} is the page of no code");
    }
}
