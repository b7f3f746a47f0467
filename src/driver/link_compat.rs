//! Checks whether the parts of a program fit together: thread count, pointers-to-shared, transport, version of the
//! runtime.

use super::objects::Linked;
use crate::cli::{Exit, Failure};
use crate::target::{Pointers, Reach};
use crate::unit::{Unit, abi, pts_text};

/// The properties of a link that every unit is checked against.
pub struct Program {
    /// `-T` of this command.
    pub threads: Option<u32>,
    /// The runtime's representation of pointers-to-shared.
    pub pointers: Pointers,
    /// `-network`, `-pshm-width`
    pub reach: Reach,
}

impl Program {
    /// Rejects the first unit that does not fit. `parts`: each unit with the name of the object that contains it.
    ///
    /// # Errors
    /// Names the object, how it and the other objects were compiled, and how to resolve the conflict.
    pub fn check<'a>(
        &self,
        parts: impl Iterator<Item = (String, &'a Unit)>,
    ) -> Result<(), Failure> {
        let mut fixed: Option<(String, u32)> = self
            .threads
            .map(|threads| ("this command".to_owned(), threads));
        for (name, unit) in parts {
            let name = described(&name, unit);
            if unit.abi != abi() {
                return Err(conflict(format!(
                    "{name} was compiled by upcc {} (runtime interface {}), this is upcc {} (runtime interface {}): recompile it",
                    unit.version,
                    unit.abi,
                    env!("CARGO_PKG_VERSION"),
                    abi()
                )));
            }
            let ours = pts_text(self.pointers);
            if unit.pts != ours {
                return Err(conflict(format!(
                    "{name} was compiled with {}, this command links with {}: give all commands the same flags, here {}",
                    pts_words(&unit.pts),
                    pts_words(&ours),
                    pts_flag(&unit.pts)
                )));
            }
            let network = self.reach.network.name();
            if unit.network != network {
                return Err(conflict(format!(
                    "{name} was compiled for -network={}, this command links for -network={network}: give all commands the same -network",
                    unit.network
                )));
            }
            if unit.remote != self.reach.remote {
                let with = |remote| if remote { "with" } else { "without" };
                return Err(conflict(format!(
                    "{name} was compiled {} -pshm-width, this command links {} it: give it to all commands or to none",
                    with(unit.remote),
                    with(self.reach.remote)
                )));
            }
            match &fixed {
                _ if unit.threads == 0 => {}
                Some((other, threads)) if *threads != unit.threads => {
                    return Err(conflict(format!(
                        "{name} was compiled for {} threads, {other} for {threads}: compile all of them with the same -T, or without it for any number",
                        unit.threads
                    )));
                }
                Some(_) => {}
                None => fixed = Some((name, unit.threads)),
            }
        }
        Ok(())
    }
}

/// Rejects objects that cannot be part of a shared library: UPC's data belongs to the program, whose threads share it.
///
/// # Errors
/// Names the object and the first thing in it that prevents this.
pub fn check_shared_library(
    parts: &[Linked],
    name: &dyn Fn(&Linked) -> String,
) -> Result<(), Failure> {
    let found = parts.iter().find_map(|part| {
        let what = part.needs_runtime.as_ref()?;
        Some((name(part), what))
    });
    match found {
        Some((name, what)) => Err(conflict(format!(
            "{name} uses {what}, which a shared library cannot use: shared data and the runtime belong to the program. Make a static library (ar rcs libname.a ...) of the UPC parts"
        ))),
        None => Ok(()),
    }
}

fn conflict(message: String) -> Failure {
    Failure {
        exit: Exit::Errors,
        message,
    }
}

/// Returns `b.o (from b.upc)`; just the source if the object is a temporary file of this command.
fn described(name: &str, unit: &Unit) -> String {
    if name == unit.source {
        name.to_owned()
    } else {
        format!("{name} (from {})", unit.source)
    }
}

fn pts_words(pts: &str) -> String {
    match pts.strip_prefix("packed:") {
        Some(_) if *pts == pts_text(Pointers::default()) => {
            "pointers-to-shared of 64 bits as they are by default".to_owned()
        }
        Some(_) => format!("pointers-to-shared of 64 bits ({})", pts_flag(pts)),
        None => format!("pointers-to-shared of 128 bits ({})", pts_flag(pts)),
    }
}

/// Returns the flag that selects a representation.
fn pts_flag(pts: &str) -> String {
    let bits = pts.strip_prefix("packed:").and_then(|bits| {
        let (phase, thread) = bits.split_once(',')?;
        let (phase, thread): (u32, u32) = (phase.parse().ok()?, thread.parse().ok()?);
        Some(format!(
            "-fupc-packed-bits={phase},{thread},{}",
            64u32.saturating_sub(phase + thread)
        ))
    });
    bits.unwrap_or_else(|| "-fupc-pts=struct".to_owned())
}
