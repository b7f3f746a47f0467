//! A recording built in memory, for tests.

use super::format::LoopEntry;
use super::model::{
    Arg, Count, Damage, Event, Events, Facts, KindId, Loop, Object, Phase, Profile, Recording,
    Site, SiteId, Tables, TextId, Thread,
};
use super::{kinds, loops};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// A recording whose parts are public.
#[derive(Clone, Debug)]
pub struct Memory {
    /// Facts of the run.
    pub facts: Facts,
    /// Its threads.
    pub threads: Vec<Thread>,
    /// The tables of ids; initially the kinds are those of the table of events.
    pub tables: Tables,
    /// Its events: each thread's in the order of time.
    pub events: Vec<Vec<Event>>,
    /// Its profile.
    pub profile: Option<Profile>,
    /// Its counts.
    pub counts: Vec<Count>,
    /// The damage that it reports.
    pub damage: Vec<Damage>,
}

impl Memory {
    /// Returns a run of that many threads without events.
    pub fn new(threads: u32) -> Memory {
        let none = Site {
            file: TextId(0),
            line: 0,
            column: 0,
            type_name: None,
            name: None,
        };
        Memory {
            facts: Facts {
                threads,
                ..Facts::default()
            },
            threads: (0..threads).map(Thread::unknown).collect(),
            tables: Tables {
                texts: vec![String::new()],
                sites: vec![none],
                kinds: kinds::of_table(),
                objects: Vec::new(),
                loops: Vec::new(),
                remarks: BTreeMap::new(),
            },
            events: vec![Vec::new(); threads as usize],
            profile: None,
            counts: Vec::new(),
            damage: Vec::new(),
        }
    }

    /// Returns the id of a text.
    pub fn text(&mut self, text: &str) -> TextId {
        let texts = &mut self.tables.texts;
        let at = texts.iter().position(|known| known == text);
        let at = at.unwrap_or_else(|| {
            texts.push(text.to_owned());
            texts.len() - 1
        });
        TextId(at as u32)
    }

    /// Returns the id of a place.
    pub fn site(&mut self, file: &str, line: u32, column: u32, name: &str) -> SiteId {
        let site = Site {
            file: self.text(file),
            line,
            column,
            type_name: None,
            name: (!name.is_empty()).then(|| self.text(name)),
        };
        self.tables.sites.push(site);
        SiteId(self.tables.sites.len() as u32 - 1)
    }

    /// Returns the id of a new kind of the user's.
    pub fn user_kind(&mut self, name: &str, description: Option<&str>) -> KindId {
        self.tables.kinds.push(kinds::of_user(name, description));
        KindId(self.tables.kinds.len() as u32 - 1)
    }

    /// Adds a loop of the program: its first and last line and column. An outer loop is added before those in it.
    pub fn add_loop(&mut self, kind: LoopEntry, file: &str, first: (u32, u32), last: (u32, u32)) {
        let file = self.text(file);
        let text = (file, first, Reverse(last), kind as u64);
        loops::define(&mut self.tables, &BTreeSet::from([text]), |tables, site| {
            tables.sites.push(site);
            SiteId(tables.sites.len() as u32 - 1)
        });
        let sites = &self.tables.sites;
        let order = |of: &Loop| {
            let site = &sites[of.first.0 as usize];
            (site.file, site.line, site.column, Reverse(of.last))
        };
        self.tables.loops.sort_by_key(order);
    }

    /// Adds what the compiler does with a reference at a line and column.
    pub fn add_remark(&mut self, file: &str, (line, column): (u32, u32), remark: &str) {
        let (file, remark) = (self.text(file), self.text(remark));
        self.tables.remarks.insert((file, line, column), remark);
    }

    /// Adds a static shared object; objects are added in the order of their addresses.
    pub fn object(&mut self, object: Object) {
        self.tables.objects.push(object);
    }

    /// Adds an event of the kind `name`; does nothing if there is no such kind.
    pub fn event(
        &mut self,
        thread: u32,
        time: u64,
        name: &str,
        phase: Phase,
        site: SiteId,
        args: &[Arg],
    ) {
        let Some(kind) = self.tables.kind_named(name) else {
            return;
        };
        let mut event = Event {
            time,
            thread,
            pthread: 0,
            kind,
            phase,
            site,
            traffic: None,
            bytes: 0,
            delayed: 0,
            written: 0,
            args: args.to_vec(),
            counters: Vec::new(),
            weight: 1,
        };
        kinds::complete(self.tables.kind(kind), &mut event);
        let of = &mut self.threads[thread as usize];
        of.last = of.last.max(time);
        self.events[thread as usize].push(event);
    }

    /// Adds a start and an end with the same arguments.
    pub fn pair(&mut self, thread: u32, times: (u64, u64), name: &str, site: SiteId, args: &[Arg]) {
        self.event(thread, times.0, name, Phase::Start, site, args);
        self.event(thread, times.1, name, Phase::End, site, args);
    }
}

/// Events in a list of references.
struct List<'m>(std::vec::IntoIter<&'m Event>, Option<&'m Event>);

impl Events for List<'_> {
    fn next(&mut self) -> Option<&Event> {
        self.1 = self.0.next();
        self.1
    }
}

impl Recording for Memory {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn threads(&self) -> &[Thread] {
        &self.threads
    }

    fn tables(&self) -> &Tables {
        &self.tables
    }

    fn profile(&self) -> Option<&Profile> {
        self.profile.as_ref()
    }

    fn counts(&self) -> &[Count] {
        &self.counts
    }

    fn has_trace(&self) -> bool {
        self.events.iter().any(|events| !events.is_empty())
    }

    fn events(&self, thread: u32) -> Box<dyn Events + '_> {
        let events = self.events.get(thread as usize);
        let list: Vec<&Event> = events.into_iter().flatten().collect();
        Box::new(List(list.into_iter(), None))
    }

    fn pthreads(&self, _thread: u32) -> Vec<u32> {
        Vec::new()
    }

    fn pthread_events(&self, thread: u32, _pthread: u32) -> Box<dyn Events + '_> {
        self.events(thread)
    }

    fn merged(&self) -> Box<dyn Events + '_> {
        let mut list: Vec<&Event> = self.events.iter().flatten().collect();
        list.sort_by_key(|event| event.time);
        Box::new(List(list.into_iter(), None))
    }

    fn damage(&self) -> Vec<Damage> {
        self.damage.clone()
    }
}
