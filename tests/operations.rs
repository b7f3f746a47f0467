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
