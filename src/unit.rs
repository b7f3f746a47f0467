//! The record of its compilation in an object file. The first lines of translated text produce it (`emit/head.rs`).
//!
//! Every unit has one line in section `.upcc.unit` (not loaded; the linker concatenates the lines), written by
//! `UPCR_UNIT` of `upcr/data.h`:
//! `upcc=0.1.0 abi=3 threads=4 pts=packed:20,10 network=smp remote=0 checks=0 source=heat.upc`. `threads=0` is the
//! dynamic THREADS environment; the source's name extends to the end of the line.

use crate::target::{Pointers, Reach};

/// The section's name.
pub const SECTION: &str = ".upcc.unit";

/// One unit of an object or a program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Unit {
    /// Version of the `upcc` that compiled it.
    pub version: String,
    /// `UPCR_ABI` of its headers.
    pub abi: u32,
    /// Static THREADS; 0 if dynamic.
    pub threads: u32,
    /// Representation of pointers-to-shared, as written in the note.
    pub pts: String,
    /// Transport.
    pub network: String,
    /// Accesses check whether memory is mapped.
    pub remote: bool,
    /// Compiled with `-fupc-checks`.
    pub checks: bool,
    /// The source file as the user named it.
    pub source: String,
}

impl Unit {
    /// Reads one line of a note. `None`: the line is not a note.
    pub fn parse(line: &str) -> Option<Unit> {
        let (fields, source) = line.split_once(" source=")?;
        let field = |name: &str| {
            fields
                .split(' ')
                .find_map(|field| field.strip_prefix(name)?.strip_prefix('='))
        };
        Some(Unit {
            version: field("upcc")?.to_owned(),
            abi: field("abi")?.parse().ok()?,
            threads: field("threads")?.parse().ok()?,
            pts: field("pts")?.to_owned(),
            network: field("network")?.to_owned(),
            remote: field("remote") == Some("1"),
            checks: field("checks")? == "1",
            source: source.to_owned(),
        })
    }

    /// Reads the contents of a section: the notes of one unit or more.
    pub fn parse_all(section: &[u8]) -> Vec<Unit> {
        let text = String::from_utf8_lossy(section);
        text.lines().filter_map(Unit::parse).collect()
    }
}

/// The representation of pointers-to-shared as written in notes (`UPCR_PTS_TEXT`).
pub fn pts_text(pointers: Pointers) -> String {
    match pointers {
        Pointers::Packed { phase, thread } => format!("packed:{phase},{thread}"),
        Pointers::Struct => "struct".to_owned(),
    }
}

/// The ABI number of the headers in this `upcc`.
pub fn abi() -> u32 {
    let header = include_str!("../runtime-c/include/upcr/base.h");
    let number = header
        .lines()
        .find_map(|line| line.strip_prefix("#define UPCR_ABI "));
    number.and_then(|n| n.trim().parse().ok()).unwrap_or(0)
}

/// The macros that select the representation of pointers-to-shared in headers and runtime, as `NAME=VALUE`.
pub fn pointer_macros(pointers: Pointers) -> Vec<String> {
    match pointers {
        _ if pointers == Pointers::default() => Vec::new(),
        Pointers::Packed { phase, thread } => vec![
            format!("UPCR_PHASE_BITS={phase}"),
            format!("UPCR_THREAD_BITS={thread}"),
        ],
        Pointers::Struct => vec!["UPCR_PTS_STRUCT=1".to_owned()],
    }
}

/// The macros that select how memory of other threads is reached, in headers and runtime, as `NAME=VALUE`.
pub fn reach_macros(reach: Reach) -> Vec<String> {
    let network = reach
        .network
        .has_messages()
        .then(|| format!("UPCR_NETWORK=\"{}\"", reach.network.name()));
    let remote = reach.remote.then(|| "UPCR_REMOTE=1".to_owned());
    network.into_iter().chain(remote).collect()
}

/// Section with the names of inline functions that a unit defines only for itself, one per line.
pub const INLINE_SECTION: &str = ".upcc.inline";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_read() {
        let line =
            "upcc=0.1.0 abi=2 threads=4 pts=packed:20,10 network=smp checks=1 source=a b.upc\n";
        let units = Unit::parse_all(&line.repeat(2).into_bytes());
        assert_eq!(units.len(), 2);
        assert_eq!((units[0].threads, units[0].source.as_str()), (4, "a b.upc"));
        assert!(units[0].checks);
        assert_eq!(Unit::parse("upcc=0.1.0 abi=2"), None);
    }

    #[test]
    fn the_abi_is_the_one_of_the_headers() {
        assert!(abi() > 0);
    }
}
