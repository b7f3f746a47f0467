//! The findings of `upcprof analyze`, each with a moment at which it can be seen in the timeline.

use super::paths::short;
use crate::prof::analyze::{self, Analysis, LEAST_SHARE, critical_share};
use crate::prof::model::{Recording, SiteId, Tables};
use crate::prof::names::shown;
use crate::prof::pairs::Span;
use crate::prof::table::time;
use hashbrown::HashMap;
use serde::Serialize;

/// When and where something happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Moment {
    /// The thread that spent the time.
    pub thread: u32,
    /// Nanoseconds since the start of the run.
    pub from: u64,
    /// See `from`.
    pub to: u64,
}

/// The longest span of each place.
#[derive(Default)]
pub struct Moments(HashMap<SiteId, Moment>);

impl Moments {
    /// Takes a span of any thread.
    pub fn span(&mut self, span: &Span) {
        let moment = Moment {
            thread: span.thread,
            from: span.start,
            to: span.end,
        };
        let longest = self.0.entry(span.site).or_insert(moment);
        if moment.to - moment.from > longest.to - longest.from {
            *longest = moment;
        }
    }
}

/// A finding as data of the page.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// The name of its kind, what the kind is, and the page of `--explain`.
    pub kind: &'static str,
    /// See `kind`.
    pub title: &'static str,
    /// See `kind`.
    pub explanation: &'static str,
    /// `file:line`.
    pub place: String,
    /// Its file and line; `None`: no place of the program.
    pub file: Option<String>,
    /// See `file`.
    pub line: u32,
    /// Where the line has several accesses: the column; and the loop of the user around it.
    pub inside: Option<String>,
    /// The shared object that it is about.
    pub array: Option<String>,
    /// The thread that causes it.
    pub thread: Option<u32>,
    /// The part of the thread time in percent, and the time with its unit.
    pub share: String,
    /// See `share`.
    pub cost: String,
    /// The time of the critical path that it is about, in words.
    pub critical: String,
    /// Whether it costs enough to be shown at first.
    pub is_large: bool,
    /// What happens, what was measured, what to try.
    pub what: String,
    /// See `what`.
    pub why: Vec<String>,
    /// See `what`.
    pub advice: String,
    /// The longest event at its place.
    pub moment: Option<Moment>,
}

/// Says at which column of its line a finding is, and in which loop.
fn inside(tables: &Tables, site: SiteId) -> Option<String> {
    let column = tables.column(site).map(|column| format!("column {column}"));
    let parts: Vec<String> = column
        .into_iter()
        .chain(analyze::loop_around(tables, site))
        .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Says what a finding is on the critical path.
fn critical(analysis: &Analysis, finding: &analyze::Finding) -> String {
    match analysis.critical.of(finding) {
        0 => "not on the critical path".to_owned(),
        on_path => format!(
            "{:.1} % of the critical path",
            critical_share(analysis, on_path)
        ),
    }
}

/// Returns the findings of an analysis, the costliest first.
pub fn findings(of: &dyn Recording, analysis: &Analysis, moments: &Moments) -> Vec<Finding> {
    let tables = of.tables();
    let one = |finding: &analyze::Finding| {
        let described = finding.kind.described();
        let site = tables.site(finding.site).filter(|site| site.line > 0);
        let file = site.map(|site| short(tables.text(site.file)));
        let line = site.map_or(0, |site| site.line);
        let object = finding
            .object
            .and_then(|object| tables.objects.get(object.0 as usize));
        let share = analyze::share(analysis, finding);
        Finding {
            kind: described.name,
            title: described.title,
            explanation: described.page,
            place: match &file {
                Some(file) => format!("{file}:{line}"),
                None => "the end of the program".to_owned(),
            },
            file,
            line,
            inside: inside(tables, finding.site),
            array: object.map(|object| short(tables.text(object.name))),
            thread: finding.thread,
            share: format!("{share:.1}"),
            cost: time(finding.cost),
            critical: critical(analysis, finding),
            is_large: share >= LEAST_SHARE,
            what: shown(&finding.what).into_owned(),
            why: finding
                .why
                .iter()
                .map(|why| shown(why).into_owned())
                .collect(),
            advice: shown(&finding.advice).into_owned(),
            moment: moments.0.get(&finding.site).copied(),
        }
    };
    analysis.findings.iter().map(one).collect()
}
