//! What the advice of findings saves, against what the findings promise.

use std::path::Path;

use super::row;
use crate::context::{Build, Context, forever};
use crate::suites::advice;

/// Prints a row for each program with a planted fault.
pub fn run(_: &Context, _: &Path) -> Result<(), String> {
    let context: &Context = forever(Context::new(false, Build::Release)?);
    println!(
        "advice of findings, ms of thread time: saved / promised, and the most that it may save"
    );
    for tried in advice::all(context)? {
        row(&tried.name, tried.saved / 1e6, tried.promised / 1e6);
        if let Some(most) = tried.most {
            row(
                &format!("{}, at most", tried.name),
                tried.saved / 1e6,
                most / 1e6,
            );
        }
    }
    Ok(())
}
