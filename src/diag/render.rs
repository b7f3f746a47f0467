//! Writes diagnostics: a first line that editors and `make` understand (`file:line:col: error: message [E0500]`), then
//! an excerpt.

use super::excerpt::Excerpts;
use super::fix::{CertainFixes, Fix, located};
use super::json;
use super::locate::{Expansion, Locator, Place};
use super::{ByteSpan, Diagnostic, Diagnostics, Severity, codes};
use crate::text::{printable, printable_json};
use codespan_reporting::diagnostic as report;
use codespan_reporting::term;
use codespan_reporting::term::termcolor::{self, ColorSpec, StandardStream, WriteColor};
use std::io::{self, IsTerminal as _};
use upcc_grammar::source_map::SourceMap;

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ColorChoice {
    /// On a terminal.
    #[default]
    Auto,
    /// `-fdiagnostics-color=always`.
    Always,
    /// `-fdiagnostics-color=never`.
    Never,
}

/// The output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// `-fdiagnostics-format=json`: for programs.
    Json,
}

/// How diagnostics are shown.
#[derive(Clone, Copy, Debug)]
pub struct Renderer {
    /// Maximum number of errors of one file that are shown; the others are only counted. 0: no limit.
    pub max_errors: usize,
    /// When to use colours.
    pub color: ColorChoice,
    /// The output format.
    pub format: Format,
}

/// A diagnostic with everything that is shown for it.
#[derive(Debug)]
pub struct Shown<'d> {
    pub item: &'d Diagnostic,
    pub severity: Severity,
    /// `None`: the diagnostic is about the unit as a whole.
    pub place: Option<Place>,
    /// Other places, with their texts.
    pub labels: Vec<(Place, String)>,
    /// Texts that have no place and are not help.
    pub notes: Vec<String>,
    /// The words of each suggestion, and what it edits.
    pub help: Vec<(String, Option<Fix>)>,
}

impl Default for Renderer {
    fn default() -> Self {
        Renderer {
            max_errors: 50,
            color: ColorChoice::Auto,
            format: Format::Text,
        }
    }
}

impl Renderer {
    /// Writes all diagnostics of a translation unit to standard error.
    pub fn print(&self, diags: &Diagnostics, map: &SourceMap, text: &str) {
        let color = match self.color {
            ColorChoice::Auto if io::stderr().is_terminal() => termcolor::ColorChoice::Auto,
            ColorChoice::Auto | ColorChoice::Never => termcolor::ColorChoice::Never,
            ColorChoice::Always => termcolor::ColorChoice::Always,
        };
        let mut out = StandardStream::stderr(color);
        // If standard error is closed, the failure cannot be reported.
        let _ = self.write(&mut out, diags, map, text);
    }

    /// Writes all diagnostics of a translation unit, sorted by place.
    pub fn write(
        &self,
        out: &mut dyn WriteColor,
        diags: &Diagnostics,
        map: &SourceMap,
        text: &str,
    ) -> io::Result<()> {
        let mut locator = Locator::new(map, text);
        let mut shown = Vec::new();
        let (mut errors, mut hidden) = (0, 0);
        for (item, severity) in diags.sorted() {
            if severity == Severity::Error {
                errors += 1;
                if self.max_errors != 0 && errors > self.max_errors {
                    hidden += 1;
                    continue;
                }
            }
            shown.push(Shown::new(item, severity, &mut locator));
        }
        if self.format == Format::Json {
            let array = json::array(&shown).to_string();
            return writeln!(out, "{}", printable_json(&array));
        }
        for shown in &shown {
            write_item(out, shown, map)?;
        }
        if hidden > 0 {
            writeln!(
                out,
                "upcc: {hidden} more errors not shown (-fmax-errors=0 shows all)"
            )?;
        }
        Ok(())
    }
}

impl<'d> Shown<'d> {
    /// Returns what is shown of a unit's diagnostics, sorted by place.
    pub fn all(diags: &'d Diagnostics, locator: &mut Locator<'_>) -> Vec<Shown<'d>> {
        let sorted = diags.sorted().into_iter();
        sorted
            .map(|(item, severity)| Shown::new(item, severity, locator))
            .collect()
    }

    fn new(item: &'d Diagnostic, severity: Severity, locator: &mut Locator<'_>) -> Shown<'d> {
        let mut shown = Shown {
            item,
            severity,
            place: item.span.as_ref().map(|span| locator.place(span)),
            labels: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
        };
        for label in &item.labels {
            let place = locator.place(&label.span);
            shown.labels.push((place, label.text.clone()));
        }
        let help = item.help.iter();
        shown.help = help
            .map(|help| (help.text.clone(), located(help, locator)))
            .collect();
        let place = shown.place.as_mut();
        if let Some(expansion) = place.and_then(|place| place.expansion.take()) {
            shown.notes.push(expansion_note(&expansion));
            if item.code == codes::SYNTAX && expansion.text.ends_with(';') {
                let name = expansion.name.as_deref().unwrap_or("the macro");
                let help = format!("remove the `;` at the end of the definition of `{name}`");
                shown.help = vec![(help, None)];
            }
            if let Some(definition) = expansion.definition.filter(|d| !d.system) {
                let name = &definition.place.text[definition.place.range.clone()];
                let text = format!("macro `{name}` is defined here");
                shown.labels.push((definition.place, text));
            }
        }
        shown
    }
}

/// The certain fixes of the diagnostics that are shown.
pub fn certain_fixes(diags: &Diagnostics, map: &SourceMap, text: &str) -> CertainFixes {
    let mut locator = Locator::new(map, text);
    let mut certain = CertainFixes::default();
    for (item, _) in diags.sorted() {
        for help in &item.help {
            if let Some(fix) = located(help, &mut locator) {
                certain.add(fix);
            }
        }
    }
    certain
}

/// Writes one diagnostic: header line, excerpt, notes.
fn write_item(out: &mut dyn WriteColor, shown: &Shown<'_>, map: &SourceMap) -> io::Result<()> {
    let item = shown.item;
    let kind = match shown.severity {
        Severity::Error => report::Severity::Error,
        Severity::Warning => report::Severity::Warning,
    };
    if let Some(span) = &item.span {
        write_include_chain(out, map, span)?;
    }
    write_header(out, shown)?;
    let Some(place) = &shown.place else {
        return shown
            .help
            .iter()
            .try_for_each(|(help, _)| writeln!(out, "  = help: {}", printable(help)));
    };
    let mut notes = shown.notes.clone();
    notes.extend(
        (!item.code.rule.is_empty())
            .then(|| format!("rule: {}, {}", item.code.rule, item.code.title)),
    );
    notes.extend(shown.help.iter().map(|(help, _)| format!("help: {help}")));
    let notes = notes.iter().map(|note| printable(note).into_owned());
    let primary = (report::LabelStyle::Primary, place, item.label.as_str());
    let others = shown.labels.iter();
    let others = others.map(|(place, text)| (report::LabelStyle::Secondary, place, text.as_str()));
    // codespan counts lines from 1; the header has already named line 0.
    let places = std::iter::once(primary).chain(others);
    let places: Vec<_> = places.filter(|(_, place, _)| place.line > 0).collect();
    let of_labels: Vec<&Place> = places.iter().map(|(_, place, _)| *place).collect();
    let lines = Excerpts::new(&of_labels);
    let labels = places.iter().zip(lines.views());
    let labels = labels
        .map(|((style, _, text), view)| view.label(*style, text))
        .collect();
    let excerpt = report::Diagnostic::new(kind)
        .with_labels(labels)
        .with_notes(notes.collect());
    write_excerpt(out, &lines, &excerpt)
}

/// Words `in expansion of macro ...`.
fn expansion_note(expansion: &Expansion) -> String {
    let text = &expansion.text;
    match (&expansion.name, &expansion.definition) {
        (None, _) => format!("after macro expansion: {text}"),
        (Some(name), Some(definition)) if definition.system => {
            let Place { file, line, .. } = &definition.place;
            format!("in expansion of macro `{name}`, defined at {file}:{line}: {text}")
        }
        (Some(name), _) => format!("in expansion of macro `{name}`: {text}"),
    }
}

/// Writes `In file included from a.upc:3:` lines, as C compilers do.
fn write_include_chain(
    out: &mut dyn WriteColor,
    map: &SourceMap,
    span: &ByteSpan,
) -> io::Result<()> {
    for (depth, (file, line)) in map.include_chain(span.start).enumerate() {
        let lead = if depth == 0 {
            "In file included from"
        } else {
            "                 from"
        };
        writeln!(out, "{lead} {}:{line}:", printable(map.file(file)))?;
    }
    Ok(())
}

/// Writes `file:line:col: error: message [E0500]` or `... warning: message [W0602, -Wupc-block-size]`.
fn write_header(out: &mut dyn WriteColor, shown: &Shown<'_>) -> io::Result<()> {
    let (item, severity) = (shown.item, shown.severity);
    let mut bold = ColorSpec::new();
    bold.set_bold(true);
    out.set_color(&bold)?;
    match &shown.place {
        Some(place) => write!(
            out,
            "{}:{}:{}: ",
            printable(&place.file),
            place.line,
            place.range.start + 1
        )?,
        None => write!(out, "upcc: ")?,
    }
    let (word, color) = match severity {
        Severity::Warning => ("warning", termcolor::Color::Yellow),
        Severity::Error => ("error", termcolor::Color::Red),
    };
    out.set_color(bold.clone().set_fg(Some(color)))?;
    write!(out, "{word}: ")?;
    out.set_color(&bold)?;
    write!(out, "{}", printable(&item.message))?;
    out.reset()?;
    match item.option(severity) {
        Some(option) => writeln!(out, " [{}, {option}]", item.code),
        None => writeln!(out, " [{}]", item.code),
    }
}

/// Writes labels and notes without codespan's own header line, which `write_header` replaces.
fn write_excerpt(
    out: &mut dyn WriteColor,
    shown: &Excerpts,
    excerpt: &report::Diagnostic<usize>,
) -> io::Result<()> {
    let mut buffer = if out.supports_color() {
        termcolor::Buffer::ansi()
    } else {
        termcolor::Buffer::no_color()
    };
    if term::emit_to_write_style(&mut buffer, &term::Config::default(), shown, excerpt).is_err() {
        // The header already contains all the information.
        return Ok(());
    }
    let bytes = buffer.into_inner();
    let body = memchr::memchr(b'\n', &bytes).map_or(&bytes[..], |end| &bytes[end + 1..]);
    out.write_all(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Renders one diagnostic about `needle` in `text`, whose file does not exist.
    fn shown(text: &str, needle: &str, other: Option<&str>) -> String {
        let span = |needle: &str| {
            let start = text.find(needle).unwrap() as u32;
            start..start + needle.len() as u32
        };
        let mut diags = Diagnostics::default();
        let item = diags.report(
            codes::SHARED_AUTOMATIC,
            span(needle),
            "`x` is shared and automatic",
        );
        item.here("declared here").help("make it static");
        if let Some(other) = other {
            item.label(span(other), "enclosing function");
        }
        let mut out = termcolor::Buffer::no_color();
        let map = SourceMap::from_preprocessed(text);
        Renderer::default()
            .write(&mut out, &diags, &map, text)
            .unwrap();
        String::from_utf8(out.into_inner()).unwrap()
    }

    #[test]
    fn header_excerpt_and_notes() {
        let text = "# 7 \"no/such.upc\"\nvoid f(void) {\n  shared int x;\n}\n";
        insta::assert_snapshot!(shown(text, "shared int x", Some("f(void)")), @"
        no/such.upc:8:3: error: `x` is shared and automatic [E0500]
          ┌─ no/such.upc:8:3
          │
        7 │ void f(void) {
          │      ------- enclosing function
        8 │   shared int x;
          │   ^^^^^^^^^^^^ declared here
          │
          = rule: UPC 6.5.2, shared object with automatic storage duration
          = help: make it static
        ");
    }

    #[test]
    fn of_a_long_line_the_part_around_each_label_is_shown() {
        let filler = "int filler; ".repeat(5000);
        let text = format!("# 1 \"no/a.upc\"\nvoid f(void) {{ {filler}shared int x; {filler}}}\n");
        let all = shown(&text, "shared int x", Some("f(void)"));
        insta::assert_snapshot!(all, @"
        no/a.upc:1:60016: error: `x` is shared and automatic [E0500]
          ┌─ no/a.upc:1:60016
          │
        1 │ void f(void) { int filler; int filler; int filler; int filler; int filler; int filler; int f...
          │      ------- enclosing function
        1 │ ...filler; int filler; int filler; int filler; int filler; int filler; int filler; shared int x; int filler; int filler; int filler; int filler; int filler; int filler; int fi...
          │                                                                                    ^^^^^^^^^^^^ declared here
          │
          = rule: UPC 6.5.2, shared object with automatic storage duration
          = help: make it static
        ");
    }

    #[test]
    fn no_command_for_a_terminal_gets_through() {
        let text = "# 7 \"no/\x1b[31m.upc\"\n\x1b]0;x\x07 shared int x\u{9b}; \x1b[2J\n";
        let all = shown(text, "shared int x", Some("\u{9b}"));
        assert!(
            !all.contains(|c: char| c.is_control() && c != '\n'),
            "{all:?}"
        );
        assert!(all.contains("no/\\x1b[31m.upc:7:8: error"), "{all}");
        let line =
            "7 │ \\x1b]0;x\\x07 shared int x\\x9b; \\x1b[2J\n  │              ^^^^^^^^^^^^---- ";
        assert!(all.contains(line), "{all}");
    }

    #[test]
    fn json_as_gcc_has_it() {
        let text = "# 7 \"no/such.upc\"\n\tp = qqq;\n";
        let mut diags = Diagnostics::default();
        let at = text.find("qqq").unwrap() as u32;
        let item = diags.report(codes::BLOCK_SIZE_MISMATCH, at..at + 3, "other block size");
        item.help("cast it").label(at - 4..at - 3, "this one");
        let renderer = Renderer {
            format: Format::Json,
            ..Renderer::default()
        };
        let mut out = termcolor::Buffer::no_color();
        let map = SourceMap::from_preprocessed(text);
        renderer.write(&mut out, &diags, &map, text).unwrap();
        let array: serde_json::Value = serde_json::from_slice(out.as_slice()).unwrap();
        let first = &array[0];
        assert_eq!(first["kind"], "warning");
        assert_eq!(first["option"], "-Wupc-block-size");
        assert_eq!(first["code"], "W0602");
        assert_eq!(first["column-origin"], 1);
        assert_eq!(first["locations"][0]["caret"]["byte-column"], 6);
        assert_eq!(first["locations"][0]["caret"]["display-column"], 13);
        assert_eq!(first["locations"][0]["finish"]["byte-column"], 8);
        assert_eq!(first["children"][0]["locations"][0]["caret"]["line"], 7);
        assert_eq!(first["children"][1]["message"], "help: cast it");
    }

    #[test]
    fn every_place_of_odd_texts_can_be_shown() {
        for text in ["", "\n", "é\n# 4 \"no/x.h\" 1 3\nab", "# 1 \"no/a.c\"\n"] {
            for start in 0..=text.len() as u32 + 1 {
                let mut diags = Diagnostics::default();
                diags
                    .report(codes::SYNTAX, start..start + 9, "unexpected")
                    .label(0..1, "first");
                let mut out = termcolor::Buffer::no_color();
                let map = SourceMap::from_preprocessed(text);
                Renderer::default()
                    .write(&mut out, &diags, &map, text)
                    .unwrap();
                assert!(
                    String::from_utf8(out.into_inner())
                        .unwrap()
                        .contains("error: unexpected [E0100]")
                );
            }
        }
    }
}
