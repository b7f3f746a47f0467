//! Makes text from sources, files and other programs safe for a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Returns the text with control characters other than newline and tab in visible form (`\x1b`), so that no name,
/// source line or message of another program can send commands to the user's terminal.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(commands) {
        return Cow::Borrowed(text);
    }
    let mut visible = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        push_visible(&mut visible, letter);
    }
    Cow::Owned(visible)
}

/// As [`printable`], but keeps colours, for the output of a C compiler that was asked to use them.
#[must_use]
pub fn printable_with_colors(text: &str) -> Cow<'_, str> {
    if !text.contains(commands) {
        return Cow::Borrowed(text);
    }
    let mut visible = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let color = color_length(rest);
        let length = if color > 0 { color } else { letter.len_utf8() };
        match color {
            0 => push_visible(&mut visible, letter),
            _ => visible.push_str(&rest[..color]),
        }
        rest = &rest[length..];
    }
    Cow::Owned(visible)
}

/// As [`printable`], with control characters in the form of a JSON string.
#[must_use]
pub fn printable_json(text: &str) -> Cow<'_, str> {
    if !text.contains(commands) {
        return Cow::Borrowed(text);
    }
    let mut visible = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if commands(letter) {
            // Writing to a string cannot fail.
            let _ = write!(visible, "\\u{:04x}", u32::from(letter));
        } else {
            visible.push(letter);
        }
    }
    Cow::Owned(visible)
}

/// True for a character that a terminal treats as a command. This includes a carriage return, which overwrites the text
/// before it in the line.
fn commands(letter: char) -> bool {
    letter.is_control() && !matches!(letter, '\n' | '\t')
}

fn push_visible(visible: &mut String, letter: char) {
    if commands(letter) {
        // Writing to a string cannot fail.
        let _ = write!(visible, "\\x{:02x}", u32::from(letter));
    } else {
        visible.push(letter);
    }
}

/// Length in bytes of the colour command (`ESC [ 01;31 m`) at the start of `text`, or of `ESC [ K`, which C compilers
/// send after each; 0 if there is neither.
fn color_length(text: &str) -> usize {
    let Some(body) = text.strip_prefix("\x1b[") else {
        return 0;
    };
    let numbers = body
        .bytes()
        .take_while(|byte| byte.is_ascii_digit() || *byte == b';')
        .count();
    match body.as_bytes().get(numbers) {
        Some(b'm') => 2 + numbers + 1,
        Some(b'K') if numbers == 0 => 3,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_become_visible() {
        for (text, visible) in [
            ("plain é\tx\n", "plain é\tx\n"),
            ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
            ("a\rb\u{9b}2J\x7f\0", "a\\x0db\\x9b2J\\x7f\\x00"),
            ("\x1b[31mred\x1b[m\x1b[K", "\\x1b[31mred\\x1b[m\\x1b[K"),
        ] {
            assert_eq!(printable(text), visible);
        }
    }

    #[test]
    fn colors_stay_where_they_are_asked_for() {
        for (text, visible) in [
            (
                "\x1b[01;31m\x1b[Kerror:\x1b[m",
                "\x1b[01;31m\x1b[Kerror:\x1b[m",
            ),
            ("\x1b[2J\x1b[1;1H\x1b[8", "\\x1b[2J\\x1b[1;1H\\x1b[8"),
            ("\x1b", "\\x1b"),
        ] {
            assert_eq!(printable_with_colors(text), visible);
        }
    }

    #[test]
    fn json_stays_json() {
        let text = "{\"a\": \"\x1b\u{9b}\"}\n";
        assert_eq!(printable_json(text), "{\"a\": \"\\u001b\\u009b\"}\n");
    }
}
