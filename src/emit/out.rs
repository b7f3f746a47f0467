//! The text being written, and the file and line that the C compiler assigns to its end.

use super::rt::c_string;
use super::sites;
use crate::diag::is_upc_pragma;
use crate::il::Patch;
use std::borrow::Cow;
use std::fmt::Write;
use std::ops::Range;
use upcc_grammar::lex::TokenStream;
use upcc_grammar::source_map::{FileId, SourceMap};

/// Deeper blocks are not indented further, so that the text stays proportional to its contents.
const MAX_INDENT: u32 = 20;

/// A line marker is replaced by blank lines up to this number.
const MAX_BLANK_LINES: u32 = 6;

/// The output.
pub(super) struct Out<'a> {
    pub(super) text: String,
    pub(super) stream: &'a TokenStream,
    map: &'a SourceMap,
    /// Tokens that copies spell differently, in order.
    patches: &'a [Patch],
    /// File and line of the text's last line, as the C compiler counts them.
    at: Option<(FileId, u32)>,
    /// Write line markers.
    pub(super) lines: bool,
    /// Nesting depth of blocks.
    pub(super) indent: u32,
    /// Above 0: no newlines and no line markers (arguments of macros, declarators).
    pub(super) flat: u32,
    /// Number of expressions with braces written so far.
    pub(super) literals: u32,
    /// The code does not appear in the user's text: write one line for each statement.
    pub(super) free: bool,
}

impl<'a> Out<'a> {
    pub(super) fn new(
        stream: &'a TokenStream,
        map: &'a SourceMap,
        patches: &'a [Patch],
        lines: bool,
    ) -> Out<'a> {
        Out {
            text: String::with_capacity(stream.text.len() + stream.text.len() / 4),
            stream,
            map,
            patches,
            at: None,
            lines,
            indent: 0,
            flat: 0,
            literals: 0,
            free: !lines,
        }
    }

    /// Writes text without newlines.
    pub(super) fn put(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(super) fn at_line_start(&self) -> bool {
        self.text.is_empty() || self.text.ends_with('\n')
    }

    /// Ends the line, if anything is on it.
    pub(super) fn end_line(&mut self) {
        if !self.at_line_start() {
            self.newline();
        }
    }

    fn newline(&mut self) {
        self.trim();
        self.text.push('\n');
        if let Some((_, line)) = &mut self.at {
            *line = line.wrapping_add(1);
        }
    }

    /// Writes a generated line that belongs to no line of the user's.
    pub(super) fn own_line(&mut self, line: &str) {
        self.end_line();
        self.text.push_str(line);
        self.newline();
    }

    /// Moves to the user's line of a byte: the same line, a few blank lines on, or after a line marker. A new statement
    /// follows.
    pub(super) fn go_to(&mut self, byte: u32) {
        if self.flat > 0 {
            return self.space();
        }
        if self.free {
            return self.stay();
        }
        let loc = self.map.lookup(byte);
        let target = Some((loc.file, loc.line));
        if self.at == target {
            return if self.at_line_start() {
                self.indentation()
            } else {
                self.space()
            };
        }
        if !self.move_on(loc.file, loc.line) {
            self.marker(byte);
        }
        self.indentation();
    }

    /// Stays on the current line; in free layout, begins a new line.
    pub(super) fn stay(&mut self) {
        if self.free && self.flat == 0 {
            // The line contains only indentation.
            if self.text.trim_end_matches(' ').ends_with('\n') && !self.at_line_start() {
                return;
            }
            self.end_line();
        }
        if self.at_line_start() {
            self.indentation();
        } else {
            self.space();
        }
    }

    /// Begins the line of a statement that a pass made for the user's construct at a byte.
    pub(super) fn made_line(&mut self, byte: u32) {
        if self.flat > 0 || self.free {
            return self.stay();
        }
        self.end_line();
        let loc = self.map.lookup(byte);
        if self.at != Some((loc.file, loc.line)) {
            self.line_marker(loc.file, loc.line, loc.system_header);
        }
        self.indentation();
    }

    /// Begins the line of a `}` that a pass made. No code belongs to it, so it needs no position.
    pub(super) fn made_close(&mut self) {
        if self.flat == 0 && !self.free {
            self.end_line();
        }
        self.stay();
    }

    /// Moves to the line of a closing token, if it is near; never writes a line marker.
    pub(super) fn go_to_close(&mut self, byte: u32) {
        if self.flat > 0 {
            return self.space();
        }
        if self.free {
            return self.stay();
        }
        let loc = self.map.lookup(byte);
        let _ = self.move_on(loc.file, loc.line);
        if self.at_line_start() {
            self.indentation();
        } else {
            self.space();
        }
    }

    /// Writes newlines if the target is a few lines ahead. Returns false if it is not.
    fn move_on(&mut self, file: FileId, line: u32) -> bool {
        match self.at {
            Some((f, l)) if f == file && line > l && line - l <= MAX_BLANK_LINES => {
                (l..line).for_each(|_| self.newline());
                true
            }
            _ => false,
        }
    }

    /// Writes a line marker for the line of a byte.
    fn marker(&mut self, byte: u32) {
        let loc = self.map.lookup(byte);
        self.end_line();
        self.line_marker(loc.file, loc.line, loc.system_header);
    }

    /// A line marker, at the beginning of a line.
    fn line_marker(&mut self, file: FileId, line: u32, system_header: bool) {
        let name = self.map.file(file);
        if !name.is_empty() && self.lines {
            let name = c_string(name);
            // Writing to a String cannot fail.
            let _ = match system_header {
                true => writeln!(self.text, "# {line} {name} 3"),
                false => writeln!(self.text, "#line {line} {name}"),
            };
        }
        self.at = Some((file, line));
    }

    fn indentation(&mut self) {
        (0..self.indent.min(MAX_INDENT)).for_each(|_| self.text.push_str("    "));
    }

    /// Removes spaces at the end.
    pub(super) fn trim(&mut self) {
        let end = self.text.trim_end_matches(' ').len();
        self.text.truncate(end);
    }

    /// Writes a space, unless the text is empty or ends with a space, a newline or `(`.
    pub(super) fn space(&mut self) {
        if !(self.text.is_empty() || self.text.ends_with([' ', '\n', '('])) {
            self.text.push(' ');
        }
    }

    /// Copies the user's text verbatim at file scope, in step with its lines. UPC's pragmas are left out.
    pub(super) fn copy_in_step(&mut self, bytes: Range<u32>, without_attrs: Option<u32>) {
        if bytes.is_empty() {
            return;
        }
        let loc = self.map.lookup(bytes.start);
        let starts_with_marker = self.text.is_empty() || bytes.start == 0;
        if self.at != Some((loc.file, loc.line)) && !starts_with_marker {
            self.marker(bytes.start);
        }
        self.copy(bytes, without_attrs);
    }

    /// Leaves text out at file scope. Of its line markers, those stay that enter or leave a file: the C compiler counts
    /// them.
    pub(super) fn leave_out(&mut self, bytes: Range<u32>) {
        let text = &self.stream.text[bytes.start as usize..bytes.end as usize];
        let mut kept: Vec<&str> = Vec::new();
        for marker in text.split('\n').filter(|line| is_marker(line)) {
            match nesting(marker) {
                Some(Nesting::Enters) => kept.push(marker),
                // Nothing is left of the file that it leaves.
                Some(Nesting::Leaves)
                    if kept.last().and_then(|it| nesting(it)) == Some(Nesting::Enters) =>
                {
                    kept.pop();
                }
                Some(Nesting::Leaves) => kept.push(marker),
                None => {}
            }
        }
        if kept.is_empty() || !self.lines {
            return;
        }
        self.end_line();
        kept.iter().for_each(|marker| self.own_line(marker));
        self.at = None;
    }

    /// Copies the user's text; in flat mode, on one line. Leaves out UPC's pragmas and the attributes before token
    /// `without_attrs`.
    pub(super) fn copy(&mut self, bytes: Range<u32>, without_attrs: Option<u32>) {
        let stream = self.stream;
        let first = stream.pragmas.partition_point(|p| p.start < bytes.start);
        let pragmas = stream.pragmas[first..]
            .iter()
            .take_while(|p| p.start < bytes.end);
        let mut skip: Vec<(Range<u32>, Cow<'static, str>)> = pragmas
            .filter(|&&p| self.flat > 0 || is_upc_pragma(&stream.pragma_text(p)))
            .map(|p| (p.start..p.end, Cow::Borrowed("")))
            .collect();
        if let Some(token) = without_attrs {
            let attrs = stream.attrs_in(token..=token);
            skip.extend(attrs.iter().map(|a| (a.start..a.end, Cow::Borrowed(""))));
        }
        skip.extend(self.patches_in(&bytes));
        skip.sort_by_key(|(hole, _)| hole.start);
        let mut from = bytes.start;
        for (hole, other) in skip {
            self.copy_range(from..hole.start.max(from));
            self.text.push_str(&other);
            from = hole.end.max(from);
        }
        self.copy_range(from.min(bytes.end)..bytes.end);
    }

    /// The patches of the tokens in a range of text: the bytes of each token, and its replacement.
    fn patches_in(
        &self,
        bytes: &Range<u32>,
    ) -> impl Iterator<Item = (Range<u32>, Cow<'static, str>)> {
        let (stream, patches, end) = (self.stream, self.patches, bytes.end);
        let place = |patch: &Patch| stream.tokens[patch.token as usize];
        let first = patches.partition_point(|patch| place(patch).start < bytes.start);
        let all = patches[first..].iter();
        all.map(move |patch| (stream.tokens[patch.token as usize], patch.to))
            .take_while(move |(token, _)| token.end <= end)
            .map(|(token, to)| (token.start..token.end, sites::patch(to)))
    }

    fn copy_range(&mut self, bytes: Range<u32>) {
        let piece = &self.stream.text[bytes.start as usize..bytes.end as usize];
        if !piece.contains('\n') {
            self.text.push_str(piece);
            return;
        }
        if self.flat > 0 {
            return self.copy_flat(piece);
        }
        if self.lines || !has_marker(piece) {
            self.text.push_str(piece);
        } else {
            self.copy_without_markers(piece);
        }
        if has_marker(piece) || self.at.is_none() {
            let loc = self.map.lookup(bytes.end);
            self.at = Some((loc.file, loc.line));
            return;
        }
        if let Some((_, line)) = &mut self.at {
            *line = line.wrapping_add(memchr::memchr_iter(b'\n', piece.as_bytes()).count() as u32);
        }
    }

    fn copy_without_markers(&mut self, piece: &str) {
        let lines: Vec<&str> = piece.split('\n').filter(|l| !is_marker(l)).collect();
        self.text.push_str(&lines.join("\n"));
    }

    fn copy_flat(&mut self, piece: &str) {
        for (i, line) in lines_of(piece) {
            if i > 0 {
                self.space();
            }
            self.text.push_str(line);
        }
    }

    /// Writes the pragmas that precede a statement's first token.
    pub(super) fn pragmas_before(&mut self, token: u32) {
        let stream = self.stream;
        for &pragma in stream.pragmas_in(token..=token) {
            let text = stream.pragma_text(pragma);
            if self.flat > 0 || is_upc_pragma(&text) {
                continue;
            }
            self.go_to(pragma.start);
            self.trim();
            self.end_line();
            // Writing to a String cannot fail.
            let _ = write!(self.text, "#pragma {text}");
            self.newline();
        }
    }

    /// Writes the attributes that precede a token.
    pub(super) fn attrs_before(&mut self, token: u32) {
        let stream = self.stream;
        for attr in stream.attrs_in(token..=token) {
            self.go_to(attr.start);
            self.copy(attr.start..attr.end, None);
        }
    }

    /// First byte of a token; the end of the text after the program's last token.
    pub(super) fn start_of(&self, token: u32) -> u32 {
        if token >= self.stream.program_len {
            return self.stream.text.len() as u32;
        }
        self.stream.tokens[token as usize].start
    }

    /// First byte after the token before `token`.
    pub(super) fn end_before(&self, token: u32) -> u32 {
        match token.checked_sub(1) {
            Some(last) => self.stream.tokens.get(last as usize).map_or(0, |t| t.end),
            None => 0,
        }
    }

    /// Starts writing to a separate string, on one line. Returns the text so far, for [`Out::aside_end`].
    pub(super) fn aside_begin(&mut self) -> String {
        self.flat += 1;
        std::mem::take(&mut self.text)
    }

    /// Ends what [`Out::aside_begin`] began, and returns the text written since.
    pub(super) fn aside_end(&mut self, before: String) -> String {
        self.flat -= 1;
        std::mem::replace(&mut self.text, before)
    }
}

/// True for text that contains a line marker.
fn has_marker(text: &str) -> bool {
    memchr::memmem::find_iter(text.as_bytes(), "\n#").any(|i| is_marker(&text[i + 1..]))
        || is_marker(text)
}

/// True for a line that is a line marker.
pub(super) fn is_marker(line: &str) -> bool {
    line.strip_prefix('#').is_some_and(|rest| {
        let rest = rest.trim_start_matches([' ', '\t']);
        rest.starts_with(|c: char| c.is_ascii_digit()) || rest.starts_with("line")
    })
}

/// What a line marker says of the file that it names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nesting {
    Enters,
    Leaves,
}

/// Reads the flags after the name: 1 enters the file, 2 returns to it.
fn nesting(marker: &str) -> Option<Nesting> {
    let (_, flags) = marker.rsplit_once('"')?;
    flags.split_whitespace().find_map(|flag| match flag {
        "1" => Some(Nesting::Enters),
        "2" => Some(Nesting::Leaves),
        _ => None,
    })
}

/// The lines of a part of the user's text with their numbers, without line markers and indentation.
fn lines_of(piece: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = piece.split('\n').enumerate();
    let lines = lines.map(|(i, line)| (i, if i > 0 { line.trim_start() } else { line }));
    lines.filter(|(i, line)| *i == 0 || !line.starts_with('#'))
}

/// A part of the user's text on one line.
pub(super) fn on_one_line(piece: &str) -> String {
    let lines: Vec<&str> = lines_of(piece).map(|(_, line)| line).collect();
    lines.join(" ")
}
