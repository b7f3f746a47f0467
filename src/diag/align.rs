//! Matches the words of a user's source line with the words of the same line after the preprocessor.
//!
//! The preprocessor drops comments, changes white space and expands macros. Both lines are cut into coarse tokens and
//! aligned so that as many as possible correspond; words are preferred to punctuation, and contiguous runs to scattered
//! tokens. Preprocessed text without a counterpart in the user's line came out of a macro. User's text without a
//! counterpart in the preprocessed line is a macro's name, or an argument that the macro did not use.

use std::collections::HashMap;
use std::ops::Range;
use upcc_grammar::token::KEYWORDS;

/// A line as coarse tokens: words, literals, single characters. White space and comments are dropped.
#[derive(Debug)]
struct Line {
    text: String,
    tokens: Vec<Range<usize>>,
}

impl Line {
    /// `above`: the lines that `\` joins to the front of this one. The rest of a literal that begins there is a token.
    fn new(text: &str, above: &str) -> Line {
        let rest = rest_of_literal(above, text);
        let behind = tokens(&text[rest..]).into_iter();
        let behind = behind.map(|token| token.start + rest..token.end + rest);
        Line {
            text: text.to_owned(),
            tokens: (rest > 0)
                .then_some(0..rest)
                .into_iter()
                .chain(behind)
                .collect(),
        }
    }

    /// The text of token `i`.
    fn word(&self, i: usize) -> &str {
        &self.text[self.tokens[i].clone()]
    }

    fn is_name(&self, i: usize) -> bool {
        let first = self.text.as_bytes()[self.tokens[i].start];
        first.is_ascii_alphabetic() || first == b'_'
    }

    /// For each token the last token of the macro call that begins with it: the call's `)`, or the token itself if no
    /// `(` follows. A call without its `)` ends with the line.
    fn call_ends(&self) -> Vec<usize> {
        let mut ends: Vec<usize> = (0..self.tokens.len()).collect();
        let mut open = Vec::new();
        for at in 0..self.tokens.len() {
            match self.word(at) {
                "(" => open.push(at),
                ")" => {
                    if let Some(start) = open.pop()
                        && start > 0
                    {
                        ends[start - 1] = at;
                    }
                }
                _ => {}
            }
        }
        for start in open.into_iter().filter(|&start| start > 0) {
            ends[start - 1] = self.tokens.len() - 1;
        }
        ends
    }
}

/// The counterpart of a range of the preprocessed line.
#[derive(Debug, PartialEq, Eq)]
pub enum Counterpart {
    /// The user's line has the same words.
    Exact(Range<usize>),
    /// The text came out of a macro. `call` is the macro call and `name` the macro's name.
    Macro {
        call: Range<usize>,
        name: String,
        /// The bytes of the preprocessed line to which the call expanded.
        expansion: Range<usize>,
    },
    /// The user's line has other text at this position.
    Replaced(Range<usize>),
}

/// Table size in cells above which only the common prefix and suffix of two lines are aligned.
const MOST_CELLS: usize = 4 << 20;

/// Weights of a pair of equal tokens. Words weigh more than punctuation; a pair that continues a run gets `STRETCH` in
/// addition.
const WORD: u32 = 6;
const PUNCTUATION: u32 = 2;
const STRETCH: u32 = 1;

/// A preprocessed line and the user's line, aligned. The work that depends on the length of the lines is done once for
/// all ranges.
#[derive(Debug)]
pub struct Alignment {
    /// `None`: the lines are equal.
    parts: Option<Parts>,
}

#[derive(Debug)]
struct Parts {
    pre: Line,
    orig: Line,
    /// The partner in `orig` of each token of `pre`.
    pairs: Vec<Option<usize>>,
    /// For each token of `pre` the partners of the nearest tokens in front of it, and from it on, that have a partner.
    gaps: Vec<Gap>,
    /// For each token of `orig` the last token of the call that begins with it.
    call_ends: Vec<usize>,
    /// The tokens of `orig` without partner that may be the name of a macro.
    names: Vec<usize>,
    /// The call that produced the tokens in this gap: that of the gap that was asked for last.
    call: Option<(Gap, Option<Call>)>,
    /// For calls: the token that is the only one of its spelling.
    arguments: HashMap<(usize, usize), HashMap<String, Option<usize>>>,
}

/// A stretch of tokens of the user's line between two that have partners.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Gap {
    left: Option<usize>,
    right: usize,
}

/// A macro call, as its first and last token, and the bytes of the preprocessed line to which it expanded.
#[derive(Clone, Debug)]
struct Call {
    name: usize,
    end: usize,
    expansion: Range<usize>,
}

impl Alignment {
    /// `above`: the user's lines that `\` joins to the front of `original`, without these characters.
    pub fn new(preprocessed: &str, original: &str, above: &str) -> Alignment {
        let parts = (preprocessed != original).then(|| Parts::new(preprocessed, original, above));
        Alignment { parts }
    }

    /// Returns the counterpart of the bytes `range` of the preprocessed line in the user's line.
    pub fn counterpart(&mut self, range: Range<usize>) -> Counterpart {
        match &mut self.parts {
            None => Counterpart::Exact(range),
            Some(parts) => parts.counterpart(range),
        }
    }
}

impl Parts {
    fn new(preprocessed: &str, original: &str, above: &str) -> Parts {
        let (pre, orig) = (Line::new(preprocessed, ""), Line::new(original, above));
        let pairs = align(&pre, &orig);
        let mut used = vec![false; orig.tokens.len()];
        pairs.iter().flatten().for_each(|&at| used[at] = true);
        let names = (0..orig.tokens.len())
            .filter(|&at| !used[at] && orig.is_name(at) && !is_keyword(orig.word(at)));
        Parts {
            gaps: gaps(&pairs, orig.tokens.len()),
            names: names.collect(),
            call_ends: orig.call_ends(),
            call: None,
            arguments: HashMap::new(),
            pre,
            orig,
            pairs,
        }
    }

    fn counterpart(&mut self, range: Range<usize>) -> Counterpart {
        let tokens = &self.pre.tokens;
        let first = tokens.partition_point(|token| token.end <= range.start);
        let behind = tokens.partition_point(|token| token.start < range.end);
        if first >= tokens.len() {
            return Counterpart::Replaced(whole(&self.orig.text));
        }
        let last = behind.saturating_sub(1).max(first);
        // A range may begin and end within a token, such as a conversion in a string literal.
        let skipped = range.start.saturating_sub(tokens[first].start);
        let left = tokens[last]
            .end
            .saturating_sub(range.end.max(tokens[last].start));
        let (first_found, last_found) = (self.found(first), self.found(last));
        let tokens = &self.orig.tokens;
        match (first_found, last_found) {
            (Some(first), Some(last)) if first <= last => {
                Counterpart::Exact(tokens[first].start + skipped..tokens[last].end - left)
            }
            (Some(first), _) => Counterpart::Exact(tokens[first].clone()),
            (None, _) => match self.call(first) {
                Some(Call {
                    name,
                    end,
                    expansion,
                }) => Counterpart::Macro {
                    call: self.orig.tokens[name].start..self.orig.tokens[end].end,
                    name: self.orig.word(name).to_owned(),
                    expansion,
                },
                None => Counterpart::Replaced(self.gap_text(first)),
            },
        }
    }

    fn found(&mut self, index: usize) -> Option<usize> {
        self.pairs[index].or_else(|| self.argument(index))
    }

    /// The innermost macro call that produced token `index`.
    fn call(&mut self, index: usize) -> Option<Call> {
        let gap = self.gaps[index];
        if let Some((known, call)) = &self.call
            && *known == gap
        {
            return call.clone();
        }
        let before = self.names.partition_point(|&name| name < gap.right);
        let ends = self.names[..before].iter().rev();
        let mut calls = ends.map(|&name| (name, self.call_ends[name]));
        let found = calls.find(|(_, end)| gap.left.is_none_or(|left| left <= *end));
        let call = found.map(|(name, end)| Call {
            name,
            end,
            expansion: self.expansion(index, name..=end),
        });
        self.call = Some((gap, call.clone()));
        call
    }

    /// The bytes around token `index` of `pre` up to the nearest tokens whose partners lie outside the call `own`.
    fn expansion(&self, index: usize, own: std::ops::RangeInclusive<usize>) -> Range<usize> {
        let pairs = &self.pairs;
        let foreign = |i: &usize| pairs[*i].is_some_and(|partner| !own.contains(&partner));
        let start = (0..index).rev().find(foreign).map_or(0, |i| i + 1);
        let end = (index + 1..pairs.len())
            .find(foreign)
            .unwrap_or(pairs.len());
        self.pre.tokens[start].start..self.pre.tokens[end - 1].end
    }

    /// The only token with the spelling of token `index` among the arguments of the enclosing macro call: a macro may
    /// use an argument twice.
    fn argument(&mut self, index: usize) -> Option<usize> {
        let Call { name, end, .. } = self.call(index)?;
        let orig = &self.orig;
        let arguments = self.arguments.entry((name, end)).or_insert_with(|| {
            let mut only = HashMap::new();
            for at in (name + 1..=end).filter(|&at| !is_punctuation(orig.word(at))) {
                only.entry(orig.word(at).to_owned())
                    .and_modify(|known| *known = None)
                    .or_insert(Some(at));
            }
            only
        });
        arguments.get(self.pre.word(index)).copied().flatten()
    }

    /// The user's text between the partners of the tokens around `index`.
    fn gap_text(&self, index: usize) -> Range<usize> {
        let Gap { left, right } = self.gaps[index];
        let tokens = &self.orig.tokens;
        let first = left.map_or(0, |left| left + 1);
        match (tokens.get(first), tokens[..right].last()) {
            (Some(first), Some(last)) if first.start < last.end => first.start..last.end,
            _ => match left {
                // Text was removed at the end of a word.
                Some(left) => tokens[left].clone(),
                None => whole(&self.orig.text),
            },
        }
    }
}

/// The gap of each token of the preprocessed line.
fn gaps(pairs: &[Option<usize>], length: usize) -> Vec<Gap> {
    let mut left = None;
    let behind = |left: &mut Option<usize>, pair: &Option<usize>| {
        let before = *left;
        *left = pair.or(*left);
        Gap {
            left: before,
            right: length,
        }
    };
    let mut gaps: Vec<Gap> = pairs.iter().map(|pair| behind(&mut left, pair)).collect();
    let mut right = length;
    for (gap, pair) in gaps.iter_mut().zip(pairs).rev() {
        right = pair.unwrap_or(right);
        gap.right = right;
    }
    gaps
}

/// Returns the partner in `orig` of each token of `pre`.
fn align(pre: &Line, orig: &Line) -> Vec<Option<usize>> {
    let same = |i: usize, j: usize| pre.word(i) == orig.word(j);
    let (n, m) = (pre.tokens.len(), orig.tokens.len());
    let prefix = (0..n.min(m)).take_while(|&i| same(i, i)).count();
    let most = n.min(m) - prefix;
    let suffix = (1..=most).take_while(|&i| same(n - i, m - i)).count();
    let mut pairs: Vec<Option<usize>> = vec![None; n];
    for (i, pair) in pairs.iter_mut().enumerate() {
        *pair = match i {
            _ if i < prefix => Some(i),
            _ if i >= n - suffix => Some(i + m - n),
            _ => None,
        };
    }
    let (rows, columns) = (n - prefix - suffix, m - prefix - suffix);
    if rows.saturating_mul(columns) > MOST_CELLS {
        return pairs;
    }
    // best[i][j]: the greatest weight of the tokens from i and j on; paired[i][j]: the same if i and j form a pair.
    let width = columns + 1;
    let mut best = vec![0u32; (rows + 1) * width];
    let mut paired = vec![0u32; (rows + 1) * width];
    for i in (0..rows).rev() {
        for j in (0..columns).rev() {
            let at = i * width + j;
            let (a, b) = (prefix + i, prefix + j);
            if same(a, b) {
                let next = at + width + 1;
                let stretch = (paired[next] + STRETCH).max(best[next]);
                let worth = if pre.text.as_bytes()[pre.tokens[a].start].is_ascii_punctuation()
                    && !pre.is_name(a)
                {
                    PUNCTUATION
                } else {
                    WORD
                };
                paired[at] = worth
                    + if paired[next] > 0 {
                        stretch
                    } else {
                        best[next]
                    };
            }
            best[at] = paired[at].max(best[at + width]).max(best[at + 1]);
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < rows && j < columns {
        let at = i * width + j;
        if paired[at] > 0 && paired[at] == best[at] {
            pairs[prefix + i] = Some(prefix + j);
            (i, j) = (i + 1, j + 1);
        } else if best[at + width] >= best[at + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

/// `THREADS` is excluded: it is a keyword, but also a macro if the number of threads is static.
fn is_keyword(word: &str) -> bool {
    word != "THREADS" && KEYWORDS.iter().any(|(keyword, _)| *keyword == word)
}

fn is_punctuation(word: &str) -> bool {
    word.len() == 1 && word.as_bytes()[0].is_ascii_punctuation() && word != "_"
}

/// The range of a line without leading and trailing white space.
fn whole(line: &str) -> Range<usize> {
    let start = line.len() - line.trim_start().len();
    start..line.trim_end().len().max(start)
}
/// Splits a line into coarse tokens: words, strings, single characters. White space and comments are dropped.
fn tokens(line: &str) -> Vec<Range<usize>> {
    let bytes = line.as_bytes();
    let word =
        |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80;
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let rest = &line[at..];
        let len = if byte.is_ascii_whitespace() || rest.starts_with("/*") || rest.starts_with("//")
        {
            at += blank_len(rest);
            continue;
        } else if word(byte) {
            bytes[at..].iter().take_while(|&&byte| word(byte)).count()
        } else if byte == b'"' || byte == b'\'' {
            quoted_len(&bytes[at..])
        } else {
            1
        };
        found.push(at..at + len);
        at += len;
    }
    found
}

/// Length of the white space character or comment at the start of `rest`.
fn blank_len(rest: &str) -> usize {
    if rest.starts_with("//") {
        rest.len()
    } else if let Some(comment) = rest.strip_prefix("/*") {
        comment.find("*/").map_or(rest.len(), |close| close + 4)
    } else {
        1
    }
}

/// Length of the string or character constant at the start of `bytes`; the whole rest if it has no closing quote.
fn quoted_len(bytes: &[u8]) -> usize {
    closed_len(bytes).unwrap_or(bytes.len())
}

/// Length of the string or character constant at the start of `bytes`, if it has a closing quote.
fn closed_len(bytes: &[u8]) -> Option<usize> {
    let mut escaped = false;
    let close = bytes[1..].iter().position(|&byte| {
        let close = byte == bytes[0] && !escaped;
        escaped = byte == b'\\' && !escaped;
        close
    });
    close.map(|close| close + 2)
}

/// Length of the rest of a literal at the start of `line`, if the text `above` begins one and does not close it.
fn rest_of_literal(above: &str, line: &str) -> usize {
    let Some(last) = tokens(above).pop() else {
        return 0;
    };
    let begun = &above.as_bytes()[last];
    if !matches!(begun[0], b'"' | b'\'') || closed_len(begun).is_some() {
        return 0;
    }
    let literal = [begun, line.as_bytes()].concat();
    quoted_len(&literal) - begun.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn correspond(preprocessed: &str, original: &str, range: Range<usize>) -> Counterpart {
        Alignment::new(preprocessed, original, "").counterpart(range)
    }

    /// The counterpart of `needle` in the original line, and the macro from which it came.
    fn seen<'a>(preprocessed: &str, original: &'a str, needle: &str) -> (&'a str, Option<String>) {
        let start = preprocessed.find(needle).unwrap();
        match correspond(preprocessed, original, start..start + needle.len()) {
            Counterpart::Exact(range) | Counterpart::Replaced(range) => (&original[range], None),
            Counterpart::Macro { call, name, .. } => (&original[call], Some(name)),
        }
    }

    #[test]
    fn a_literal_of_the_line_above_ends_in_this_one() {
        let (pre, orig) = ("      undeclared);", "d \\\"%d\\n\", undeclared);");
        let range = pre.find("undeclared").map(|at| at..at + 10).unwrap();
        let mut alignment = Alignment::new(pre, orig, "printf(\"a'b");
        let at = orig.find("undeclared").unwrap();
        assert_eq!(
            alignment.counterpart(range),
            Counterpart::Exact(at..at + 10)
        );
        assert_eq!(rest_of_literal("f(\"a\", 'b'", "c\", d"), 0);
        assert_eq!(rest_of_literal("f(\"a\", \"b\\", "\"c\", d"), 3);
        assert_eq!(rest_of_literal("f(\"a", "no end"), 6);
    }

    #[test]
    fn comments_and_blanks_do_not_matter() {
        assert_eq!(
            seen("  int x = y;", "\tint /* a */ x  = y; // end", "y"),
            ("y", None)
        );
        assert_eq!(
            seen("f( a,  b );", "f( a, /* no */ b ); ", "a,  b"),
            ("a, /* no */ b", None)
        );
    }

    #[test]
    fn around_a_macro() {
        let (pre, orig) = ("x = ((a) < (b) ? (a) : (b)) + y;", "x = MIN(a, b) + y;");
        assert_eq!(seen(pre, orig, "y"), ("y", None));
        assert_eq!(seen(pre, orig, "x"), ("x", None));
        assert_eq!(seen(pre, orig, "?"), ("MIN(a, b)", Some("MIN".to_owned())));
        assert_eq!(seen(pre, orig, "b) ?"), ("b", None));
        assert_eq!(
            seen("p = ((void *)0) + q;", "p = NULL + q;", "void"),
            ("NULL", Some("NULL".to_owned()))
        );
    }

    #[test]
    fn several_macros_in_a_line() {
        let orig =
            "check(MAX(i, j), THREADS * 2, MAX(wrong, k)); total = sum(total, wrong, THREADS);";
        let pre = "check(((i) > (j) ? (i) : (j)), 4 * 2, ((wrong) > (k) ? (wrong) : (k))); total = sum(total, wrong, 4);";
        let at = |nth: usize| {
            let (start, _) = pre.match_indices("wrong").nth(nth).unwrap();
            correspond(pre, orig, start..start + 5)
        };
        let place = |nth: usize| orig.match_indices("wrong").nth(nth).unwrap().0;
        assert_eq!(at(0), Counterpart::Exact(place(0)..place(0) + 5));
        assert_eq!(at(2), Counterpart::Exact(place(1)..place(1) + 5));
        assert_eq!(
            seen(pre, orig, "4"),
            ("THREADS", Some("THREADS".to_owned()))
        );
        let last = pre.rfind('4').unwrap();
        let Counterpart::Macro {
            call,
            name,
            expansion,
        } = correspond(pre, orig, last..last + 1)
        else {
            panic!("4 comes out of a macro");
        };
        assert_eq!(&pre[expansion], "4");
        assert_eq!(
            (call.start, name.as_str()),
            (orig.rfind("THREADS").unwrap(), "THREADS")
        );
    }

    #[test]
    fn argument_of_a_macro_that_occurs_once() {
        assert_eq!(
            seen("do { use(bad); } while (0);", "USE(bad);", "bad"),
            ("bad", None)
        );
    }

    #[test]
    fn odd_lines_do_not_panic() {
        for line in ["", "\"open", "/* open", "é'", "''", "\\", "a b c"] {
            for other in ["", "x", "\"a\\\"b\" y", "(", "F(", "b"] {
                for end in 0..=line.len() {
                    let (Counterpart::Exact(range)
                    | Counterpart::Replaced(range)
                    | Counterpart::Macro { call: range, .. }) = correspond(line, other, 0..end);
                    assert!(other.get(range).is_some() || line == other);
                }
            }
        }
    }
}
