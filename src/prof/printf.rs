//! Formats the arguments of the user's events by the events' formats, as printf(3) does.

use super::model::{Arg, Tables};
use std::fmt::Write as _;

/// A conversion, `%-8.3f`.
#[derive(Default)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    /// The size of an integer in bytes, from its length modifier.
    bytes: u32,
}

/// Larger widths and precisions are limited to this.
const WIDEST: usize = 4096;

/// Appends the arguments formatted by `format`. The text from the first conversion without an argument on is left out.
/// A conversion that does not fit its argument prints it in a default format.
pub fn push_formatted(text: &mut String, tables: &Tables, format: &str, args: &[Arg]) {
    let mut args = args.iter();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(behind) = rest.strip_prefix('%') {
            text.push('%');
            rest = behind;
            continue;
        }
        let mut spec = Spec::default();
        let Some(conversion) = parse(&mut rest, &mut spec, &mut args) else {
            return;
        };
        let Some(arg) = args.next() else { return };
        let done = convert(&spec, conversion, arg, tables);
        pad(text, &spec, &done, conversion);
    }
    text.push_str(rest);
}

/// Parses the text after a percent sign. Returns `None` if the format ends in it.
fn parse(rest: &mut &str, spec: &mut Spec, args: &mut std::slice::Iter<'_, Arg>) -> Option<char> {
    spec.bytes = 4;
    loop {
        let c = rest.chars().next()?;
        match c {
            '-' => spec.left = true,
            '+' => spec.plus = true,
            ' ' => spec.space = true,
            '#' => spec.alternate = true,
            '0' => spec.zero = true,
            _ => break,
        }
        *rest = &rest[1..];
    }
    if let Some(width) = number(rest, args) {
        spec.left |= width < 0;
        spec.width = (width.unsigned_abs() as usize).min(WIDEST);
    }
    if let Some(behind) = rest.strip_prefix('.') {
        *rest = behind;
        let precision = number(rest, args).unwrap_or(0);
        spec.precision = usize::try_from(precision)
            .ok()
            .map(|precision| precision.min(WIDEST));
    }
    loop {
        let c = rest.chars().next()?;
        *rest = &rest[c.len_utf8()..];
        match c {
            'h' => spec.bytes = (spec.bytes / 2).max(1),
            'l' | 'q' | 'j' | 'z' | 't' | 'L' => spec.bytes = 8,
            conversion => return Some(conversion),
        }
    }
}

/// Parses a number, or `*` for the next argument.
fn number(rest: &mut &str, args: &mut std::slice::Iter<'_, Arg>) -> Option<i64> {
    if let Some(behind) = rest.strip_prefix('*') {
        *rest = behind;
        return args.next().and_then(integer);
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (number, behind) = rest.split_at(digits);
    *rest = behind;
    number.parse().ok()
}

fn integer(arg: &Arg) -> Option<i64> {
    match arg {
        Arg::Int(int) => Some(*int),
        Arg::Size(number) | Arg::Address(number) => Some(*number as i64),
        Arg::Unknown | Arg::Shared(_) | Arg::Text(_) | Arg::Real(_) => None,
    }
}

/// A converted argument: the text before padding zeros, and the rest.
struct Converted {
    sign: String,
    body: String,
}

fn convert(spec: &Spec, conversion: char, arg: &Arg, tables: &Tables) -> Converted {
    let plain = |body: String| Converted {
        sign: String::new(),
        body,
    };
    match (conversion, arg, integer(arg)) {
        ('d' | 'i', _, Some(int)) => {
            let int = truncated(int, spec.bytes);
            signed(spec, int < 0, digits(spec, int.unsigned_abs().to_string()))
        }
        ('u' | 'o' | 'x' | 'X', _, Some(int)) => {
            let mask = u64::MAX >> (64 - 8 * spec.bytes);
            let value = int as u64 & mask;
            let (prefix, text) = match conversion {
                'u' => ("", value.to_string()),
                'o' => ("0", format!("{value:o}")),
                'x' => ("0x", format!("{value:x}")),
                _ => ("0X", format!("{value:X}")),
            };
            let prefix = if spec.alternate && value != 0 {
                prefix
            } else {
                ""
            };
            Converted {
                sign: prefix.to_owned(),
                body: digits(spec, text),
            }
        }
        ('c', _, Some(int)) => plain(char::from(int as u8).to_string()),
        ('p', _, Some(0)) => plain("(nil)".to_owned()),
        ('p', _, Some(int)) => plain(format!("{int:#x}")),
        ('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A', Arg::Real(real), _) => signed(
            spec,
            real.is_sign_negative(),
            float(spec, conversion, real.abs()),
        ),
        ('s', Arg::Text(id), _) => {
            let all = tables.text(*id);
            plain(
                all.chars()
                    .take(spec.precision.unwrap_or(usize::MAX))
                    .collect(),
            )
        }
        (_, Arg::Text(id), _) => plain(tables.text(*id).to_owned()),
        (_, Arg::Real(real), _) => plain(real.to_string()),
        (_, _, Some(int)) => plain(int.to_string()),
        (_, _, None) => plain("?".to_owned()),
    }
}

/// Truncates an integer to a C type of this number of bytes.
fn truncated(int: i64, bytes: u32) -> i64 {
    let shift = 64 - 8 * bytes;
    int << shift >> shift
}

fn digits(spec: &Spec, digits: String) -> String {
    match spec.precision {
        Some(precision) => format!("{digits:0>precision$}"),
        None => digits,
    }
}

fn signed(spec: &Spec, negative: bool, body: String) -> Converted {
    let sign = match (negative, spec.plus, spec.space) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        (..) => "",
    };
    Converted {
        sign: sign.to_owned(),
        body,
    }
}

fn float(spec: &Spec, conversion: char, real: f64) -> String {
    let precision = spec.precision.unwrap_or(6);
    let text = match conversion.to_ascii_lowercase() {
        _ if real.is_nan() => "nan".to_owned(),
        _ if real.is_infinite() => "inf".to_owned(),
        'f' => format!("{real:.precision$}"),
        'e' => exponential(real, precision),
        // Hexadecimal floating-point numbers are printed as the shortest exact decimal.
        'a' => format!("{real}"),
        _ => general(spec, real, precision.max(1)),
    };
    match conversion.is_ascii_uppercase() {
        true => text.to_ascii_uppercase(),
        false => text,
    }
}

/// Formats `1.5e+03`, with at least two digits of exponent.
fn exponential(real: f64, precision: usize) -> String {
    let text = format!("{real:.precision$e}");
    let Some((mantissa, exponent)) = text.split_once('e') else {
        return text;
    };
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    format!("{mantissa}e{sign}{exponent:0>2}")
}

/// Returns the shorter of both forms, without trailing zeros.
fn general(spec: &Spec, real: f64, precision: usize) -> String {
    let scientific = exponential(real, precision - 1);
    let exponent = scientific
        .split_once('e')
        .and_then(|(_, exponent)| exponent.parse::<i64>().ok());
    let exponent = exponent.unwrap_or(0);
    let small = |text: &str| match text.contains('.') && !spec.alternate {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if exponent < -4 || exponent >= precision as i64 {
        let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "+00"));
        return format!("{}e{exponent}", small(mantissa));
    }
    let places = (precision as i64 - 1 - exponent).max(0) as usize;
    small(&format!("{real:.places$}"))
}

fn pad(text: &mut String, spec: &Spec, done: &Converted, conversion: char) {
    let length = done.sign.chars().count() + done.body.chars().count();
    let fill = spec.width.saturating_sub(length);
    let integer_with_precision = spec.precision.is_some() && "diuoxX".contains(conversion);
    let zeros = spec.zero && !spec.left && !integer_with_precision && !"cs".contains(conversion);
    let (before, zeros, behind) = match (spec.left, zeros) {
        (true, _) => (0, 0, fill),
        (false, true) => (0, fill, 0),
        (false, false) => (fill, 0, 0),
    };
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "{:before$}{}{:0>zeros$}{}{:behind$}",
        "", done.sign, "", done.body, ""
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prof::model::TextId;

    #[test]
    fn formats_are_those_of_printf() {
        let tables = Tables {
            texts: vec![String::new(), "go".to_owned()],
            ..Tables::default()
        };
        let (int, real, word) = (Arg::Int, Arg::Real, Arg::Text(TextId(1)));
        #[rustfmt::skip]
        let cases: &[(&str, &[Arg], &str)] = &[
            ("i=%d x=%.2f %s", &[int(7), real(0.5), word], "i=7 x=0.50 go"),
            ("100%% of %zu", &[Arg::Size(12)], "100% of 12"),
            ("%5d|%-5d|%05d|%+d|% d", &[int(42), int(42), int(-42), int(42), int(42)], "   42|42   |-0042|+42| 42"),
            ("%x %#X %o %u", &[int(255), int(255), int(8), int(-1)], "ff 0XFF 10 4294967295"),
            ("%lu %hhd %.3d", &[int(-1), int(300), int(7)], "18446744073709551615 44 007"),
            ("%e %g %g %g %G", &[real(12345.678), real(0.0001), real(1e10), real(100.0), real(1e-10)], "1.234568e+04 0.0001 1e+10 100 1E-10"),
            ("%8.3f|%-8.1f|%08.2f", &[real(2.71728), real(2.5), real(-1.5)], "   2.717|2.5     |-0001.50"),
            ("%c %p %p", &[int(65), Arg::Address(0), Arg::Address(0x10)], "A (nil) 0x10"),
            ("%5s|%-4s|%.1s", &[word, word, word], "   go|go  |g"),
            ("%*d|%.*f", &[int(4), int(1), int(1), real(0.25)], "   1|0.2"),
            ("%d and %d", &[int(1)], "1 and "),
            ("%d %s", &[word, int(3)], "go 3"),
            ("%f %F", &[real(f64::INFINITY), real(f64::NAN)], "inf NAN"),
            ("end %", &[int(1)], "end "),
            ("%99999999999999999999d", &[int(1)], "1"),
            ("", &[int(1)], ""),
        ];
        for (format, args, expected) in cases {
            let mut text = String::new();
            push_formatted(&mut text, &tables, format, args);
            assert_eq!(text, *expected, "{format}");
        }
    }
}
