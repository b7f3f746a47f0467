//! The text of `--emit=refs`: a line for a loop, an indented one for each reference.

use super::{Class, Loop, Reference, References};
use std::fmt;

/// The bytes of the line of the cache of which the text speaks.
const LINE: u64 = crate::platform::CACHE_LINE as u64;

impl fmt::Display for References {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        for it in &self.loops {
            print_loop(it, to)?;
        }
        Ok(())
    }
}

fn print_loop(it: &Loop, to: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(to, "{}:{}: {}", it.file, it.line, it.keyword)?;
    if let Some(variable) = &it.variable {
        write!(to, " over `{variable}`")?;
    }
    match &it.turns {
        Some(turns) => writeln!(to, ", {turns} iterations of a thread")?,
        None => writeln!(to, ", iterations unknown")?,
    }
    for reference in &it.references {
        writeln!(to, "    {}", Line(reference))?;
    }
    Ok(())
}

struct Line<'a>(&'a Reference);

impl fmt::Display for Line<'_> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let it = self.0;
        write!(
            to,
            "{}:{}: `{}` {}: {}, partition {}",
            it.line,
            it.column,
            it.text,
            it.mode.name(),
            it.class.name(),
            it.partition
        )?;
        if it.class != Class::Local {
            write!(to, ", {}; {}", it.transfer.name(), cache(it))?;
            if let Some(line) = it.again {
                write!(to, ", again in each iteration of line {line}")?;
            }
        }
        match (&it.count, it.maybe) {
            (Some(count), false) => write!(to, "; count {count}"),
            (Some(count), true) => write!(to, "; count at most {count}"),
            (None, _) => write!(to, "; count unknown"),
        }
    }
}

/// What the cache does for a reference.
fn cache(it: &Reference) -> String {
    match it.step {
        Some(0) => "cached: one element".to_owned(),
        Some(step) if step < LINE => {
            format!("cached: {} accesses in {LINE} bytes", LINE / step)
        }
        Some(step) => format!("not cached: steps of {step} bytes"),
        None => "not cached: no fixed step".to_owned(),
    }
}
