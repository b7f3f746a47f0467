//! `#pragma pupc on|off`: applies to the end of the innermost enclosing braces (at file scope, to the end of the file),
//! or until the next such pragma in them.

use upcc_grammar::lex::TokenStream;
use upcc_grammar::token::TokenKind;

/// The regions in which instrumentation is on.
pub(super) struct Regions {
    /// Token from which on instrumentation is on or off, in order; it is on before the first.
    changes: Vec<(u32, bool)>,
}

impl Regions {
    pub(super) fn read(stream: &TokenStream) -> Regions {
        let mut changes = Vec::new();
        let mut pragmas = stream.pragmas.iter().filter_map(|&pragma| {
            let on = state(&stream.pragma_text(pragma))?;
            Some((pragma.before, on))
        });
        let Some(mut next) = pragmas.next() else {
            return Regions { changes };
        };
        let mut on = true;
        // The state outside each open pair of braces.
        let mut outer = Vec::new();
        for index in 0..stream.program_len {
            while next.0 == index {
                on = next.1;
                changes.push((index, on));
                next = pragmas.next().unwrap_or((u32::MAX, on));
            }
            let kind = stream.tokens[index as usize].kind;
            if kind == TokenKind::LBrace {
                outer.push(on);
            } else if kind == TokenKind::RBrace {
                let before = outer.pop().unwrap_or(on);
                if before != on {
                    on = before;
                    changes.push((index + 1, on));
                }
            }
        }
        Regions { changes }
    }

    /// True if instrumentation is on at a token.
    pub(super) fn on(&self, token: u32) -> bool {
        let passed = self.changes.partition_point(|&(from, _)| from <= token);
        passed
            .checked_sub(1)
            .is_none_or(|last| self.changes[last].1)
    }
}

/// Returns the state that a pragma selects.
fn state(text: &str) -> Option<bool> {
    let mut words = text.split_whitespace();
    if words.next() != Some("pupc") {
        return None;
    }
    match words.next() {
        Some("on") => Some(true),
        Some("off") => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use upcc_grammar::parse;

    /// The names in a text at which instrumentation is on.
    fn on(text: &str) -> String {
        let stream = parse(text.to_owned()).stream;
        let regions = Regions::read(&stream);
        let names = (0..stream.program_len).filter(|&token| {
            stream.tokens[token as usize].kind == TokenKind::Ident && regions.on(token)
        });
        names
            .map(|token| stream.token_text(token))
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn a_block_ends_what_was_said_in_it() {
        let text = "int a;\nvoid f(void) {\n#pragma pupc off\nint b; { int c; }\n}\nint d;\n";
        assert_eq!(on(text), "a f d");
    }

    #[test]
    fn off_and_on_again() {
        let text = "#pragma pupc off\nint a;\nvoid f(void) { int b;\n#pragma pupc on\nint c;\n}\nint d;\n#pragma pupc on\nint e;\n";
        assert_eq!(on(text), "c e");
    }

    #[test]
    fn other_words_say_nothing() {
        assert_eq!(
            on("#pragma pupc maybe\nint a;\n_Pragma(\"pupc off\") int b;\n"),
            "a"
        );
    }
}
