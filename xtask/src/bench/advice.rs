//! What the advice of findings saves, against what the findings promise.

use std::path::Path;

use super::{Kept, row};
use crate::context::{Build, Context, forever};
use crate::suites::advice;

/// The programs with planted faults, by their names.
pub fn programs(context: &Context) -> Result<Vec<String>, String> {
    advice::faults(context)
}

/// Prints a row for each program with a planted fault, and another one where the advice may save more.
pub fn run(of: &Context, _: &Path, kept: &mut Kept) -> Result<(), String> {
    let context: &Context = forever(Context::new(false, Build::Release)?);
    let mut names = programs(context)?;
    names.retain(|name| of.programs.is_empty() || of.programs.contains(name));
    println!(
        "advice of findings, ms of thread time: saved / promised, and the most that it may save; ! is not within 25 %"
    );
    for tried in advice::all(context, &names)? {
        let tried = tried?;
        let mark = kept.count_plain(tried.is_kept());
        let saved = tried.saved / 1e6;
        row(
            &format!("{mark} {}", tried.name),
            saved,
            tried.promised / 1e6,
        );
        if let Some(most) = tried.most {
            row(&format!("  {}, at most", tried.name), saved, most / 1e6);
        }
    }
    Ok(())
}
