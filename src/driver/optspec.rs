//! Command lines in the style of C compilers, driven by a table: one row per option, from which spelling, checking and
//! `--help` derive.
//!
//! This module decides how options may be spelled (`-O3`, `-Dx=y`, `-T=4`, `-T 4`, `-T4`, `-network=smp`,
//! `--network smp`): names of several letters take one or two dashes, names of one letter take one, except those of a
//! number (`--T=4`). Typed options are converted to one canonical form, `--name=value`, which a [`clap::Command`] made from the same table checks.

use crate::cli::{Exit, Failure};
use clap::builder::PossibleValuesParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command};
use std::collections::VecDeque;

/// How the value of an option is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `--help`, `--help=all`: answered by clap.
    Help,
    /// `--version`: answered by clap.
    Version,
    /// `-c`
    Flag,
    /// `-Wall`; the value may be empty.
    Joined,
    /// `-o FILE`
    Separate,
    /// `-Idir`, `-I dir`
    JoinedOrSeparate,
    /// `-std=gnu11`, `-std gnu11`
    Value,
    /// `-save-temps`, `-save-temps=obj`
    Optional,
    /// `-pthreads`, `-pthreads=4`, and `-pthreads 4`: a number that follows is the value.
    OptionalNumber,
    /// `-T4`, `-T=4`, `-T 4`, `--T=4`, `--T 4`. A letter cannot follow the name: `-noopt` is not `-n oopt`.
    Any,
    /// `--explain E0500`, `--explain=E0500`, or no value if nothing but other options follows.
    OptionalValue,
}

/// An option as found on the command line.
#[derive(Debug, PartialEq, Eq)]
pub struct Hit {
    /// The one or two arguments as typed.
    pub typed: Vec<String>,
    /// The value; empty if the option has no value.
    pub value: String,
}

/// The effect of an option on the state `T` of the command line.
pub type Apply<T> = fn(&mut T, &Hit) -> Result<(), Failure>;

/// One row of an option table.
pub struct OptSpec<T: 'static> {
    /// Names without dashes, the usual one first.
    pub names: &'static [&'static str],
    /// How the value is given.
    pub form: Form,
    /// The value in the help text, such as `FILE`. Lower-case words separated by bars are the only values allowed.
    pub value: &'static str,
    /// Section of the help text.
    pub section: &'static str,
    /// The option's effect.
    pub apply: Apply<T>,
    /// One line of help; empty: not listed.
    pub help: &'static str,
}

/// One element of the command line.
pub enum Word<T: 'static> {
    /// An option of the table, with the name it was given by.
    Option(&'static OptSpec<T>, &'static str, Hit),
    /// An option of the table without its required value.
    NoValue(&'static str),
    /// An unknown word in the form of an option.
    Unknown(String),
    /// A file, or any word without a dash. `-` is included.
    Plain(String),
    /// `--`
    Dashes,
}

impl<T> Word<T> {
    /// Returns the value, if this is the option whose first name is `name`.
    pub fn value_of(&self, name: &str) -> Option<&str> {
        match self {
            Word::Option(spec, _, hit) if spec.names[0] == name => Some(&hit.value),
            Word::Option(..)
            | Word::NoValue(_)
            | Word::Unknown(_)
            | Word::Plain(_)
            | Word::Dashes => None,
        }
    }

    /// Returns whether an option that asks for help asks for the full help; `None` for other options.
    pub fn asks_help(&self) -> Option<bool> {
        match self {
            Word::Option(spec, _, hit) if spec.form == Form::Help => Some(hit.value == "all"),
            Word::Option(..)
            | Word::NoValue(_)
            | Word::Unknown(_)
            | Word::Plain(_)
            | Word::Dashes => None,
        }
    }

    /// Returns the form that clap reads.
    fn canonical(&self) -> String {
        match self {
            Word::Option(spec, name, hit) => match spec.form {
                Form::Flag | Form::Help | Form::Version => dashed(name),
                Form::Optional | Form::OptionalNumber | Form::OptionalValue
                    if hit.value.is_empty() =>
                {
                    dashed(name)
                }
                Form::Joined
                | Form::Separate
                | Form::JoinedOrSeparate
                | Form::Value
                | Form::Optional
                | Form::OptionalNumber
                | Form::OptionalValue
                | Form::Any => format!("{}={}", dashed(name), hit.value),
            },
            Word::NoValue(name) => dashed(name),
            Word::Unknown(typed) => format!("--{}", typed.trim_start_matches('-')),
            Word::Plain(name) => name.clone(),
            Word::Dashes => "--".to_owned(),
        }
    }
}

/// Returns a name as clap spells it.
fn dashed(name: &str) -> String {
    let dashes = if name.len() == 1 { "-" } else { "--" };
    format!("{dashes}{name}")
}

/// Removes the next element from the front of `args`. Returns `None` at the end.
pub fn next<T>(table: &'static [OptSpec<T>], args: &mut VecDeque<String>) -> Option<Word<T>> {
    let typed = args.pop_front()?;
    if typed == "--" {
        return Some(Word::Dashes);
    }
    let Some(body) = typed.strip_prefix('-').filter(|body| !body.is_empty()) else {
        return Some(Word::Plain(typed));
    };
    let Some((spec, name, body)) = best(table, body) else {
        return Some(Word::Unknown(typed));
    };
    let rest = &body[name.len()..];
    let glued = match spec.form {
        Form::Flag | Form::Version => Some(String::new()),
        Form::Help => Some(rest.trim_start_matches('=').to_owned()),
        Form::Joined => Some(rest.to_owned()),
        Form::Optional => Some(rest.trim_start_matches('=').to_owned()),
        Form::OptionalNumber
            if !rest.is_empty() || !args.front().is_some_and(|next| is_number(next)) =>
        {
            Some(rest.trim_start_matches('=').to_owned())
        }
        Form::OptionalNumber | Form::Separate => None,
        Form::OptionalValue
            if !rest.is_empty() || args.front().is_none_or(|next| next.starts_with('-')) =>
        {
            Some(rest.trim_start_matches('=').to_owned())
        }
        Form::OptionalValue => None,
        Form::JoinedOrSeparate => (!rest.is_empty()).then(|| rest.to_owned()),
        Form::Value | Form::Any => {
            (!rest.is_empty()).then(|| rest.strip_prefix('=').unwrap_or(rest).to_owned())
        }
    };
    let (typed, value) = match glued {
        Some(value) => (vec![typed], value),
        None => match args.pop_front() {
            Some(value) => (vec![typed, value.clone()], value),
            None => return Some(Word::NoValue(name)),
        },
    };
    Some(Word::Option(spec, name, Hit { typed, value }))
}

/// Returns the row with the longest name that fits `body`, the name, and the body without a second dash.
fn best<'b, T>(
    table: &'static [OptSpec<T>],
    body: &'b str,
) -> Option<(&'static OptSpec<T>, &'static str, &'b str)> {
    let (body, two_dashes) = match body.strip_prefix('-') {
        Some(rest) => (rest, true),
        None => (body, false),
    };
    let dashes_fit = |form: Form, name: &str| {
        !two_dashes || name.len() > 1 || (form == Form::Any && !body[1..].starts_with(is_digit))
    };
    table
        .iter()
        .flat_map(|spec| spec.names.iter().map(move |&name| (spec, name)))
        .filter(|(spec, name)| fits(spec.form, name, body) && dashes_fit(spec.form, name))
        .max_by_key(|(_, name)| name.len())
        .map(|(spec, name)| (spec, name, body))
}

/// Returns whether `body` is a spelling of the option `name` of this form.
fn fits(form: Form, name: &str, body: &str) -> bool {
    let Some(rest) = body.strip_prefix(name) else {
        return false;
    };
    match form {
        Form::Flag | Form::Version | Form::Separate => rest.is_empty(),
        Form::Help => rest.is_empty() || rest == "=all",
        Form::Joined | Form::JoinedOrSeparate => true,
        Form::Any => !rest.starts_with(|c: char| c.is_ascii_alphabetic()),
        Form::Value | Form::Optional | Form::OptionalNumber | Form::OptionalValue => {
            rest.is_empty() || rest.starts_with('=')
        }
    }
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.chars().all(is_digit)
}

/// Adds the options of a table to a command.
pub fn command<T>(command: Command, table: &'static [OptSpec<T>]) -> Command {
    command
        .no_binary_name(true)
        .disable_help_flag(true)
        .disable_version_flag(true)
        .args_override_self(true)
        .args(table.iter().map(argument))
}

/// Returns the clap argument for a row.
fn argument<T>(spec: &'static OptSpec<T>) -> Arg {
    let mut arg = Arg::new(spec.names[0])
        .help(spec.help)
        .help_heading(spec.section)
        .hide(spec.help.is_empty());
    for (index, &name) in spec.names.iter().enumerate() {
        let mut letters = name.chars();
        arg = match (letters.next(), letters.next()) {
            (Some(letter), None) if index == 0 => arg.short(letter),
            (Some(letter), None) => arg.visible_short_alias(letter),
            _ if index == 0 => arg.long(name),
            _ => arg.visible_alias(name),
        };
    }
    let choices: Vec<&str> = spec.value.split('|').collect();
    let closed = spec.value.starts_with(|c: char| c.is_ascii_lowercase());
    if !spec.value.is_empty() {
        arg = arg.value_name(spec.value);
    }
    arg = match spec.form {
        Form::Help => return arg.action(ArgAction::Help),
        Form::Version => return arg.action(ArgAction::Version),
        Form::Flag => return arg.action(ArgAction::SetTrue),
        Form::Optional | Form::OptionalNumber | Form::OptionalValue => arg
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value(choices[0]),
        Form::Joined | Form::Separate | Form::JoinedOrSeparate | Form::Value | Form::Any => {
            arg.num_args(1)
        }
    };
    let arg = arg.action(ArgAction::Append);
    if closed {
        arg.value_parser(PossibleValuesParser::new(choices))
            .hide_possible_values(true)
    } else {
        arg
    }
}

/// Checks a command line. `others` has names that options have in other commands, and our name for them. Returns the answer to `--help` or `--version`, which is printed instead of running the
/// command.
///
/// # Errors
/// A usage failure: unknown option, missing value, or a value that is not allowed.
pub fn check<T>(
    command: Command,
    words: &[Word<T>],
    others: &[(&str, &str)],
) -> Result<Option<String>, Failure> {
    let Err(error) = command.try_get_matches_from(words.iter().map(Word::canonical)) else {
        return Ok(None);
    };
    let text = error.render().to_string();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Ok(Some(text)),
        ErrorKind::UnknownArgument => Err(unknown(&error, words, others)),
        // The only words with a value that the table did not take are those of options without one.
        ErrorKind::TooManyValues => Err(Failure::usage(format!(
            "`{}`: this option has no value",
            first_unknown(words).unwrap_or_default()
        ))),
        _ => {
            // The hints that clap adds on usage and help repeat `--help`.
            let text = text.split("\n\nUsage:").next().unwrap_or_default();
            let text = text.split("\n\nFor more").next().unwrap_or_default();
            let text = text.trim_start_matches("error: ").trim_end();
            Err(Failure {
                exit: Exit::Usage,
                message: text.to_owned(),
            })
        }
    }
}

/// Returns the first option that the table does not take, as typed.
fn first_unknown<T>(words: &[Word<T>]) -> Option<&str> {
    words.iter().find_map(|word| match word {
        Word::Unknown(typed) => Some(typed.as_str()),
        Word::Option(..) | Word::NoValue(_) | Word::Plain(_) | Word::Dashes => None,
    })
}

/// Returns the failure for an option that is in no table, as typed.
fn unknown<T>(error: &clap::Error, words: &[Word<T>], others: &[(&str, &str)]) -> Failure {
    let mut rest = words.iter();
    let typed = rest.find_map(|word| match word {
        Word::Unknown(typed) => Some(typed.as_str()),
        Word::Option(..) | Word::NoValue(_) | Word::Plain(_) | Word::Dashes => None,
    });
    let value = match rest.next() {
        Some(Word::Plain(value)) => Some(value.as_str()),
        _ => None,
    };
    let other = typed.and_then(|typed| other_name(typed, value, others));
    let suggested = match error.get(ContextKind::SuggestedArg) {
        Some(ContextValue::String(close)) => Some(close.clone()),
        _ => None,
    };
    let close = other.or(suggested);
    let close = close.map_or_else(String::new, |close| format!("; did you mean `{close}`?"));
    Failure::usage(format!(
        "unknown option `{}`{close}",
        typed.unwrap_or_default()
    ))
}

/// Returns our spelling of an option that other commands know by the typed name, with the number that is its value:
/// `-T 4` for `--threads=4`, `-t4`, and `-t` in front of the word `4`.
fn other_name(typed: &str, next: Option<&str>, others: &[(&str, &str)]) -> Option<String> {
    let name = typed.trim_start_matches('-');
    let (name, value) = match name.split_once('=') {
        Some((name, value)) => (name, value),
        None => {
            let end = name.find(|c: char| c.is_ascii_digit());
            name.split_at(end.unwrap_or(name.len()))
        }
    };
    let value = Some(value).filter(|value| !value.is_empty()).or(next);
    let value = value.filter(|value| is_number(value)).unwrap_or("N");
    let (_, ours) = others.iter().find(|(other, _)| *other == name)?;
    Some(format!("{ours} {value}"))
}
