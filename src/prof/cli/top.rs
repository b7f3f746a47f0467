//! The command line of `upcprof top`.

use super::super::model::Recording as _;
use super::super::names::shown;
use super::super::runs::{By, CUTS, From, Summary};
use super::super::source::Sources;
use super::super::table::{Format, time};
use super::super::top::look::Looker;
use super::super::top::{job, rows, table};
use super::{Done, chosen, free_list, list, number, style, value_of, valued, wide};
use crate::cli::{Failure, Output};
use clap::{ArgMatches, Command};
use std::io::Write as _;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The lines of a screen that are no rows: what the job is, headings, columns left out, and where the cursor stays.
const FRAME: usize = 5;
/// The rows of a table if no terminal limits them.
const ROWS: usize = 20;
/// Moves to the first place of the screen, and clears it.
const CLEAR: &str = "\x1b[H\x1b[2J";

/// Returns the command `top` without the output.
pub(super) fn command() -> Command {
    Command::new("top")
        .about("Shows where a running job spends its time, refreshed")
        .after_help("The job is compiled with upcc --inst and started with upcrun -profile. Columns: `now` is the share of the time since the last table, `share` of the time since the job began.")
        .arg(
            valued("pid", "JOB", "process id of the job, of one of its threads, or of upcrun; or the program's name; not needed if one job is measured")
                .short('p'),
        )
        .arg(valued("interval", "SECONDS", "time between two tables").default_value("2"))
        .arg(valued("count", "N", "end after N tables"))
        .arg(chosen("by", "line", CUTS, "what a row represents"))
        .arg(valued("top", "N", "the first N rows; 0: all. Default: what fits, or 20"))
        .arg(wide())
        .arg(free_list(
            "source-dir",
            "DIR",
            "also look here for the source text of lines".to_owned(),
        ))
}

/// The user's request.
struct Asked {
    by: By,
    interval: Duration,
    count: Option<u64>,
    top: Option<usize>,
    is_wide: bool,
    sources: Sources,
}

fn asked(matches: &ArgMatches) -> Result<Asked, Failure> {
    let seconds: f64 = number(matches, "interval")?.unwrap_or(2.0);
    let interval = Duration::try_from_secs_f64(seconds).ok();
    let interval = interval.filter(|interval| *interval >= Duration::from_millis(50));
    let by = matches.get_one::<String>("by");
    let top: Option<usize> = number(matches, "top")?;
    let folders = list(matches, "source-dir").into_iter().map(PathBuf::from);
    Ok(Asked {
        by: by.and_then(|by| value_of(CUTS, by)).unwrap_or(By::Line),
        interval: interval
            .ok_or_else(|| Failure::usage("--interval: give 0.05 seconds or more"))?,
        count: number(matches, "count")?,
        top: top.map(|top| if top == 0 { usize::MAX } else { top }),
        is_wide: matches.get_flag("wide"),
        sources: Sources::new(folders.collect()),
    })
}

/// A look at the job.
struct Look {
    summary: Summary,
    at: Instant,
}

/// Returns what the job has measured so far; `None`: it has ended.
fn look(looker: &mut Looker, by: By) -> Result<Option<Look>, Failure> {
    let Some(recording) = looker.look()? else {
        return Ok(None);
    };
    if !recording.facts().is_profiled {
        return Err(Failure::environment(format!(
            "{} records only a trace, which has no sums yet: start it with `upcrun -profile`, or with -trace -profile",
            shown(&recording.facts().program)
        )));
    }
    Ok(Some(Look {
        summary: Summary::new(&recording, "", From::Profile, by),
        at: Instant::now(),
    }))
}

/// Shows a job until it ends, or the user has seen enough.
pub(super) fn run(matches: &ArgMatches, out: &mut Output) -> Done {
    let mut asked = asked(matches)?;
    let job = matches.get_one::<String>("pid").map(String::as_str);
    let mut looker = Looker::new(job::find(job)?)?;
    let ended = || Failure::environment("the job has ended");
    let mut before = look(&mut looker, asked.by)?.ok_or_else(ended)?;
    let mut tables = 0;
    while asked.count.is_none_or(|count| tables < count) {
        sleep(asked.interval.saturating_sub(before.at.elapsed()));
        let Some(now) = look(&mut looker, asked.by)? else {
            // Without any table the user would not know why there is none.
            return match tables {
                0 => Err(ended().into()),
                _ => Ok(writeln!(out, "the job has ended")?),
            };
        };
        show(&before, &now, &mut asked, out)?;
        before = now;
        tables += 1;
    }
    Ok(())
}

fn show(before: &Look, now: &Look, asked: &mut Asked, out: &mut Output) -> Done {
    let style = style(out, asked.is_wide);
    let is_terminal = out.is_terminal();
    let size = rustix::termios::tcgetwinsize(rustix::stdio::stdout());
    let lines = size.map_or(0, |size| usize::from(size.ws_row));
    let fits = match is_terminal && lines > FRAME {
        true => lines - FRAME,
        false => ROWS,
    };
    let rows = rows(&before.summary, &now.summary);
    let passed = now.at.duration_since(before.at);
    let top = asked.top.unwrap_or(fits);
    let table = table(&rows, top, asked.by, passed, &mut asked.sources);
    if is_terminal {
        write!(out, "{CLEAR}")?;
    }
    let threads = match now.summary.threads {
        1 => "1 thread".to_owned(),
        threads => format!("{threads} threads"),
    };
    writeln!(
        out,
        "{}: {threads}, running for {}",
        shown(&now.summary.program),
        time(now.summary.run)
    )?;
    table.write(Format::Text, style, out)?;
    if !is_terminal {
        writeln!(out)?;
    }
    out.flush()?;
    Ok(())
}
