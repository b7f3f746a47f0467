//! Findings as text and as JSON.

use super::super::head;
use super::super::limits::Shown;
use super::super::model::Recording;
use super::super::names::shown;
use super::super::source::Sources;
use super::super::table::time;
use super::finding::{Described, Finding};
use super::{Analysis, Run};
use serde_json::{Value as Json, json};
use std::io::{self, Write};

/// The part of the thread time, in percent, below which a finding is not printed.
pub const LEAST_SHARE: f64 = 1.0;

/// Returns the part of the thread time in percent.
pub fn share(analysis: &Analysis, finding: &Finding) -> f64 {
    finding.cost as f64 * 100.0 / analysis.whole.max(1) as f64
}

/// Writes findings for a terminal, at most `top` of them.
///
/// # Errors
/// Those of `out`.
pub fn text(
    of: &dyn Recording,
    analysis: &Analysis,
    top: usize,
    sources: &mut Sources,
    out: &mut dyn Write,
) -> io::Result<()> {
    let run = run(of, analysis);
    for lack in &analysis.incomplete {
        writeln!(out, "incomplete: {}", shown(lack))?;
    }
    let large = |finding: &&Finding| share(analysis, finding) >= LEAST_SHARE;
    let findings: Vec<&Finding> = analysis.findings.iter().filter(large).collect();
    let small = analysis.findings.len() - findings.len();
    if findings.is_empty() {
        writeln!(
            out,
            "nothing found that costs {LEAST_SHARE} % of the thread time or more"
        )?;
    }
    for (number, finding) in findings.iter().take(top).enumerate() {
        one(&run, analysis, (number + 1, finding), sources, out)?;
    }
    if findings.len() > top {
        writeln!(
            out,
            "\n... {} more findings: --top=0 shows all",
            findings.len() - top
        )?;
    }
    if small > 0 {
        writeln!(
            out,
            "\n{small} more below {LEAST_SHARE} %: --format json has them"
        )?;
    }
    Ok(())
}

fn run<'r>(of: &'r dyn Recording, analysis: &Analysis) -> Run<'r> {
    Run {
        recording: of,
        threads: of.facts().threads,
        whole: analysis.whole,
    }
}

fn one(
    run: &Run,
    analysis: &Analysis,
    (number, finding): (usize, &Finding),
    sources: &mut Sources,
    out: &mut dyn Write,
) -> io::Result<()> {
    let described = finding.kind.described();
    if number > 1 {
        writeln!(out)?;
    }
    writeln!(
        out,
        "{number}. {}: {:.1} %, {} [{}]",
        shown(&run.place(finding.site)),
        share(analysis, finding),
        time(finding.cost),
        described.name
    )?;
    let tables = run.recording.tables();
    let source = tables.site(finding.site).and_then(|site| {
        let text = sources.line(tables.text(site.file), site.line)?;
        Some(text.to_owned())
    });
    if let Some(source) = source {
        writeln!(out, "   | {}", shown(&source))?;
    }
    writeln!(out, "   {}", shown(&finding.what))?;
    for why in &finding.why {
        writeln!(out, "   why: {}", shown(why))?;
    }
    writeln!(out, "   try: {}", shown(&finding.advice))
}

/// Returns the findings as JSON.
pub fn json(of: &dyn Recording, analysis: &Analysis) -> Json {
    let run = run(of, analysis);
    let tables = of.tables();
    let one = |finding: &Finding| {
        let site = tables.site(finding.site);
        let object = finding
            .object
            .and_then(|object| tables.objects.get(object.0 as usize));
        json!({
            "kind": finding.kind.described().name,
            "title": finding.kind.described().title,
            "file": site.map(|site| tables.text(site.file)),
            "line": site.map(|site| site.line),
            "place": run.place(finding.site),
            "object": object.map(|object| tables.text(object.name)),
            "thread": finding.thread,
            "cost_ns": finding.cost,
            "cost_percent": share(analysis, finding),
            "what": finding.what,
            "why": finding.why,
            "try": finding.advice,
        })
    };
    let findings: Vec<Json> = analysis.findings.iter().map(one).collect();
    let mut all = head::json(of, "analyze", Shown::Trace);
    all.insert("findings".to_owned(), findings.into());
    all.into()
}

/// Writes the page of a kind.
///
/// # Errors
/// Those of `out`.
pub fn explain(described: &Described, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "{}: {}\n\n{}",
        described.name,
        described.title,
        described.page.trim_end()
    )
}
