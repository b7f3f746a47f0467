//! A page of Markdown as text and blocks between fences.

/// A part of a page.
pub enum Part {
    Text(Vec<String>),
    /// The words behind the opening fence, and the lines up to the closing one.
    Fenced {
        words: String,
        lines: Vec<String>,
    },
}

/// Parses a fence and its words: `console times` of ` ```console times `.
fn fence(line: &str) -> Option<&str> {
    line.strip_prefix("```")
}

/// Returns the parts of a page, in order.
pub fn parts(page: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut text = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        match fence(line) {
            None => text.push(line.to_owned()),
            Some(words) => {
                parts.push(Part::Text(std::mem::take(&mut text)));
                let inner = lines.by_ref().take_while(|line| fence(line).is_none());
                let lines = inner.map(str::to_owned).collect();
                let words = words.to_owned();
                parts.push(Part::Fenced { words, lines });
            }
        }
    }
    parts.push(Part::Text(text));
    parts
}

/// Returns the file that a listing names in its first line, which is a comment.
///
/// # Errors
/// The first line is something else.
pub fn name_of(lines: &[String]) -> Result<String, String> {
    let first = lines.first().map_or("", String::as_str);
    let name = first
        .strip_prefix("/* ")
        .and_then(|it| it.strip_suffix(" */"));
    name.map(str::to_owned)
        .ok_or(format!("a listing begins with its name, not with {first}"))
}
