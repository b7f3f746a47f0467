//! Finds attributes and their arguments in the text of `__attribute__`. Nothing is parsed or allocated: headers have
//! thousands of attributes, and nearly all are right.

use std::ops::Range;

/// Calls `found` with the bytes of each attribute's name and of its arguments, which are 0 and 0 if there is no list.
pub(super) fn scan_attribute(
    text: &str,
    start: u32,
    end: u32,
    mut found: impl FnMut(Range<usize>, (u32, u32)),
) {
    let bytes = text.as_bytes();
    let (mut at, end) = (start as usize, end as usize);
    // Skip `__attribute__` itself: the list begins after its parentheses; C23 uses brackets.
    while at < end && bytes[at] != b'(' && bytes[at] != b'[' {
        at += 1;
    }
    while at < end {
        if !bytes[at].is_ascii_alphabetic() && bytes[at] != b'_' {
            at = after(bytes, at, end);
            continue;
        }
        let name = at;
        while at < end && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
            at += 1;
        }
        let name = name..at;
        at = blanks(bytes, at, end);
        let mut args = (0, 0);
        if at < end && bytes[at] == b'(' {
            let open = at;
            at = closing(bytes, open, end);
            args = (open as u32 + 1, at as u32);
        }
        found(name, args);
    }
}

/// The position after the byte at `at`, or after the literal or line marker that begins there.
fn after(bytes: &[u8], at: usize, end: usize) -> usize {
    let quote = bytes[at];
    let mut next = at + 1;
    match quote {
        b'"' | b'\'' => {
            while next < end && bytes[next] != quote {
                next += 1 + usize::from(bytes[next] == b'\\');
            }
            (next + 1).min(end)
        }
        // A header that is read within an attribute, or a macro over several lines.
        b'#' => {
            while next < end && bytes[next] != b'\n' {
                next += 1;
            }
            next
        }
        _ => next,
    }
}

/// The position after blanks and line markers.
fn blanks(bytes: &[u8], mut at: usize, end: usize) -> usize {
    while at < end && (bytes[at].is_ascii_whitespace() || bytes[at] == b'#') {
        at = after(bytes, at, end);
    }
    at
}

/// The parenthesis that closes the one at `open`, or `end`.
fn closing(bytes: &[u8], open: usize, end: usize) -> usize {
    let (mut depth, mut at) = (0usize, open);
    while at < end {
        match bytes[at] {
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return at;
                }
            }
            _ => {}
        }
        at = after(bytes, at, end);
    }
    end
}

/// The arguments between the parentheses of an attribute: the bytes of each, without blanks around it.
pub(super) struct Arguments<'t> {
    bytes: &'t [u8],
    at: usize,
    end: usize,
    more: bool,
}

impl<'t> Arguments<'t> {
    /// The arguments in `text[args]`; none if that is blank.
    pub(super) fn of(text: &'t str, args: (u32, u32)) -> Arguments<'t> {
        let (bytes, end) = (text.as_bytes(), args.1 as usize);
        let at = blanks(bytes, args.0 as usize, end);
        Arguments {
            bytes,
            at,
            end,
            more: at < end,
        }
    }
}

impl Iterator for Arguments<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        if !self.more {
            return None;
        }
        let start = blanks(self.bytes, self.at, self.end);
        let (mut at, mut last, mut depth) = (start, start, 0usize);
        while at < self.end {
            match self.bytes[at] {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                b',' if depth == 0 => break,
                _ => {}
            }
            let next = after(self.bytes, at, self.end);
            if !self.bytes[at].is_ascii_whitespace() && self.bytes[at] != b'#' {
                last = next;
            }
            at = next;
        }
        (self.at, self.more) = (at + 1, at < self.end);
        Some(start..last)
    }
}

/// The form of an argument, as far as its text shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form<'t> {
    /// String literals; the contents if there is only one, without prefix and escapes.
    Text(Option<&'t str>),
    Name(&'t str),
    /// An integer constant, perhaps with a minus sign.
    Integer(i128),
    Floating,
    /// Any other expression, or none.
    Other,
}

impl<'t> Form<'t> {
    /// The form of an argument.
    pub(super) fn of(argument: &'t str) -> Form<'t> {
        let bytes = argument.as_bytes();
        let Some(&first) = bytes.first() else {
            return Form::Other;
        };
        let word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        match first {
            b'"' => Form::text(argument),
            b'0'..=b'9' | b'.' | b'-' => Form::number(argument),
            _ if !first.is_ascii_digit() && bytes.iter().all(word) => Form::Name(argument),
            b'L' | b'u' | b'U' => Form::text(argument),
            _ => Form::Other,
        }
    }

    fn text(argument: &'t str) -> Form<'t> {
        let (bytes, end) = (argument.as_bytes(), argument.len());
        let (mut at, mut literals) = (0, 0);
        while at < end {
            let rest = &argument[at..];
            let prefix = ["u8", "u", "U", "L"].iter().find(|p| rest.starts_with(**p));
            at += prefix.map_or(0, |prefix| prefix.len());
            if bytes.get(at) != Some(&b'"') {
                return Form::Other;
            }
            at = blanks(bytes, after(bytes, at, end), end);
            literals += 1;
        }
        let plain = argument
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'))
            .filter(|text| literals == 1 && !text.contains('\\'));
        Form::Text(plain)
    }

    fn number(argument: &str) -> Form<'t> {
        let unsigned = argument.strip_prefix('-').map_or(argument, str::trim_start);
        let digits = unsigned.trim_end_matches(['u', 'U', 'l', 'L']);
        let (radix, digits) = match digits.as_bytes() {
            [b'0', b'x' | b'X', ..] => (16, &digits[2..]),
            [b'0', b'b' | b'B', ..] => (2, &digits[2..]),
            [b'0', _, ..] => (8, &digits[1..]),
            _ => (10, digits),
        };
        if let Ok(value) = i128::from_str_radix(digits, radix)
            && !digits.starts_with(['+', '-'])
        {
            return Form::Integer(if unsigned == argument { value } else { -value });
        }
        let floating = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | 'f' | 'F');
        if digits.contains('.') && digits.chars().all(floating) {
            return Form::Floating;
        }
        Form::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<(String, String)> {
        let mut found = Vec::new();
        scan_attribute(text, 0, text.len() as u32, |name, args| {
            found.push((
                text[name].to_string(),
                text[args.0 as usize..args.1 as usize].to_string(),
            ));
        });
        found
    }

    #[test]
    fn attributes_are_distinguished() {
        let own = |s: &str| s.to_string();
        assert_eq!(
            words("__attribute__ ((__packed__, aligned (4), section(\"a)b\"), const))"),
            [
                (own("__packed__"), own("")),
                (own("aligned"), own("4")),
                (own("section"), own("\"a)b\"")),
                (own("const"), own("")),
            ]
        );
        assert_eq!(words("[[gnu::packed]]").last().unwrap().0, "packed");
        assert_eq!(words("__attribute__(("), []);
    }

    #[test]
    fn line_markers_are_no_attributes() {
        let text = "__attribute__((\n# 7 \"section/weak(.h\" 3 4\nunused\n# 8 \"alias.h\"\n, aligned\n# 9 \")\"\n(8)))";
        let own = |s: &str| s.to_string();
        let expected = [(own("unused"), own("")), (own("aligned"), own("8"))];
        assert_eq!(words(text), expected);
    }

    fn split(text: &str) -> Vec<&str> {
        Arguments::of(text, (0, text.len() as u32))
            .map(|at| &text[at])
            .collect()
    }

    #[test]
    fn arguments_are_split_at_outer_commas() {
        assert_eq!(split(" "), [""; 0]);
        assert_eq!(split("\n# 3 \"a,b.h\"\n"), [""; 0]);
        assert_eq!(split("f (1, 2) , \",\", ','"), ["f (1, 2)", "\",\"", "','"]);
        assert_eq!(
            split("printf,\n# 3 \"a,b.h\"\n 1\n# 4 \"c.h\"\n,2"),
            ["printf", "1", "2"]
        );
        assert_eq!(split("1,"), ["1", ""]);
    }

    #[test]
    fn forms_of_arguments() {
        assert_eq!(Form::of("\"a\""), Form::Text(Some("a")));
        assert_eq!(Form::of("\"a\" u8\"b\""), Form::Text(None));
        assert_eq!(Form::of("L\"a\""), Form::Text(None));
        assert_eq!(Form::of("\"a\" [0]"), Form::Other);
        assert_eq!(Form::of("Lname"), Form::Name("Lname"));
        assert_eq!(Form::of("0x10UL"), Form::Integer(16));
        assert_eq!(Form::of("010"), Form::Integer(8));
        assert_eq!(Form::of("0"), Form::Integer(0));
        assert_eq!(Form::of("- 4"), Form::Integer(-4));
        assert_eq!(Form::of("1.5e0f"), Form::Floating);
        assert_eq!(Form::of("1 + 2"), Form::Other);
        assert_eq!(Form::of("1.5 > 2.0"), Form::Other);
        assert_eq!(Form::of("sizeof (int)"), Form::Other);
        assert_eq!(Form::of("--1"), Form::Other);
        assert_eq!(Form::of("(4)"), Form::Other);
        assert_eq!(Form::of(""), Form::Other);
    }
}
