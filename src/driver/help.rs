//! The help texts of the commands: help that fits a screen, full help, manual pages and completions, generated from the
//! option tables.

use super::optspec::{Form, OptSpec};
use crate::cli::Failure;
use clap::Command;
use clap_complete::Shell;
use std::io::Write as _;

/// Widest line of the short help.
const WIDTH: usize = 80;

/// Returns the short help: one line for each of the named options, between `head` and `foot`.
pub fn brief<T>(table: &[OptSpec<T>], names: &[&str], head: &str, foot: &str) -> String {
    let chosen = names
        .iter()
        .filter_map(|name| table.iter().find(|spec| spec.names[0] == *name));
    let lines: Vec<(String, &str)> = chosen.map(|spec| (usage(spec), spec.help)).collect();
    let column = lines
        .iter()
        .map(|(usage, _)| usage.len())
        .max()
        .unwrap_or(0)
        + 2;
    let mut text = format!("{head}\n");
    for (usage, help) in lines {
        let room = WIDTH.saturating_sub(column + 2);
        text.push_str(&format!("  {usage:column$}{}\n", shortened(help, room)));
    }
    text + foot + "\n"
}

/// Returns an option with its value as typed.
fn usage<T>(spec: &OptSpec<T>) -> String {
    let (name, value) = (spec.names[0], spec.value);
    match spec.form {
        Form::Flag | Form::Help | Form::Version => format!("-{name}"),
        Form::Joined => format!("-{name}[{value}]"),
        Form::Separate | Form::JoinedOrSeparate | Form::Any => format!("-{name} {value}"),
        Form::Value => format!("-{name}={value}"),
        Form::Optional | Form::OptionalNumber | Form::OptionalValue => {
            format!("-{name}[={value}]")
        }
    }
}

/// Returns at most `room` characters of the text: cut after its first part if it is longer.
fn shortened(text: &str, room: usize) -> &str {
    let mut cuts = text
        .match_indices([';', ':', ',', '('])
        .map(|(at, _)| text[..at].trim_end());
    match text.len() <= room {
        true => text,
        false => cuts.rfind(|part| part.len() <= room).unwrap_or_default(),
    }
}

/// Returns the command with only the options that help lists.
fn listed(command: &Command, name: &'static str) -> Command {
    let mut listed = Command::new(name)
        .disable_help_flag(true)
        .disable_version_flag(true)
        .args(
            command
                .get_arguments()
                .filter(|arg| !arg.is_hide_set())
                .cloned(),
        )
        .subcommands(command.get_subcommands().cloned());
    if let Some(version) = command.get_version() {
        listed = listed.version(version.to_owned());
    }
    if let Some(about) = command.get_about().map(ToString::to_string) {
        // A manual page has one line after the command's name.
        let first = about
            .lines()
            .next()
            .unwrap_or_default()
            .trim_end_matches('.');
        listed = listed.about(first.to_owned()).long_about(about);
    }
    if let Some(after) = command.get_after_help() {
        listed = listed.after_help(after.clone());
    }
    listed
}

/// Returns the manual page of a command, for man(1).
///
/// # Errors
/// None in practice: it is written to memory.
pub fn man(command: &Command, name: &'static str) -> Result<String, Failure> {
    let usage = command.clone().render_usage().to_string();
    let synopsis = usage.trim_start_matches("Usage: ").replace('-', "\\-");
    let page = clap_mangen::Man::new(listed(command, name)).manual("Unified Parallel C");
    let mut text = Vec::new();
    let written = page
        .render_title(&mut text)
        .and_then(|()| page.render_name_section(&mut text))
        .and_then(|()| text.write_all(format!(".SH SYNOPSIS\n{synopsis}\n").as_bytes()))
        .and_then(|()| page.render_description_section(&mut text))
        .and_then(|()| page.render_options_section(&mut text))
        .and_then(|()| match command.get_after_help() {
            Some(_) => page.render_extra_section(&mut text),
            None => Ok(()),
        });
    written.map_err(|error| Failure::environment(error.to_string()))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Returns the manual page of a command with subcommands, including the options of each.
///
/// # Errors
/// None in practice: it is written to memory.
pub fn man_with_commands(command: &Command, name: &'static str) -> Result<String, Failure> {
    let mut page = man(command, name)?;
    for sub in command.get_subcommands() {
        let mut text = Vec::new();
        clap_mangen::Man::new(sub.clone().disable_help_flag(true))
            .render_options_section(&mut text)
            .map_err(|error| Failure::environment(error.to_string()))?;
        let about = sub.get_about().map(ToString::to_string);
        let options = String::from_utf8_lossy(&text).replace(".SH OPTIONS", "");
        let title = format!("{name} {}", sub.get_name()).to_uppercase();
        page += &format!(".SH {title}\n{}\n{options}", about.unwrap_or_default());
    }
    Ok(page)
}

/// Returns the completions for a shell: bash, zsh or fish.
///
/// # Errors
/// A usage failure for any other name.
pub fn completions(command: &Command, name: &'static str, shell: &str) -> Result<String, Failure> {
    let shell = match shell {
        "bash" => Shell::Bash,
        "zsh" => Shell::Zsh,
        "fish" => Shell::Fish,
        other => {
            return Err(Failure::usage(format!(
                "no completions for `{other}`: choose bash, zsh or fish"
            )));
        }
    };
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut listed(command, name), name, &mut text);
    Ok(String::from_utf8_lossy(&text).into_owned())
}

#[cfg(test)]
mod tests {
    use crate::driver::settings::Options;
    use crate::driver::settings::Query;

    #[test]
    fn short_help_fits_a_screen() {
        let options = Options::parse(["--help".to_owned()]).unwrap();
        let Some(Query::Text(text)) = options.query else {
            panic!("no help")
        };
        assert!(text.lines().count() <= 24);
        assert!(
            text.lines()
                .all(|line| line.len() <= 80 && !line.ends_with(' '))
        );
    }

    #[test]
    fn every_name_of_the_short_help_is_an_option() {
        use crate::driver::option_table::{BRIEF, OPTIONS};
        for name in BRIEF {
            assert!(
                OPTIONS
                    .iter()
                    .any(|spec| spec.names[0] == *name && !spec.help.is_empty()),
                "{name}"
            );
        }
    }
}
