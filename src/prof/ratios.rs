//! Ratios of what was counted, such as instructions per cycle: those that the user names, or else some that are of use for
//! most programs.

use super::model::Cell;

/// The parts of one in which ratios are given.
pub const PARTS: u64 = 1_000_000;

/// Ratios of counters that are shown if the recording has both: numerator and denominator.
#[rustfmt::skip]
const USEFUL: &[(&str, &str)] = &[
    ("instructions", "cycles"),
    ("stalled-cycles-frontend", "cycles"),
    ("stalled-cycles-backend", "cycles"),
    ("branch-misses", "branches"),
    ("cache-misses", "cache-references"),
    ("cache-misses", "instructions"),
    ("L1-dcache-load-misses", "L1-dcache-loads"),
    ("LLC-load-misses", "LLC-loads"),
    ("dTLB-load-misses", "dTLB-loads"),
    ("task-clock", "self"),
    ("page-faults", "calls"),
    ("context-switches", "calls"),
];

/// A number of an event or of many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    /// A counter, by its index in the recording.
    Counter(usize),
    /// The number of events.
    Calls,
    /// The bytes that they move.
    Bytes,
    /// Their nanoseconds, without those of events inside.
    Own,
}

/// The terms that every recording has, by name.
const TERMS: &[(&str, Term)] = &[
    ("calls", Term::Calls),
    ("bytes", Term::Bytes),
    ("self", Term::Own),
];

/// One number divided by another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ratio {
    /// Both names with a slash between them.
    pub name: String,
    /// What is divided.
    pub over: Term,
    /// By what it is divided.
    pub under: Term,
}

impl Term {
    fn named(counters: &[String], name: &str) -> Option<Term> {
        let counter = counters.iter().position(|counter| counter == name);
        let other = || TERMS.iter().find(|(term, _)| *term == name);
        counter
            .map(Term::Counter)
            .or_else(|| other().map(|(_, term)| *term))
    }

    /// The number. Counters are those without events inside, as times are.
    fn of(self, counted: &Cell) -> Option<u64> {
        match self {
            Term::Counter(at) => counted.counters.get(at).map(|(_, own)| *own),
            Term::Calls => Some(counted.count),
            Term::Bytes => Some(counted.bytes),
            Term::Own => Some(counted.own),
        }
    }
}

impl Ratio {
    fn named(counters: &[String], over: &str, under: &str) -> Option<Ratio> {
        Some(Ratio {
            name: format!("{over}/{under}"),
            over: Term::named(counters, over)?,
            under: Term::named(counters, under)?,
        })
    }

    /// Returns the ratio in millionths. None: the denominator is 0, or nothing was counted.
    pub fn of(&self, counted: &Cell) -> Option<u64> {
        let over = u128::from(self.over.of(counted)?) * u128::from(PARTS);
        let ratio = over.checked_div(u128::from(self.under.of(counted)?))?;
        Some(u64::try_from(ratio).unwrap_or(u64::MAX))
    }

    /// True if both numbers are counters.
    pub fn is_of_counters(&self) -> bool {
        let is_counter = |term| matches!(term, Term::Counter(_));
        is_counter(self.over) && is_counter(self.under)
    }
}

/// Returns the ratios that are of use with these counters.
pub fn useful(counters: &[String]) -> Vec<Ratio> {
    let of = |(over, under): &(&str, &str)| Ratio::named(counters, over, under);
    USEFUL.iter().filter_map(of).collect()
}

/// Returns the ratios that the user wants, each as `OVER/UNDER`; without any, those that are of use.
///
/// # Errors
/// A word has no slash, or names neither a counter of the recording nor a term that every recording has.
pub fn asked(counters: &[String], words: &[String]) -> Result<Vec<Ratio>, String> {
    if words.is_empty() {
        return Ok(useful(counters));
    }
    let of = |word: &String| {
        let parts = word.split_once('/');
        parts
            .and_then(|(over, under)| Ratio::named(counters, over.trim(), under.trim()))
            .ok_or_else(|| {
                let terms = TERMS.iter().map(|(term, _)| *term);
                let names = counters.iter().map(String::as_str).chain(terms);
                let names = names.collect::<Vec<_>>().join(", ");
                format!("`{word}` is not A/B of these numbers of the recording: {names}")
            })
    };
    words.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(of: &[&str]) -> Vec<String> {
        of.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn useful_ratios_need_both_counters() {
        let names = |counters: &[&str]| -> Vec<String> {
            let ratios = useful(&words(counters)).into_iter();
            ratios.map(|ratio| ratio.name).collect()
        };
        assert_eq!(
            names(&["cycles", "instructions", "cache-misses"]),
            ["instructions/cycles", "cache-misses/instructions"]
        );
        assert_eq!(names(&["branches", "LLC-loads"]), [""; 0]);
        assert_eq!(names(&["task-clock"]), ["task-clock/self"]);
    }

    #[test]
    fn a_ratio_divides_what_events_count_themselves() {
        let counted = Cell {
            count: 4,
            own: 1_000,
            bytes: 64,
            counters: vec![(900, 300), (500, 200), (7, 0)],
            ..Cell::default()
        };
        let counters = words(&["instructions", "cycles", "page-faults"]);
        let of = |word: &str| asked(&counters, &words(&[word])).unwrap()[0].of(&counted);
        assert_eq!(of("instructions/cycles"), Some(1_500_000));
        assert_eq!(of("cycles/calls"), Some(50_000_000));
        assert_eq!(of("cycles / bytes"), Some(3_125_000));
        assert_eq!(of("bytes/self"), Some(64_000));
        assert_eq!(of("page-faults/calls"), Some(0));
        assert_eq!(of("cycles/page-faults"), None);
        assert_eq!(of("self/calls"), Some(250_000_000));
    }

    #[test]
    fn a_wrong_ratio_is_told_what_the_recording_has() {
        for wrong in ["cycles", "cycles/misses", "/", "misses/cycles"] {
            let error = asked(&words(&["cycles"]), &words(&[wrong])).unwrap_err();
            assert!(
                error.starts_with(&format!("`{wrong}` is not A/B")),
                "{error}"
            );
            assert!(error.ends_with("cycles, calls, bytes, self"), "{error}");
        }
    }
}
