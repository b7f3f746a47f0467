//! The user's selection of events: `--thread`, `--event`, `--line`, `--from`, `--to`.

use super::groups::{group_words, selected};
use super::model::{Event, Facts, KindId, SiteId, Tables};

/// The selection; empty lists select everything.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Threads.
    pub threads: Vec<u32>,
    /// Selected kinds by index; empty: all.
    kinds: Vec<bool>,
    /// Selected sites by index; empty: all.
    sites: Vec<bool>,
    /// The earliest time in nanoseconds since the start of the run.
    pub from: Option<u64>,
    /// The latest time, exclusive.
    pub to: Option<u64>,
}

impl Selection {
    /// Parses the words of the command line.
    ///
    /// # Errors
    /// A message for the user: an invalid number, or a kind of event or a place that is not in the recording.
    pub fn new(
        facts: &Facts,
        tables: &Tables,
        threads: &[String],
        events: &[String],
        lines: &[String],
    ) -> Result<Selection, String> {
        let mut selection = Selection::of_threads(facts, threads)?;
        if !events.is_empty() {
            selection.kinds = vec![false; tables.kinds.len()];
        }
        for word in events {
            let mut any = false;
            let word = word.strip_prefix("GASP_").unwrap_or(word);
            let groups = selected(word);
            for (kind, chosen) in tables.kinds.iter().zip(&mut selection.kinds) {
                let short = kind.name.strip_prefix("UPC_").unwrap_or(&kind.name);
                if kind.name.eq_ignore_ascii_case(word)
                    || short.eq_ignore_ascii_case(word) && groups.is_empty()
                    || groups.contains(&kind.group)
                {
                    *chosen = true;
                    any = true;
                }
            }
            if !any {
                return Err(format!(
                    "--event: no event is called `{word}`: give a name such as UPC_GET, the name of an event of your own, or one of {}",
                    group_words()
                ));
            }
        }
        if !lines.is_empty() {
            selection.sites = vec![false; tables.sites.len()];
        }
        for word in lines {
            selection.line(tables, word)?;
        }
        Ok(selection)
    }

    /// Parses the words of `--thread` alone.
    ///
    /// # Errors
    /// A message for the user: a thread that the run does not have.
    pub fn of_threads(facts: &Facts, words: &[String]) -> Result<Selection, String> {
        let mut selection = Selection::default();
        for word in words {
            selection.threads.extend(range(word, facts.threads)?);
        }
        Ok(selection)
    }

    /// Parses `FILE`, `FILE:LINE` or `LINE`.
    fn line(&mut self, tables: &Tables, word: &str) -> Result<(), String> {
        let (file, line) = match word.rsplit_once(':') {
            Some((file, line)) if line.parse::<u32>().is_ok() => (Some(file), line.parse().ok()),
            _ => match word.parse::<u32>() {
                Ok(line) => (None, Some(line)),
                Err(_) => (Some(word), None),
            },
        };
        let mut any = false;
        for (site, chosen) in tables.sites.iter().zip(&mut self.sites).skip(1) {
            let path = tables.text(site.file);
            let same_file = file.is_none_or(|file| {
                path == file
                    || path
                        .strip_suffix(file)
                        .is_some_and(|rest| rest.ends_with('/'))
            });
            if same_file && line.is_none_or(|line: u32| line == site.line) {
                *chosen = true;
                any = true;
            }
        }
        match any {
            true => Ok(()),
            false => Err(format!("--line: no event has the place `{word}`")),
        }
    }

    /// Returns whether a thread is selected.
    pub fn thread(&self, thread: u32) -> bool {
        self.threads.is_empty() || self.threads.contains(&thread)
    }

    /// Returns the selected thread, if there is only one.
    pub fn only_thread(&self) -> Option<u32> {
        match self.threads[..] {
            [thread] => Some(thread),
            _ => None,
        }
    }

    /// Returns whether events of this kind and place are selected.
    pub fn what(&self, kind: KindId, site: SiteId) -> bool {
        let chosen =
            |list: &[bool], at: u32| list.is_empty() || list.get(at as usize) == Some(&true);
        chosen(&self.kinds, kind.0) && chosen(&self.sites, site.0)
    }

    /// Returns whether an event is selected.
    pub fn event(&self, event: &Event) -> bool {
        self.thread(event.thread)
            && self.what(event.kind, event.site)
            && self.from.is_none_or(|from| event.time >= from)
            && self.to.is_none_or(|to| event.time < to)
    }
}

/// Parses the threads `3` or `0-7`.
fn range(word: &str, threads: u32) -> Result<std::ops::RangeInclusive<u32>, String> {
    let (from, to) = word.split_once('-').unwrap_or((word, word));
    let range = from.parse().ok().zip(to.parse().ok());
    let range = range.filter(|(from, to)| from <= to && *to < threads);
    match range {
        Some((from, to)) => Ok(from..=to),
        None => Err(format!(
            "--thread: `{word}`: the run has threads 0 to {}",
            threads.saturating_sub(1)
        )),
    }
}
