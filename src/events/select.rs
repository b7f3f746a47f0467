//! Which events a unit is to raise: the flags of instrumentation (GASP A.3.1, PUPC 1.1 section 3.4.1).

use super::table::{EVENTS, Event, Group};
use hashbrown::HashSet;

/// A set of events, by their index in [`EVENTS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EventSet(u128);

impl EventSet {
    /// Every event.
    pub fn all() -> EventSet {
        (0..EVENTS.len()).fold(EventSet::default(), EventSet::with)
    }

    /// The set, and the event with this index in it.
    #[must_use]
    pub fn with(self, index: usize) -> EventSet {
        EventSet(self.0 | 1 << index)
    }

    /// The set, and all events of a group in it.
    #[must_use]
    pub fn with_group(self, group: Group) -> EventSet {
        members(group).fold(self, EventSet::with)
    }

    /// The set without this event.
    #[must_use]
    pub fn without(self, index: usize) -> EventSet {
        EventSet(self.0 & !(1 << index))
    }

    /// The set without the events of a group.
    #[must_use]
    pub fn without_group(self, group: Group) -> EventSet {
        EventSet(self.0 & !EventSet::default().with_group(group).0)
    }

    /// True for an event of the set.
    pub fn has(self, index: usize) -> bool {
        self.0 >> index & 1 == 1
    }

    /// The masks of `UPCR_INST_UNIT`: events 0 to 63, and those from 64 on.
    pub fn words(self) -> (u64, u64) {
        (self.0 as u64, (self.0 >> 64) as u64)
    }
}

fn members(group: Group) -> impl Iterator<Item = usize> {
    let events = EVENTS.iter().enumerate();
    events.filter_map(move |(index, event)| (event.group == group).then_some(index))
}

/// How a unit is instrumented.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instrument {
    /// Accesses that turn out local raise events too (`--inst-local`).
    pub local: bool,
    /// Tools may ask for the pairs that overlap others.
    on_request: bool,
    /// The events to raise.
    pub events: EventSet,
    /// Functions whose entry and exit raise none (`--exclude-functions`).
    pub exclude: HashSet<String>,
    /// Strict accesses only, or relaxed ones only, as a list in names of PUPC 1.1 can ask for: events that are left out where the access is
    /// (strict, relaxed).
    pub left_out: [EventSet; 2],
}

/// Of the second mask of `UPCR_INST_UNIT`: accesses that turn out local raise events, too (`UPCR_INST_LOCAL`).
const LOCAL: u64 = 1 << 63;
/// Of the same: no list says which events to raise, so pairs that overlap others are raised for tools that ask for them (`UPCR_INST_ON_REQUEST`).
const ON_REQUEST: u64 = 1 << 62;

impl Instrument {
    /// The masks of `UPCR_INST_UNIT`.
    pub fn words(&self) -> (u64, u64) {
        let (low, high) = self.events.words();
        let local = if self.local { LOCAL } else { 0 };
        let on_request = if self.on_request { ON_REQUEST } else { 0 };
        (low, high | local | on_request)
    }

    /// `--inst`: all but local accesses, functions and pairs that overlap others.
    pub fn new() -> Instrument {
        let overlapping = OVERLAPPING.iter().filter_map(|name| super::find(name));
        let all = EventSet::all().without_group(Group::Function);
        Instrument {
            local: false,
            on_request: true,
            events: overlapping.fold(all, EventSet::without),
            exclude: HashSet::new(),
            left_out: [EventSet::default(); 2],
        }
    }

    /// True if strict or relaxed accesses are to raise this event.
    pub fn wants_access(&self, event: usize, strict: bool) -> bool {
        self.events.has(event) && !self.left_out[usize::from(!strict)].has(event)
    }

    /// `--inst-only`: raises the events that a list names, one symbol a line. Gives back what is no event.
    pub fn only(&mut self, list: &str) -> Vec<String> {
        let mut unknown = Vec::new();
        self.events = EventSet::default();
        self.on_request = false;
        for name in words(list) {
            match super::find(name) {
                Some(index) => self.events = self.events.with(index),
                // Tools list them too; user events are raised in any case.
                None if name.starts_with("GASP_UPC_USEREVT") => {}
                None => unknown.push(name.to_owned()),
            }
        }
        unknown
    }

    /// Events that the runtime raises within operations of which none raises its own event, each with those operations' events: they never come.
    pub fn without_operation(&self) -> Vec<(&'static str, &'static [&'static str])> {
        let asks = |name: &&str| super::find(name).is_some_and(|index| self.events.has(index));
        let lacks = |(event, within): &&(&str, &[&str])| asks(event) && !within.iter().any(asks);
        WITHIN.iter().filter(lacks).copied().collect()
    }

    /// `--profile-partial`: the same in names of PUPC 1.1 without their endings; the ends of the program are always told. Gives back what is no event.
    pub fn partial(&mut self, list: &str) -> Vec<String> {
        let mut unknown = Vec::new();
        self.events = EventSet::default().with_group(Group::Exit);
        self.on_request = false;
        let mut kinds = [EventSet::default(); 2];
        for name in words(list) {
            let found = find_old(name);
            if found.is_empty() && !NO_EVENT_NOW.contains(&name) {
                unknown.push(name.to_owned());
            }
            for (index, kind) in found {
                self.events = self.events.with(index);
                kinds[kind] = kinds[kind].with(index);
            }
        }
        for (kind, wanted) in kinds.into_iter().enumerate() {
            self.left_out[kind] = members(Group::Access)
                .filter(|&index| !wanted.has(index))
                .fold(EventSet::default(), EventSet::with);
        }
        unknown
    }

    /// `--exclude-functions`: one name a line.
    pub fn exclude(&mut self, list: &str) {
        self.exclude.extend(words(list).map(str::to_owned));
    }
}

impl Default for Instrument {
    fn default() -> Instrument {
        Instrument::new()
    }
}

/// Pairs that do not nest where data is under way: many tools of users cannot take them, so they are raised on request. The runtime raises them for tools that
/// ask it, too, with the events of the operations (`runtime-c/src/gasp/events.c`).
const OVERLAPPING: [&str; 2] = ["GASP_UPC_NB_GET_DATA", "GASP_UPC_NB_PUT_DATA"];

/// What only the runtime knows of, and the operations within which it raises that most often.
const WITHIN: [(&str, &[&str]); 5] = [
    ("GASP_UPC_NB_GET_DATA", &["GASP_UPC_NB_GET_INIT"]),
    (
        "GASP_UPC_NB_PUT_DATA",
        &[
            "GASP_UPC_NB_PUT_INIT",
            "GASP_BUPC_NB_MEMCPY_INIT",
            "GASP_UPCC_NB_MEMSET_INIT",
        ],
    ),
    ("GASP_UPC_CACHE_MISS", READS),
    ("GASP_UPC_CACHE_HIT", READS),
    (
        "GASP_UPC_CACHE_INVALIDATE",
        &[
            "GASP_UPC_BARRIER",
            "GASP_UPC_NOTIFY",
            "GASP_UPC_WAIT",
            "GASP_UPC_FENCE",
            "GASP_UPC_LOCK",
            "GASP_UPC_UNLOCK",
            "GASP_UPC_GET",
            "GASP_UPC_PUT",
        ],
    ),
];
const READS: &[&str] = &["GASP_UPC_GET", "GASP_UPC_MEMGET", "GASP_UPC_MEMCPY"];

/// Names of PUPC 1.1 that a list may hold and that ask for nothing: `PUPC_INIT` is told always, and UPC has no `upc_lock_init` any more.
const NO_EVENT_NOW: [&str; 2] = ["PUPC_INIT", "PUPC_LOCK_INIT"];

/// The events with a name of PUPC 1.1, each with 0 if the name means strict accesses, 1 if relaxed ones.
fn find_old(name: &str) -> Vec<(usize, usize)> {
    let named = |(index, event): (usize, &'static Event)| {
        let kinds = event.pupc.iter().enumerate();
        kinds
            .filter(|(_, (old, _))| *old == name)
            .map(move |(kind, _)| (index, kind))
    };
    EVENTS.iter().enumerate().flat_map(named).collect()
}

/// The names in a list: one a line.
fn words(list: &str) -> impl Iterator<Item = &str> {
    list.lines().map(str::trim).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use super::*;

    fn index(symbol: &str) -> usize {
        find(symbol).expect("an event of the table")
    }

    #[test]
    fn all_but_functions_and_pairs_that_overlap() {
        let mut inst = Instrument::new();
        assert!(inst.events.has(index("GASP_UPC_GET")));
        assert!(inst.events.has(index("GASP_UPC_NB_GET_INIT")));
        assert!(!inst.events.has(index("GASP_C_FUNC")));
        assert!(!inst.events.has(index("GASP_UPC_NB_GET_DATA")));
        assert!(!inst.events.has(index("GASP_UPC_NB_PUT_DATA")));
        assert!(inst.only("GASP_UPC_NB_GET_DATA").is_empty());
        assert!(inst.events.has(index("GASP_UPC_NB_GET_DATA")));
        let alone = inst.without_operation();
        assert_eq!(alone, [("GASP_UPC_NB_GET_DATA", WITHIN[0].1)]);
        inst.only("GASP_UPC_NB_GET_DATA\nGASP_UPC_NB_GET_INIT");
        assert!(inst.without_operation().is_empty());
        for (event, within) in WITHIN {
            index(event);
            assert!(within.iter().all(|name| index(name) < EVENTS.len()));
        }
    }

    #[test]
    fn lists_name_events() {
        let mut inst = Instrument::new();
        let unknown =
            inst.only("GASP_UPC_PUT\n\n  GASP_C_FUNC \nGASP_NO_SUCH\nGASP_UPC_USEREVT_START\n");
        assert_eq!(unknown, ["GASP_NO_SUCH"]);
        assert!(
            inst.events.has(index("GASP_C_FUNC")) && inst.wants_access(index("GASP_UPC_PUT"), true)
        );
        assert!(!inst.events.has(index("GASP_UPC_GET")));
    }

    #[test]
    fn old_lists_distinguish_strict_from_relaxed() {
        let mut inst = Instrument::new();
        assert_eq!(
            inst.partial("PUPC_STRICT_PUT\nPUPC_FORALL\nPUPC_INIT\nGASP_UPC_GET\n"),
            ["GASP_UPC_GET"]
        );
        let (get, put) = (index("GASP_UPC_GET"), index("GASP_UPC_PUT"));
        assert!(inst.wants_access(put, true) && !inst.wants_access(put, false));
        assert!(!inst.wants_access(get, true));
        assert!(
            inst.events.has(index("GASP_UPC_FORALL"))
                && inst.events.has(index("GASP_UPC_COLLECTIVE_EXIT"))
        );
        assert!(!inst.events.has(index("GASP_UPC_NOTIFY")));
    }
}
