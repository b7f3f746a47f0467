//! Support for editors highlights every keyword of UPC: the keywords are those of the lexer.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use upcc_grammar::token::KEYWORDS;

/// What highlights words, by the file that has the list.
const FILES: &[&str] = &[
    "editors/vscode/syntaxes/upc.tmLanguage.json",
    "editors/vim/syntax/upc.vim",
    "editors/emacs/upc-mode.el",
];

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The words of UPC that C does not have.
fn words_of_upc() -> BTreeSet<&'static str> {
    let of_upc = |word: &&str| {
        word.starts_with("upc_")
            || ["shared", "strict", "relaxed", "THREADS", "MYTHREAD"].contains(word)
    };
    KEYWORDS
        .iter()
        .map(|(word, _)| *word)
        .filter(of_upc)
        .collect()
}

#[test]
fn every_keyword_is_highlighted() {
    let words = words_of_upc();
    assert!(words.contains("upc_forall") && words.contains("shared") && words.len() >= 13);
    for name in FILES {
        let text = read(name);
        let known: BTreeSet<&str> = text
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .collect();
        let missing: Vec<_> = words.difference(&known).collect();
        assert!(missing.is_empty(), "{name} does not have {missing:?}");
    }
}

/// The pattern of the problem matcher finds a message of `upcc` in all its parts.
#[test]
fn the_problem_matcher_reads_messages() {
    let package: serde_json::Value =
        serde_json::from_str(&read("editors/vscode/package.json")).expect("JSON");
    let pattern = &package["contributes"]["problemPatterns"][0];
    let regexp = regex::Regex::new(pattern["regexp"].as_str().expect("a text")).expect("a regexp");
    let parts = |line: &str| -> Option<Vec<String>> {
        let found = regexp.captures(line)?;
        let names = ["file", "line", "column", "severity", "message", "code"];
        let text = |name| {
            let number = pattern[name].as_u64().expect("a number");
            found
                .get(number as usize)
                .map_or("", |part| part.as_str())
                .to_owned()
        };
        Some(names.map(text).into())
    };
    assert_eq!(
        parts("src/a.upc:9:16: error: `x[1]` is not declared [E0300]").expect("a match"),
        [
            "src/a.upc",
            "9",
            "16",
            "error",
            "`x[1]` is not declared",
            "E0300"
        ]
    );
    assert_eq!(
        parts("a.upc:1:2: warning: text [W0602, -Wupc-block-size]").expect("a match")[3..],
        ["warning", "text", "W0602"]
    );
    assert_eq!(
        parts("a.upc:1:2: fatal error: x.h: No such file").expect("a match")[4..],
        ["x.h: No such file", ""]
    );
    assert_eq!(parts("  = help: did you mean `y`?"), None);
}
