//! Command lines in the style of C compilers, driven by a table: one row an option, from which parsing and `--help` derive.
//!
//! The style (`-O3`, `-Dx=y`, `-T=4`, `-T 4`, `-T4`, `-network=smp`, `--network smp`) is no getopt grammar, so no such library fits.
//! Names of several letters take one or two dashes, names of one letter take one.

use super::exit::Failure;
use std::collections::VecDeque;
use std::fmt::Write as _;

/// How the value of an option is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `-c`
    Flag,
    /// `-Wall`, also without anything behind the name.
    Joined,
    /// `-o FILE`
    Separate,
    /// `-Idir`, `-I dir`
    JoinedOrSeparate,
    /// `-std=gnu11`, `-std gnu11`
    Value,
    /// `-pthreads`, `-pthreads=4`
    Optional,
    /// `-T4`, `-T=4`, `-T 4`
    Any,
}

/// An option as found on the command line.
#[derive(Debug, PartialEq, Eq)]
pub struct Hit {
    /// The arguments as typed: one or two.
    pub typed: Vec<String>,
    /// The value; empty if the option has none.
    pub value: String,
}

/// What an option does to the state `T` of the command line.
pub type Apply<T> = fn(&mut T, &Hit) -> Result<(), Failure>;

/// One row of an option table.
pub struct OptSpec<T: 'static> {
    /// Names without dashes, the usual one first.
    pub names: &'static [&'static str],
    /// How the value is given.
    pub form: Form,
    /// The value in the help text, such as `FILE`.
    pub value: &'static str,
    /// Section of the help text.
    pub section: &'static str,
    /// What it does.
    pub apply: Apply<T>,
    /// One line of help; empty: not listed.
    pub help: &'static str,
}

/// One thing on the command line.
pub enum Arg<T: 'static> {
    /// An option of the table.
    Option(&'static OptSpec<T>, Hit),
    /// A file, or whatever has no dash. `-` counts.
    Plain(String),
    /// `--`
    Dashes,
}

/// Takes the next thing off the front of `args`. `None` at the end.
///
/// # Errors
/// A usage failure for an option that no row of `table` fits, or whose value is missing.
pub fn next<T>(
    table: &'static [OptSpec<T>],
    args: &mut VecDeque<String>,
) -> Result<Option<Arg<T>>, Failure> {
    let Some(typed) = args.pop_front() else {
        return Ok(None);
    };
    if typed == "--" {
        return Ok(Some(Arg::Dashes));
    }
    let Some(body) = typed.strip_prefix('-').filter(|body| !body.is_empty()) else {
        return Ok(Some(Arg::Plain(typed)));
    };
    let Some((spec, name, body)) = best(table, body) else {
        return Err(Failure::usage(format!(
            "unknown option `{typed}`{}",
            suggestion(table, body)
        )));
    };
    let rest = &body[name.len()..];
    let glued = match spec.form {
        Form::Flag => Some(String::new()),
        Form::Joined => Some(rest.to_owned()),
        Form::Optional => Some(rest.trim_start_matches('=').to_owned()),
        Form::Separate => None,
        Form::JoinedOrSeparate => (!rest.is_empty()).then(|| rest.to_owned()),
        Form::Value | Form::Any => {
            (!rest.is_empty()).then(|| rest.strip_prefix('=').unwrap_or(rest).to_owned())
        }
    };
    let hit = match glued {
        Some(value) => Hit {
            typed: vec![typed],
            value,
        },
        None => {
            let missing =
                || Failure::usage(format!("option `{typed}` needs a value ({})", spec.value));
            let value = args.pop_front().ok_or_else(missing)?;
            Hit {
                typed: vec![typed, value.clone()],
                value,
            }
        }
    };
    Ok(Some(Arg::Option(spec, hit)))
}

/// The row with the longest name that fits `body`, the name, and the body without a second dash.
fn best<'b, T>(
    table: &'static [OptSpec<T>],
    body: &'b str,
) -> Option<(&'static OptSpec<T>, &'static str, &'b str)> {
    let (body, two_dashes) = match body.strip_prefix('-') {
        Some(rest) => (rest, true),
        None => (body, false),
    };
    table
        .iter()
        .flat_map(|spec| spec.names.iter().map(move |&name| (spec, name)))
        .filter(|(spec, name)| (!two_dashes || name.len() > 1) && fits(spec.form, name, body))
        .max_by_key(|(_, name)| name.len())
        .map(|(spec, name)| (spec, name, body))
}

/// Whether `body` is a spelling of an option `name` of this form.
fn fits(form: Form, name: &str, body: &str) -> bool {
    let Some(rest) = body.strip_prefix(name) else {
        return false;
    };
    match form {
        Form::Flag | Form::Separate => rest.is_empty(),
        Form::Joined | Form::JoinedOrSeparate | Form::Any => true,
        Form::Value | Form::Optional => rest.is_empty() || rest.starts_with('='),
    }
}

/// `; did you mean ...?` if some listed name is close.
fn suggestion<T>(table: &[OptSpec<T>], body: &str) -> String {
    let typed = body
        .trim_start_matches('-')
        .split('=')
        .next()
        .unwrap_or_default();
    let close = |name: &str| {
        name.len() > 2 && typed.len() > 2 && (name.starts_with(typed) || typed.starts_with(name))
    };
    let found = table
        .iter()
        .flat_map(|spec| spec.names)
        .find(|name| close(name));
    found
        .map(|name| format!("; did you mean `-{name}`?"))
        .unwrap_or_default()
}

/// Help text: the rows that have help, by section in order of first appearance.
pub fn help<T>(table: &[OptSpec<T>]) -> String {
    let mut text = String::new();
    let mut sections: Vec<&str> = Vec::new();
    for spec in table {
        if !spec.help.is_empty() && !sections.contains(&spec.section) {
            sections.push(spec.section);
        }
    }
    for section in sections {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\n{section}:");
        for spec in table
            .iter()
            .filter(|spec| spec.section == section && !spec.help.is_empty())
        {
            let left = spelled(spec);
            let gap = if left.len() > 24 {
                "\n                          "
            } else {
                ""
            };
            let _ = writeln!(text, "  {left:24}{gap}{}", spec.help);
        }
    }
    text
}

/// All names of a row, each with its value, as the help shows them.
fn spelled<T>(spec: &OptSpec<T>) -> String {
    let spell = |name: &&str| {
        let dashes = if matches!(*name, "help" | "version" | "run" | "emit") {
            "--"
        } else {
            "-"
        };
        let value = spec.value;
        match spec.form {
            _ if value.is_empty() => format!("{dashes}{name}"),
            Form::Flag | Form::Joined => format!("{dashes}{name}{value}"),
            Form::Separate | Form::JoinedOrSeparate => format!("{dashes}{name} {value}"),
            Form::Value | Form::Any => format!("{dashes}{name}={value}"),
            Form::Optional => format!("{dashes}{name}[={value}]"),
        }
    };
    spec.names.iter().map(spell).collect::<Vec<_>>().join(", ")
}
