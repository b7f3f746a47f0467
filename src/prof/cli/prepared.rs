//! What predictions of a recording need, by the options that `upcprof predict` and `upcprof report` have.

use super::super::model::Recording;
use super::super::predict::{
    self, Blocks, Changes, Prediction, Scales, SourcesAsked, Target, Work,
};
use super::{flag, free_list, list, seconds, valued};
use crate::cli::Failure;
use crate::platform::Platform;
use clap::{Arg, ArgAction, ArgMatches};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Returns the options. `required`: the platform must be given.
pub(super) fn options(required: bool) -> [Arg; 6] {
    [
        valued(
            "platform",
            "FILE",
            "the costs of the platform, for predictions; several: what was measured at several times",
        )
        .action(ArgAction::Append)
        .required(required),
        valued(
            "time",
            "SECONDS",
            "what the recorded run takes when it is not recorded",
        ),
        flag(
            "weak",
            "more threads have more work, where the compiler does not know the counts",
        ),
        valued(
            "given",
            "NAME=N",
            "the value of a name in the formulas of upcc --emit=refs in the recorded run",
        )
        .action(ArgAction::Append),
        free_list(
            "refs",
            "FILE",
            "references that upcc --emit=refs-json has written".to_owned(),
        ),
        valued(
            "upcc-flags",
            "FLAGS",
            "flags with which upcc translates the sources",
        )
        .allow_hyphen_values(true),
    ]
}

/// Returns names and numbers.
pub(super) fn numbers(
    matches: &ArgMatches,
    option: &str,
) -> Result<BTreeMap<String, i64>, Failure> {
    let pairs = list(matches, option).into_iter().map(|word| {
        let pair = word.split_once('=');
        let number = pair.and_then(|(name, number)| Some((name, number.parse().ok()?)));
        let (name, number) =
            number.ok_or_else(|| Failure::usage(format!("--{option}: `{word}` is not NAME=N")))?;
        Ok((name.to_owned(), number))
    });
    pairs.collect()
}

/// Reads the files of the platform, which were measured at several times.
fn platform(matches: &ArgMatches) -> Result<Platform, Failure> {
    let files = list(matches, "platform");
    let wrong = |file: &str, why: &str| Failure::environment(format!("{file} {why}"));
    let read = |file: &String| {
        let path = Path::new(file);
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|error| Failure::io("read", path, &error))?;
        Platform::parse(&text).map_err(|why| wrong(file, &why))
    };
    let all = files.iter().map(read).collect::<Result<_, Failure>>()?;
    let joined = Platform::joined(all).map_err(|(place, why)| {
        let other = format!("is of another platform than {}: {why}", files[0]);
        wrong(&files[place], &other)
    })?;
    joined.ok_or_else(|| Failure::usage("give the costs of the platform with --platform FILE"))
}

/// What the compiler knows, for values of macros.
type Later = BTreeMap<Vec<String>, Rc<Work>>;

/// A recording that is ready for predictions.
pub(super) struct Prepared {
    platform: Platform,
    sources: SourcesAsked,
    pub(super) work: Work,
    later: RefCell<Later>,
    notes: RefCell<Vec<String>>,
    pub(super) blocks: Blocks,
    values: BTreeMap<String, i64>,
    pub(super) measured: Option<f64>,
    weak: bool,
}

impl Prepared {
    /// Reads what the options name.
    pub(super) fn new(of: &dyn Recording, matches: &ArgMatches) -> Result<Prepared, Failure> {
        let paths = |name| list(matches, name).into_iter().map(PathBuf::from).collect();
        let flags = matches.get_one::<String>("upcc-flags");
        let flags = shlex::split(flags.map_or("", String::as_str));
        let sources = SourcesAsked {
            files: paths("refs"),
            flags: flags.ok_or_else(|| Failure::usage("--upcc-flags: a quote is not closed"))?,
            folders: paths("source-dir"),
        };
        let (references, notes) = predict::references(of, &sources)?;
        Ok(Prepared {
            platform: platform(matches)?,
            sources,
            work: Work::new(of, references.as_ref()),
            later: RefCell::default(),
            notes: RefCell::new(notes),
            blocks: Blocks::new(of),
            values: numbers(matches, "given")?,
            measured: seconds(matches, "time")?.map(|time| time as f64),
            weak: matches.get_flag("weak"),
        })
    }

    /// What is unknown, in sentences.
    pub(super) fn notes(&self) -> Vec<String> {
        self.notes.borrow().clone()
    }

    /// The recording with what the compiler says if macros have the values of the changes.
    fn later(&self, of: &dyn Recording, changes: &Changes) -> Result<Option<Rc<Work>>, Failure> {
        let macros = changes.parameters.iter().filter(|(name, _)| is_name(name));
        let macros = macros.map(|(name, value)| format!("-D{name}={value}"));
        let macros: Vec<String> = macros.collect();
        if macros.is_empty() || !self.sources.files.is_empty() {
            return Ok(None);
        }
        if let Some(known) = self.later.borrow().get(&macros) {
            return Ok(Some(Rc::clone(known)));
        }
        let mut sources = self.sources.clone();
        sources.flags.extend(macros.iter().cloned());
        let (references, more) = predict::references(of, &sources)?;
        let mut notes = self.notes.borrow_mut();
        for note in more {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        let work = Rc::new(Work::new(of, references.as_ref()));
        self.later.borrow_mut().insert(macros, Rc::clone(&work));
        Ok(Some(work))
    }

    fn with<T>(
        &self,
        of: &dyn Recording,
        changes: &Changes,
        f: impl FnOnce(&Work, &Target<'_>) -> Result<T, String>,
    ) -> Result<T, Failure> {
        let later = self.later(of, changes)?;
        let target = Target {
            platform: &self.platform,
            network: None,
            was_cached: None,
            measured: self.measured,
            weak: self.weak,
            values: &self.values,
            later: later.as_deref(),
            blocks: &self.blocks,
        };
        f(&self.work, &target).map_err(Failure::environment)
    }

    /// Predicts the run with changes.
    pub(super) fn predict(
        &self,
        of: &dyn Recording,
        changes: &Changes,
    ) -> Result<Prediction, Failure> {
        self.with(of, changes, |work, target| {
            predict::predict(work, target, changes)
        })
    }

    /// How the recording becomes the run with changes.
    pub(super) fn scales(&self, of: &dyn Recording, changes: &Changes) -> Result<Scales, Failure> {
        self.with(of, changes, |work, target| {
            predict::scales(work, target, changes)
        })
    }
}

/// True for what can be a macro.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
