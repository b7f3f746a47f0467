//! In which forms a program is compiled and run.

use crate::rng::Rng;
use crate::tools::{answers, compilers};

use super::model::Program;

/// A row of the table: how a program may be compiled and run.
pub struct Kind {
    pub name: &'static str,
    /// How often it is chosen.
    weight: usize,
    flags: &'static [&'static str],
    /// Sets of variables of which a run gets one.
    settings: &'static [&'static [(&'static str, &'static str)]],
    /// Accesses are counted by a tool: all, or those of other threads' objects.
    counts: Option<Counts>,
    /// More threads than these say nothing more.
    threads: u32,
    /// It needs MPI.
    messages: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Counts {
    All,
    Remote,
}

const NO_SETTING: &[&[(&str, &str)]] = &[&[]];

/// No cache, one of a few short lines, the usual one, and one that a thread's own bandwidth switches on.
const CACHES: &[&[(&str, &str)]] = &[
    &[("UPC_CACHE", "off")],
    &[
        ("UPC_CACHE", "on"),
        ("UPC_CACHE_LINE", "64"),
        ("UPC_CACHE_LINES", "16"),
    ],
    &[("UPC_CACHE", "on")],
    &[("UPC_PSHM_DELAY", "1")],
];

const fn kind(name: &'static str, weight: usize, flags: &'static [&'static str]) -> Kind {
    Kind {
        name,
        weight,
        flags,
        settings: NO_SETTING,
        counts: None,
        threads: 8,
        messages: false,
    }
}

const KINDS: &[Kind] = &[
    kind("plain", 6, &[]),
    kind("structs", 3, &["-fupc-pts=struct"]),
    kind("checked", 3, &["-fupc-checks"]),
    Kind {
        counts: Some(Counts::Remote),
        ..kind("inst", 3, &["--inst"])
    },
    Kind {
        counts: Some(Counts::All),
        ..kind("inst-local", 3, &["--inst-local"])
    },
    Kind {
        counts: Some(Counts::All),
        ..kind(
            "inst-functions",
            1,
            &["--inst-local", "--inst-functions", "-fupc-pts=struct"],
        )
    },
    Kind {
        counts: Some(Counts::All),
        ..kind("inst-checked", 1, &["--inst-local", "-fupc-checks"])
    },
    Kind {
        settings: CACHES,
        ..kind("apart", 4, &["-pshm-width=1"])
    },
    Kind {
        settings: CACHES,
        ..kind("apart-structs", 1, &["-pshm-width=1", "-fupc-pts=struct"])
    },
    Kind {
        settings: CACHES,
        counts: Some(Counts::Remote),
        ..kind("apart-inst", 1, &["-pshm-width=1", "--inst"])
    },
    Kind {
        settings: CACHES,
        threads: 4,
        messages: true,
        ..kind("messages", 1, &["-network=mpi", "-pshm-width=1"])
    },
];

/// One compilation and one run.
pub struct Form {
    pub kind: &'static Kind,
    pub cc: &'static str,
    pub level: &'static str,
    pub setting: &'static [(&'static str, &'static str)],
}

impl Form {
    /// The form of a program; a hash of its seed chooses, so that the form stays when others come and go.
    pub fn of(program: &Program, named: Option<&str>) -> Result<Form, String> {
        // Not the numbers that the program is made of.
        let mut rng = Rng::new(program.seed ^ 0x666f_726d);
        let kind = match named {
            Some(name) => KINDS
                .iter()
                .find(|kind| kind.name == name)
                .ok_or_else(|| format!("no form `{name}`: there are {}", names().join(", ")))?,
            None => chosen(&mut rng, program),
        };
        let level = *rng.pick(&["-O0", "-O0", "-O2", "-O2", "-O"]);
        let cc = *rng.pick(compilers());
        let setting = *rng.pick(kind.settings);
        Ok(Form {
            kind,
            cc,
            level,
            setting,
        })
    }

    /// What `upcc` is told.
    pub fn flags(&self, program: &Program) -> Vec<String> {
        let mut flags: Vec<String> = self.kind.flags.iter().map(|f| f.to_string()).collect();
        flags.extend([self.level.to_string(), "-fwrapv".to_string()]);
        flags.extend(program.fixed.then(|| format!("-T={}", program.threads)));
        flags
    }

    pub fn counts(&self) -> Option<Counts> {
        self.kind.counts
    }

    pub fn in_words(&self, program: &Program) -> String {
        let set: Vec<String> = self
            .setting
            .iter()
            .map(|(name, value)| format!("{name}={value} "))
            .collect();
        format!(
            "form {}: UPCC_CC={} upcc {}; {}upcrun -n {}",
            self.kind.name,
            self.cc,
            self.flags(program).join(" "),
            set.concat(),
            program.threads
        )
    }
}

pub fn names() -> Vec<&'static str> {
    KINDS.iter().map(|kind| kind.name).collect()
}

fn chosen(rng: &mut Rng, program: &Program) -> &'static Kind {
    let usable = |kind: &Kind| {
        program.threads <= kind.threads && (!kind.messages || answers("mpicc", &["-show"]))
    };
    let total: usize = KINDS.iter().map(|kind| kind.weight).sum();
    loop {
        let mut number = rng.below(total);
        for kind in KINDS {
            match number < kind.weight {
                true if usable(kind) => return kind,
                true => break,
                false => number -= kind.weight,
            }
        }
    }
}
