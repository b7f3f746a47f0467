//! The command line of `upcprof profile`.

use super::super::estimate::estimate;
use super::super::groups::{group_words, selected};
use super::super::limits::Shown;
use super::super::model::{Group, Recording};
use super::super::names::{shown, shown_json};
use super::super::profile::{Asked, By, CUTS, FILTERS, Hide, SORTS, Sort, view};
use super::super::source::Sources;
use super::super::table::{Format, bytes, time};
use super::super::{compute, head};
use super::{
    Done, TABLE_FORMATS, chosen, flag, format, free_list, list, listed, no_trace, number, ratio,
    ratios, selecting, selection, style, value_of, valued, values_of, wide, words,
};
use crate::cli::{Failure, Output};
use clap::{ArgMatches, Command};
use std::io::Write as _;
use std::path::PathBuf;

/// Returns the command `profile` without the files and the output.
pub(super) fn command() -> Command {
    Command::new("profile")
        .about("Prints where the time was spent, the most time first")
        .arg(chosen("by", "line", CUTS, "what a row represents"))
        .arg(listed("sort", "KEY", &words(SORTS)).ignore_case(true).help("sort by these columns, the first one first; SELF, the default, is the time without that of nested events"))
        .arg(listed("filter", "TYPE", &words(FILTERS)).ignore_case(true).help("leave out accesses to the thread's own memory, to that of others, waits and barriers, notifies"))
        .arg(free_list("report", "GROUP", format!("these groups of events: {}", group_words())))
        .args(selecting())
        .arg(ratio())
        .arg(flag("per-thread", "repeat each row for each thread"))
        .arg(flag("internal", "include events of the runtime, which no line of the program raised"))
        .arg(flag("from-trace", "count the events of the trace, even if the file has a profile"))
        .arg(valued("top", "N", "the first N rows; 0: all").default_value("20"))
        .arg(free_list("source-dir", "DIR", "also look here for the source text of lines".to_owned()))
        .arg(wide())
        .arg(chosen("format", "text", TABLE_FORMATS, "format of the output"))
}

/// Writes where the time was spent.
pub(super) fn run(of: &dyn Recording, matches: &ArgMatches, out: &mut Output) -> Done {
    let selection = selection(of, matches)?;
    let asked = asked(of, matches)?;
    // A profile has one address for each place, a trace has all of them.
    let from_trace = matches.get_flag("from-trace") || asked.by == By::Array && of.has_trace();
    let computed;
    let profile = match of.profile() {
        Some(profile) if !from_trace => profile,
        Some(_) | None if of.has_trace() => {
            computed = compute::profile(of);
            &computed
        }
        Some(_) => return Err(no_trace().into()),
        None => {
            return Err(
                Failure::environment("this recording has neither a profile nor events").into(),
            );
        }
    };
    let mut sources = Sources::new(
        list(matches, "source-dir")
            .into_iter()
            .map(PathBuf::from)
            .collect(),
    );
    let estimate = estimate(of, profile).with_loops(of.tables());
    let view = view(of, &estimate, &selection, &asked, &mut sources);
    let format = format(matches);
    let what = match from_trace || of.profile().is_none() {
        true => Shown::Trace,
        false => Shown::Profile,
    };
    if format == Format::Json {
        let mut all = head::json(of, "profile", what);
        let by = matches.get_one::<String>("by");
        all.insert("by".to_owned(), by.map_or("line", String::as_str).into());
        all.insert("rows".to_owned(), view.events().json());
        let others = [
            ("outside_events_ns", view.others.outside),
            ("not_shown_ns", view.others.rest),
            ("left_out_ns", view.left_out.1),
        ];
        for (name, time) in others {
            all.insert(name.to_owned(), time.into());
        }
        writeln!(out, "{}", shown_json(&all.into()))?;
        return Ok(());
    }
    if format == Format::Text {
        heading(of, view.whole, out)?;
    }
    head::write(of, what, format, &mut *out)?;
    if format == Format::Text {
        writeln!(out)?;
    }
    let style = style(out, matches.get_flag("wide"));
    view.table.write(format, style, out)?;
    let (rows, left) = view.left_out;
    if format == Format::Text && rows > 0 {
        writeln!(
            out,
            "... {rows} more rows ({}): --top=0 shows all",
            time(left)
        )?;
    }
    Ok(())
}

/// Writes what the numbers refer to.
fn heading(of: &dyn Recording, whole: u64, out: &mut Output) -> Done {
    let facts = of.facts();
    writeln!(
        out,
        "{}: {} threads, {} of thread time, {} recorded",
        shown(&facts.program),
        facts.threads,
        time(whole),
        bytes(facts.file_bytes)
    )?;
    Ok(())
}

fn asked(of: &dyn Recording, matches: &ArgMatches) -> Result<Asked, Failure> {
    let mut report: Vec<Group> = Vec::new();
    for word in list(matches, "report") {
        let groups = selected(&word);
        if groups.is_empty() {
            let wrong = format!("--report: `{word}` is not one of {}", group_words());
            return Err(Failure::usage(wrong));
        }
        report.extend(groups);
    }
    let by = matches.get_one::<String>("by");
    let mut sort: Vec<Sort> = values_of(SORTS, matches, "sort");
    if sort.is_empty() {
        sort = vec![Sort::Own, Sort::Bytes, Sort::Calls];
    }
    let hide: Vec<Hide> = values_of(FILTERS, matches, "filter");
    Ok(Asked {
        by: by.and_then(|by| value_of(CUTS, by)).unwrap_or(By::Line),
        sort,
        hide,
        report,
        per_thread: matches.get_flag("per-thread"),
        internal: matches.get_flag("internal"),
        top: number(matches, "top")?.filter(|&top: &usize| top > 0),
        ratios: ratios(of, matches)?,
    })
}
