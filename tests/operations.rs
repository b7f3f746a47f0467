//! The table of runtime operations: its page is what the table says, and the headers define each operation.
//! `UPDATE=1 cargo test --test operations` writes the page anew.

use std::fs;
use std::path::Path;

use upcc::il::operations::{all, markdown};

const PAGE: &str = "runtime-c/include/upcr/README.md";
const BEGIN: &str = "<!-- operations -->\n";
const END: &str = "<!-- end of operations -->\n";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_page_has_the_table() {
    let path = root().join(PAGE);
    let page = fs::read_to_string(&path).expect("the page can be read");
    let (head, rest) = page.split_once(BEGIN).expect("a mark before the table");
    let (_, tail) = rest.split_once(END).expect("a mark after the table");
    let text = format!("{head}{BEGIN}{}{END}{tail}", markdown());
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &text).expect("the page can be written");
    }
    let kept = fs::read_to_string(&path).expect("the page can be read");
    assert!(
        kept == text,
        "{PAGE} is not what src/il/operations.rs says: UPDATE=1 cargo test --test operations"
    );
}

#[test]
fn the_headers_define_every_operation() {
    let folder = root().join("runtime-c/include/upcr");
    let files = fs::read_dir(folder).expect("the folder can be read");
    let headers: String = files
        .filter_map(|file| fs::read_to_string(file.ok()?.path()).ok())
        .collect();
    let words: std::collections::HashSet<&str> = headers
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .collect();
    for op in all() {
        let name = op.to_string();
        assert!(words.contains(name.as_str()), "no header has {name}");
    }
}

/// The lint against wildcards does not look into tuples: there, one would let a new variant of the IL's enums pass.
#[test]
fn no_match_over_a_tuple_hides_a_variant() {
    let mut files = Vec::new();
    for folder in ["src/il", "src/passes", "src/emit"] {
        sources(&root().join(folder), &mut files);
    }
    assert!(files.len() > 60, "{files:?}");
    for file in files {
        let text = fs::read_to_string(&file).expect("a source");
        let text = text
            .split("#[cfg(test)]\nmod tests {")
            .next()
            .unwrap_or_default();
        for (at, _) in text.match_indices("match (") {
            let line = &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..];
            let indent = &line[..line.len() - line.trim_start().len()];
            let Some((head, rest)) = text[at..].split_once(") {\n") else {
                continue;
            };
            let arms = rest
                .split(&format!("\n{indent}}}"))
                .next()
                .unwrap_or_default();
            let is_il = [".kind", ".stmt(", ".form"]
                .iter()
                .any(|part| head.contains(part));
            let wildcard = format!("{indent}    _ ");
            assert!(
                !is_il || !arms.lines().any(|arm| arm.starts_with(&wildcard)),
                "{}: list the variants, or match the parts one after the other: {head})",
                file.display()
            );
        }
    }
}

fn sources(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}
