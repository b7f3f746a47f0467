//! The table of forms: the ways in which a program is compiled and run. A case is a program in a form.
//!
//! Every program runs in each [`Group`] of forms. A long run takes all forms of a group; a normal run takes one, chosen
//! by a hash of the program's name, so that a new program does not affect the others.

use std::hash::Hasher;

use siphasher::sip::SipHasher13;

use super::machines;
use crate::tools::{self, Need};

/// Variables for a run.
pub type Setting = &'static [(&'static str, &'static str)];

/// The property that the forms of a group vary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// Dynamic THREADS, with every thread count in a long run.
    Plain,
    /// The other compiler, other optimisation levels, pointers-to-shared as structs.
    Compiler,
    /// Static THREADS.
    Static,
    /// With checks, which report nothing for a correct program.
    Checked,
    /// With events, which the tool *measure* counts.
    Instrumented,
    /// In shared memory, with each thread treated as on a machine of its own.
    Apart,
    /// Over messages.
    Messages,
}

impl Group {
    /// Returns the share of programs that a normal run takes, one in this number: what a group varies beside the plain
    /// form shows in a part of the programs.
    fn one_in(self) -> u64 {
        match self {
            Group::Plain => 1,
            Group::Static => 2,
            Group::Compiler
            | Group::Checked
            | Group::Instrumented
            | Group::Apart
            | Group::Messages => 4,
        }
    }

    pub const ALL: [Group; 7] = [
        Group::Plain,
        Group::Compiler,
        Group::Static,
        Group::Checked,
        Group::Instrumented,
        Group::Apart,
        Group::Messages,
    ];
}

/// One row of the table.
pub struct Form {
    pub name: &'static str,
    pub group: Group,
    pub cc: &'static str,
    /// Flags for compiler and linker, in addition to the program's own.
    pub flags: &'static [&'static str],
    /// `-T=N`, with the number of threads of the run.
    pub fixed: bool,
    /// Variables in the environment of the run.
    pub set: Setting,
    /// The words in front of the program when it runs: an emulator.
    pub under: &'static [&'static str],
}

/// The flag to compile for messages.
pub const MESSAGES: &str = "-network=mpi";
/// The same messages by another library.
pub const BY_UCX: &str = "-network=ucx";
pub const NO_CACHE: Setting = &[("UPC_CACHE", "off")];
/// A cache that evicts lines constantly.
const SMALL_CACHE: Setting = &[
    ("UPC_CACHE", "all"),
    ("UPC_CACHE_LINE", "64"),
    ("UPC_CACHE_LINES", "16"),
];
/// The default cache, which any distance enables.
const AUTO_CACHE: Setting = &[("UPC_PSHM_DELAY", "1")];

/// Returns a row of the table for dynamic THREADS.
pub const fn form(
    name: &'static str,
    group: Group,
    cc: &'static str,
    flags: &'static [&'static str],
    set: Setting,
) -> Form {
    Form {
        name,
        group,
        cc,
        flags,
        fixed: false,
        set,
        under: &[],
    }
}

/// Returns a row of the table for static THREADS.
pub const fn fixed(
    name: &'static str,
    group: Group,
    cc: &'static str,
    flags: &'static [&'static str],
) -> Form {
    Form {
        fixed: true,
        ..form(name, group, cc, flags, &[])
    }
}

/// The first form of a group is optimised as most users do, with -O, which is the C compiler's -O3. Others take half of
/// the time to compile with -O1.
#[rustfmt::skip] // one row per line
pub const FORMS: &[Form] = &[
    form("gcc", Group::Plain, "gcc", &["-O"], &[]),

    form("gcc-O0", Group::Compiler, "gcc", &["-O0", SHORT_RUNS], &[]),
    form("clang", Group::Compiler, "clang", &["-O"], &[]),
    form("clang-O0", Group::Compiler, "clang", &["-O0", SHORT_RUNS], &[]),
    form("struct", Group::Compiler, "gcc", &["-O1", "-fupc-pts=struct"], &[]),
    form("struct-clang", Group::Compiler, "clang", &["-O1", "-fupc-pts=struct", SHORT_RUNS], &[]),
    form("as-written", Group::Compiler, "gcc", &["-O", "-fno-upc-runs", "-fno-upc-locality", "-fno-upc-unroll", "-fno-upc-linear", "-fno-upc-fences"], &[]),

    fixed("static", Group::Static, "gcc", &["-O"]),
    fixed("static-O0", Group::Static, "gcc", &["-O0", SHORT_RUNS]),
    fixed("static-clang", Group::Static, "clang", &["-O", SHORT_RUNS]),
    fixed("static-struct", Group::Static, "gcc", &["-O1", "-fupc-pts=struct"]),

    form("checked", Group::Checked, "gcc", &["-O0", "-fupc-checks", "-DCHECKED"], &[]),
    form("checked-clang", Group::Checked, "clang", &["-O1", "-fupc-checks", "-DCHECKED"], &[]),
    form("checked-struct", Group::Checked, "gcc", &["-O1", "-fupc-checks", "-DCHECKED", "-fupc-pts=struct"], &[]),
    form("checked-apart", Group::Checked, "gcc", &["-O0", "-fupc-checks", "-DCHECKED", "-pshm-width=1"], AUTO_CACHE),

    form("inst", Group::Instrumented, "gcc", &["-O", "--inst"], &[]),
    form("inst-local", Group::Instrumented, "clang", &["-O1", "--inst-local", SHORT_RUNS], &[]),
    form("inst-functions", Group::Instrumented, "gcc", &["-O1", "--inst-local", "--inst-functions"], &[]),
    fixed("inst-static", Group::Instrumented, "gcc", &["-O", "--inst-local", "--inst-functions", SHORT_RUNS]),
    form("inst-struct", Group::Instrumented, "gcc", &["-O0", "--inst-local", "-fupc-pts=struct"], &[]),
    form("inst-only", Group::Instrumented, "gcc", &["-O1", INST_ONLY, SHORT_RUNS], &[]),

    form("apart", Group::Apart, "gcc", &["-O", "-pshm-width=1"], NO_CACHE),
    form("apart-small", Group::Apart, "clang", &["-O1", "-pshm-width=1", SHORT_RUNS], SMALL_CACHE),
    form("apart-auto", Group::Apart, "gcc", &["-O0", "-pshm-width=1", SHORT_RUNS], AUTO_CACHE),
    form("apart-as-written", Group::Apart, "gcc", &["-O1", "-pshm-width=1", "-fno-upc-runs", "-fno-upc-updates"], SMALL_CACHE),

    form("messages", Group::Messages, "gcc", &["-O", MESSAGES, "-pshm-width=1"], NO_CACHE),
    form("messages-small", Group::Messages, "gcc", &["-O1", MESSAGES, "-pshm-width=1", SHORT_RUNS], SMALL_CACHE),
    form("messages-auto", Group::Messages, "gcc", &["-O1", MESSAGES, "-pshm-width=1"], AUTO_CACHE),
    form("messages-accesses", Group::Messages, "gcc", &["-O", MESSAGES, "-pshm-width=1", "-fno-upc-strips", "-fno-upc-gathers", "-fno-upc-scatters", "-fno-upc-updates", SHORT_RUNS], AUTO_CACHE),
    form("messages-together", Group::Messages, "gcc", &["-O", MESSAGES, SHORT_RUNS], &[]),
];

/// The flag with which loops go through the shortest blocks by private pointers. Programs that test layouts have short
/// ones.
const SHORT_RUNS: &str = "-fupc-runs=1";

/// The flag before the list of events to raise; the list is added when a program is compiled.
pub const INST_ONLY: &str = "--inst-only";

impl Form {
    pub fn over_messages(&self) -> bool {
        self.flags.contains(&MESSAGES)
    }

    /// Returns the reason why the form cannot run on this machine; `None`: it can.
    pub fn missing(&self) -> Option<String> {
        let clang = (self.cc == "clang").then_some(Need::Clang);
        let emulated = machines::needs(self.cc);
        let by_ucx = self.flags.contains(&BY_UCX);
        let ucx = by_ucx.then_some(Need::Ucx);
        // Its launcher starts programs with UCX, too.
        let mpi = (by_ucx || self.over_messages()).then_some(Need::OpenMpi);
        let needs: Vec<Need> = clang
            .into_iter()
            .chain(mpi)
            .chain(ucx)
            .chain(emulated)
            .collect();
        tools::missing(&needs)
    }
}

/// Returns a hash of a name that is the same on every machine and in every release.
pub fn hash(name: &str) -> u64 {
    let mut hasher = SipHasher13::new_with_keys(0, 0);
    hasher.write(name.as_bytes());
    hasher.finish()
}

/// Returns whether a run takes what has this name: a long run all, a normal run one in `one_in`.
pub fn is_taken(name: &str, one_in: u64, long: bool) -> bool {
    long || hash(name).is_multiple_of(one_in)
}

/// Returns every second element, the first or the second by the hash of `name`; at least one if there is any. A long run
/// takes all.
pub fn every_second<T: Copy>(name: &str, all: &[T], long: bool) -> Vec<T> {
    if long {
        return all.to_vec();
    }
    let second = all.len() > 1 && !hash(name).is_multiple_of(2);
    let first = usize::from(second);
    all.iter().copied().skip(first).step_by(2).collect()
}

/// Returns an element that the hash of `name` chooses; `None`: there is none.
pub fn choose<'a, T>(name: &str, all: &'a [T]) -> Option<&'a T> {
    let count = u64::try_from(all.len()).ok()?;
    all.get(usize::try_from(hash(name).checked_rem(count)?).ok()?)
}

/// Returns the forms in which a program of this name runs, of those that `fit` accepts.
pub fn chosen(program: &str, long: bool, fit: impl Fn(&Form) -> bool) -> Vec<&'static Form> {
    // A program for static THREADS only always has a form of that group.
    let plain = FORMS
        .iter()
        .any(|form| form.group == Group::Plain && fit(form));
    let of_group = |group: Group| {
        let one_in = match group {
            Group::Static if !plain => 1,
            _ => group.one_in(),
        };
        let fit: Vec<&'static Form> = FORMS
            .iter()
            .filter(|form| form.group == group && fit(form))
            .collect();
        let key = format!("{program} {group:?}");
        match long {
            true => fit,
            false if !(hash(&key) >> 32).is_multiple_of(one_in) => Vec::new(),
            false => choose(&key, &fit).copied().into_iter().collect(),
        }
    };
    Group::ALL.into_iter().flat_map(of_group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_forms_differ() {
        let names: std::collections::BTreeSet<&str> = FORMS.iter().map(|form| form.name).collect();
        assert_eq!(names.len(), FORMS.len());
    }

    #[test]
    fn many_programs_reach_every_form() {
        let programs: Vec<String> = (0..400).map(|n| format!("program {n}")).collect();
        let reached: std::collections::BTreeSet<&str> = programs
            .iter()
            .flat_map(|program| chosen(program, false, |_| true))
            .map(|form| form.name)
            .collect();
        assert_eq!(reached.len(), FORMS.len());
    }

    #[test]
    fn a_program_keeps_its_forms() {
        let names = |program| {
            let forms = chosen(program, false, |_| true);
            forms.iter().map(|form| form.name).collect::<Vec<_>>()
        };
        assert_eq!(names("locks"), names("locks"));
        assert_eq!(choose("locks", &[1, 2, 3]), choose("locks", &[1, 2, 3]));
        assert_eq!(choose::<u8>("locks", &[]), None);
    }

    #[test]
    fn a_long_run_takes_every_form() {
        assert_eq!(chosen("locks", true, |_| true).len(), FORMS.len());
    }
}
