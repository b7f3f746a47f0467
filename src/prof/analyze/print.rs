//! Findings as text and as JSON.

use super::super::head;
use super::super::limits::Shown;
use super::super::model::Recording;
use super::super::names::shown;
use super::super::processors::shared;
use super::super::source::Sources;
use super::super::table::time;
use super::finding::{Described, Finding};
use super::{Analysis, Cluster, OfCategory, Part, Run, Spent, loop_around, percent, ranges};
use serde_json::{Value as Json, json};
use std::io::{self, Write};

/// The part of the thread time, in percent, below which a finding is not printed.
pub const LEAST_SHARE: f64 = 1.0;

/// Time without a processor, in percent of all, that is worth a line.
const MANY_DELAYS: u64 = 5;
/// The number of parts of the time in text, and the least part in percent.
const PARTS: usize = 8;
const LEAST_PART: u64 = 1;

/// The number of clusters in text, without the largest.
const CLUSTERS: usize = 8;

/// Returns the part of the thread time in percent.
pub fn share(analysis: &Analysis, finding: &Finding) -> f64 {
    finding.cost as f64 * 100.0 / analysis.whole.max(1) as f64
}

/// Returns the part of the critical path in percent.
pub fn critical_share(analysis: &Analysis, on_path: u64) -> f64 {
    on_path as f64 * 100.0 / analysis.critical.length.max(1) as f64
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
    let run = run(of);
    for lack in &analysis.incomplete {
        writeln!(out, "incomplete: {}", shown(lack))?;
    }
    if let Some(shared) = shared(of) {
        writeln!(out, "{shared}")?;
    }
    if analysis.delayed * 100 > analysis.time * MANY_DELAYS {
        writeln!(
            out,
            "threads had no processor for {} of their time: costs are those of a run with a processor for each",
            percent(analysis.delayed, analysis.time)
        )?;
    }
    if analysis.unclear * 100 > analysis.whole {
        writeln!(
            out,
            "{} of waiting at barriers is left out: it may be for threads that had no processor",
            time(analysis.unclear)
        )?;
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
    spent(&run, analysis, out)?;
    categories(analysis, out)?;
    critical(&run, analysis, out)?;
    clusters(&run, analysis, out)
}

/// Writes which threads behave alike.
fn clusters(run: &Run, analysis: &Analysis, out: &mut dyn Write) -> io::Result<()> {
    let Some((first, others)) = analysis.clusters.split_first() else {
        return Ok(());
    };
    if run.threads < 2 {
        return Ok(());
    }
    writeln!(out)?;
    match first.threads.len() {
        1 => writeln!(out, "no two threads behave alike")?,
        number if number == run.threads as usize => {
            writeln!(
                out,
                "all {number} threads behave alike: look at thread {}",
                first.representative
            )?;
        }
        _ => writeln!(
            out,
            "threads {} behave alike: look at thread {}",
            ranges(&first.threads),
            first.representative
        )?,
    }
    for cluster in others.iter().take(CLUSTERS) {
        let differs = cluster.differs.map(|(part, more)| {
            let than = match first.threads.len() {
                1 => format!("thread {}", first.representative),
                _ => "these".to_owned(),
            };
            let (time, word) = match more {
                ..0 => (time(more.unsigned_abs()), "less"),
                _ => (time(more.unsigned_abs()), "more"),
            };
            format!(": {time} {word} than {than} in {}", part_name(run, part))
        });
        let threads = match cluster.threads.len() {
            1 => format!("thread {}", cluster.representative),
            _ => format!(
                "threads {} (look at thread {})",
                ranges(&cluster.threads),
                cluster.representative
            ),
        };
        writeln!(
            out,
            "{}",
            shown(&format!("  {threads}{}", differs.unwrap_or_default()))
        )?;
    }
    if others.len() > CLUSTERS {
        writeln!(
            out,
            "  ... {} more clusters: --format json has them",
            others.len() - CLUSTERS
        )?;
    }
    Ok(())
}

/// Writes where the time went.
fn spent(run: &Run, analysis: &Analysis, out: &mut dyn Write) -> io::Result<()> {
    let parts = analysis.spent.iter().map(|spent| (spent.part, spent.time));
    let whole = (analysis.time, "time of all threads");
    table(run, whole, &mut parts.into_iter(), out)
}

/// Writes the time by category.
fn categories(analysis: &Analysis, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out)?;
    let mut parts = analysis.categories.clone();
    parts.sort_by_key(|of| (std::cmp::Reverse(of.time), of.category as usize));
    let whole = (analysis.time, "time of all threads, by category");
    row(out, whole.0, whole)?;
    for of in parts.iter().filter(|of| of.time > 0) {
        row(out, whole.0, (of.time, of.category.names().1))?;
    }
    Ok(())
}

/// Writes a part of a whole.
fn row(out: &mut dyn Write, whole: u64, (part, name): (u64, &str)) -> io::Result<()> {
    let share = part as f64 * 100.0 / whole.max(1) as f64;
    writeln!(out, "{share:6.1} %  {:>8}  {}", time(part), shown(name))
}

/// Writes what the critical path consists of, and the threads that it leads through.
fn critical(run: &Run, analysis: &Analysis, out: &mut dyn Write) -> io::Result<()> {
    let path = &analysis.critical;
    if run.threads < 2 || path.length == 0 {
        return Ok(());
    }
    let large = |(_, time): &&(u32, u64)| *time * 100 >= path.length * LEAST_PART;
    let threads = path.threads.iter().filter(large).take(PARTS);
    let threads: Vec<String> = threads
        .map(|(thread, time)| format!("{thread} ({})", percent(*time, path.length)))
        .collect();
    let name = format!("critical path, through threads {}", threads.join(", "));
    let parts = &mut path.parts.iter().copied();
    table(run, (path.length, &name), parts, out)
}

/// Writes parts of a whole: the largest, and the sum of the rest.
fn table(
    run: &Run,
    (whole, name): (u64, &str),
    parts: &mut dyn Iterator<Item = (Part, u64)>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let large = parts.filter(|(_, time)| time * 100 >= whole * LEAST_PART);
    let large: Vec<(Part, u64)> = large.take(PARTS).collect();
    let rest = whole.saturating_sub(large.iter().map(|(_, time)| time).sum());
    writeln!(out)?;
    row(out, whole, (whole, name))?;
    for (part, time) in large {
        row(out, whole, (time, &part_name(run, part)))?;
    }
    row(out, whole, (rest, "all else"))
}

fn part_name(run: &Run, part: Part) -> String {
    match part {
        Part::Events(kind, site) => run.event_at(kind, site),
        Part::OutsideEvents => "outside events".to_owned(),
        Part::NoProcessor => "ready to run, but without a processor".to_owned(),
        Part::Writing => "writing events into the file".to_owned(),
    }
}

fn run(of: &dyn Recording) -> Run<'_> {
    Run {
        recording: of,
        threads: of.facts().threads,
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
    if let Some(around) = loop_around(tables, finding.site) {
        writeln!(out, "   {around}")?;
    }
    writeln!(out, "   {}", shown(&finding.what))?;
    match analysis.critical.of(finding) {
        _ if analysis.critical.length == 0 => {}
        0 => writeln!(out, "   not on the critical path")?,
        on_path => writeln!(
            out,
            "   on the critical path: {}, {:.1} % of it",
            time(on_path),
            critical_share(analysis, on_path)
        )?,
    }
    for why in &finding.why {
        writeln!(out, "   why: {}", shown(why))?;
    }
    if let Some(most) = finding.most {
        writeln!(out, "   the advice saves up to {}", time(most))?;
    }
    writeln!(out, "   try: {}", shown(&finding.advice))
}

/// Returns the findings as JSON.
pub fn json(of: &dyn Recording, analysis: &Analysis) -> Json {
    let run = run(of);
    let tables = of.tables();
    let one = |finding: &Finding| {
        let site = tables.site(finding.site);
        let on_path = analysis.critical.of(finding);
        let object = finding
            .object
            .and_then(|object| tables.objects.get(object.0 as usize));
        json!({
            "kind": finding.kind.described().name,
            "title": finding.kind.described().title,
            "file": site.map(|site| tables.text(site.file)),
            "line": site.map(|site| site.line),
            "column": site.map(|site| site.column),
            "loop": loop_around(tables, finding.site),
            "place": run.place(finding.site),
            "object": object.map(|object| tables.text(object.name)),
            "thread": finding.thread,
            "cost_ns": finding.cost,
            "cost_percent": share(analysis, finding),
            "at_most_ns": finding.most,
            "critical_ns": on_path,
            "critical_percent": critical_share(analysis, on_path),
            "what": finding.what,
            "why": finding.why,
            "try": finding.advice,
        })
    };
    let findings: Vec<Json> = analysis.findings.iter().map(one).collect();
    let mut all = head::json(of, "analyze", Shown::Trace);
    all.insert("findings".to_owned(), findings.into());
    let part = |part: Part, time: u64, whole: u64| {
        let (kind, site) = match part {
            Part::Events(kind, site) => (Some(&tables.kind(kind).name), tables.site(site)),
            Part::OutsideEvents | Part::NoProcessor | Part::Writing => (None, None),
        };
        json!({
            "part": part_name(&run, part),
            "event": kind,
            "file": site.map(|site| tables.text(site.file)),
            "line": site.map(|site| site.line),
            "column": site.map(|site| site.column),
            "time_ns": time,
            "percent": time as f64 * 100.0 / whole.max(1) as f64,
        })
    };
    let spent = |spent: &Spent| {
        let mut row = part(spent.part, spent.time, analysis.time);
        row["count"] = spent.number.into();
        row
    };
    let parts: Vec<Json> = analysis.spent.iter().map(spent).collect();
    let path = &analysis.critical;
    let on_path = path.parts.iter();
    let on_path = on_path.map(|&(of, time)| part(of, time, path.length));
    let through = path.threads.iter();
    let through = through.map(|(thread, time)| json!({"thread": thread, "time_ns": time}));
    let critical = json!({
        "length_ns": path.length,
        "parts": on_path.collect::<Vec<Json>>(),
        "threads": through.collect::<Vec<Json>>(),
    });
    all.insert("critical_path".to_owned(), critical);
    let cluster = |cluster: &Cluster| {
        json!({
            "threads": cluster.threads,
            "representative": cluster.representative,
            "differs_in": cluster.differs.map(|(part, _)| part_name(&run, part)),
            "more_ns": cluster.differs.map(|(_, more)| more),
        })
    };
    let clusters: Vec<Json> = analysis.clusters.iter().map(cluster).collect();
    all.insert("clusters".to_owned(), clusters.into());
    let category = |of: &OfCategory| {
        let (name, title) = of.category.names();
        json!({
            "category": name,
            "title": title,
            "time_ns": of.time,
            "percent": of.time as f64 * 100.0 / analysis.time.max(1) as f64,
            "count": of.number,
        })
    };
    let categories: Vec<Json> = analysis.categories.iter().map(category).collect();
    all.insert("categories".to_owned(), categories.into());
    all.insert("time_ns".to_owned(), analysis.time.into());
    all.insert("whole_ns".to_owned(), analysis.whole.into());
    all.insert("without_processor_ns".to_owned(), analysis.delayed.into());
    all.insert("unclear_ns".to_owned(), analysis.unclear.into());
    all.insert("spent".to_owned(), parts.into());
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
