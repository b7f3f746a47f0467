//! `upcc --explain E0500`: prints the page of a code, from `docs/diagnostics/`.
//!
//! A page has the title `# E0500: ...` from the table and an explanation. Under `## Wrong` and `## Right` it has an
//! example that causes the diagnostic and the same program corrected. The page of a code that no program can cause
//! states that and has no examples. The tests compile the examples.

use super::codes::{self, Code};
use include_dir::{Dir, include_dir};
use std::fmt::Write as _;

static PAGES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/docs/diagnostics");

/// Minimum similarity (Jaro-Winkler, 1 is equal) between a misspelt name of a code or an option and the suggested one.
const CLOSE: f64 = 0.8;

/// Returns the page of a code.
pub fn page(code: Code) -> Option<&'static str> {
    PAGES.get_file(format!("{code}.md"))?.contents_utf8()
}

/// Returns the output of `--explain` for the user's argument: a code, or the name of a warning with or without `-W`. An
/// empty argument gives the list.
///
/// # Errors
/// The message for the user if there is no such code.
pub fn explain(typed: &str) -> Result<String, String> {
    if typed.is_empty() {
        return Ok(list());
    }
    let name = typed.trim_start_matches("-W").trim_start_matches("no-");
    let named = || {
        codes::warnings()
            .find(|(_, option)| option.name == name)
            .map(|(code, _)| code)
    };
    let Some(code) = codes::find(typed).or_else(named) else {
        return Err(unknown(typed, name));
    };
    let Some(page) = page(code) else {
        return Err(format!("no page on {code}: {}", code.title));
    };
    Ok(page.to_owned())
}

/// Returns the list with a line for every code.
fn list() -> String {
    let mut text =
        String::from("Diagnostics of upcc; `upcc --explain CODE` shows the page of one.\n");
    for code in codes::ALL {
        let _ = write!(text, "\n{code}  {}", code.title);
        if let Some(option) = code.option {
            let _ = write!(text, " (-W{})", option.name);
        }
    }
    text.push('\n');
    text
}

fn unknown(typed: &str, name: &str) -> String {
    let spellings = codes::ALL.iter().map(|code| (code.to_string(), *code));
    let names = codes::warnings().map(|(code, option)| (option.name.to_owned(), code));
    // The digits alone may match a code.
    let number = typed
        .trim_start_matches(|c: char| !c.is_ascii_digit())
        .parse();
    let same_number = codes::ALL.iter().find(|code| number == Ok(code.number));
    let close = spellings
        .chain(names)
        .map(|(spelled, code)| (strsim::jaro_winkler(&spelled, name), code))
        .filter(|(likeness, _)| *likeness >= CLOSE)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, code)| code);
    match same_number.copied().or(close) {
        Some(code) => format!(
            "there is no diagnostic `{typed}`; did you mean {code} ({})? `upcc --explain` lists all",
            code.title
        ),
        None => format!("there is no diagnostic `{typed}`; `upcc --explain` lists all"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_are_found_and_suggested() {
        assert!(explain("").unwrap().contains("E0500  shared object"));
        let page = explain("e0500").unwrap();
        assert!(page.starts_with("# E0500: "));
        assert_eq!(explain("-Wno-upc-block-size"), explain("W0602"));
        assert!(explain("W0500").unwrap_err().contains("did you mean E0500"));
        assert!(explain("upc-blocksize").unwrap_err().contains("W0602"));
        assert!(!explain("zzz").unwrap_err().contains("did you mean"));
    }
}
