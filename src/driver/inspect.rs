//! `upcrun -i`: describes a program from its unit notes.

use super::objects::{self, SharedObject};
use crate::cli::Failure;
use crate::unit::Unit;
use std::fmt::Write as _;
use std::path::Path;

/// Returns the description of a program.
///
/// # Errors
/// An environment failure if the file cannot be read or is not a UPC program.
pub fn describe(program: &Path) -> Result<String, Failure> {
    let units = objects::units_of_program(program)?;
    if units.is_empty() {
        return Err(Failure::environment(format!(
            "{} is not a UPC program of upcc (no section {})",
            program.display(),
            crate::unit::SECTION
        )));
    }
    let shared = objects::shared_data_of_program(program)?;
    let mut text = format!("{}\n", program.display());
    let mut line = |name: &str, value: &str| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "  {name:<14} {value}");
    };
    line(
        "compiler",
        &each(&units, |unit| format!("upcc {}", unit.version)),
    );
    line("threads", &threads(&units));
    line("network", &each(&units, |unit| unit.network.clone()));
    line("pointers", &each(&units, |unit| pointers(&unit.pts)));
    line("checks", &checks(&units));
    line("sources", &each(&units, |unit| unit.source.clone()));
    line(
        "shared data",
        &format!("{} bytes in each thread", shared.bytes),
    );
    for SharedObject { name, bytes } in &shared.objects {
        line("", &format!("{name:<24} {bytes}"));
    }
    Ok(text)
}

/// Returns the different values of a property of the units, each once.
fn each(units: &[Unit], what: impl Fn(&Unit) -> String) -> String {
    let mut found: Vec<String> = Vec::new();
    for value in units.iter().map(what) {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found.join(", ")
}

/// Describes the number of threads. The static number is that of any unit that has one; the link has checked that all
/// of them agree.
fn threads(units: &[Unit]) -> String {
    match units.iter().map(|unit| unit.threads).max() {
        None | Some(0) => "any number (upcrun -n N)".to_owned(),
        Some(count) => format!("{count}, fixed when it was compiled"),
    }
}

fn checks(units: &[Unit]) -> String {
    let checked = units.iter().filter(|unit| unit.checks).count();
    match checked {
        0 => "none (-fupc-checks)".to_owned(),
        all if all == units.len() => "in all of the program".to_owned(),
        some => format!("in {some} of {} units", units.len()),
    }
}

/// Describes `packed:20,10` in words.
fn pointers(pts: &str) -> String {
    let bits: Vec<u32> = pts
        .strip_prefix("packed:")
        .unwrap_or_default()
        .split(',')
        .filter_map(|bits| bits.parse().ok())
        .collect();
    match bits[..] {
        [phase, thread] => {
            let address = 64_u32.saturating_sub(phase + thread);
            format!("packed in 64 bits: {phase} of phase, {thread} of thread, {address} of address")
        }
        _ => format!("{pts}, 128 bits"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(threads: u32, checks: u32, source: &str) -> Unit {
        let line = format!(
            "upcc=1.2.3 abi=2 threads={threads} pts=packed:20,10 network=smp checks={checks} source={source}"
        );
        Unit::parse(&line).unwrap()
    }

    #[test]
    fn units_are_summed_up() {
        let units = [unit(0, 1, "a.upc"), unit(4, 0, "b c.upc")];
        assert_eq!(threads(&units), "4, fixed when it was compiled");
        assert_eq!(threads(&units[..1]), "any number (upcrun -n N)");
        assert_eq!(checks(&units), "in 1 of 2 units");
        assert_eq!(checks(&units[..1]), "in all of the program");
        assert_eq!(each(&units, |unit| unit.source.clone()), "a.upc, b c.upc");
        assert_eq!(each(&units, |unit| unit.version.clone()), "1.2.3");
        assert!(pointers("packed:20,10").contains("34 of address"));
        assert_eq!(pointers("struct"), "struct, 128 bits");
    }
}
