//! Reads the blocks PROFILE, SAMPLES and COUNTS.

use super::define::{EventSite, Local};
use crate::prof::format::varint;
use crate::prof::model::{
    Cell, Count, Frame, Key, KindId, PathId, Profile, Samples, Shared, SiteId, Tables,
};
use hashbrown::HashMap;

/// The address of a node's first event: its object is looked up when all objects are known.
type Address = u64;

/// Profiles and counts of all threads.
#[derive(Default)]
pub struct Trees {
    paths: Vec<Frame>,
    known: HashMap<Frame, PathId>,
    /// The path of each thread's nodes, and the cell if the node has one.
    nodes: HashMap<(u32, u64), (PathId, Option<usize>)>,
    cells: Vec<(Key, Address, Cell)>,
    seen: bool,
    counts: Vec<Count>,
}

impl Trees {
    /// Reads a PROFILE block. `None`: the rest of it is invalid.
    pub fn profile(
        &mut self,
        thread: u32,
        local: &Local,
        event_sites: &[EventSite],
        counters: usize,
        mut bytes: &[u8],
    ) -> Option<()> {
        self.seen = true;
        let bytes = &mut bytes;
        let first = varint(bytes)?;
        let count = varint(bytes)?;
        for node in 0..count {
            let mut next = || varint(bytes);
            let (parent, event_site) = (next()?, next()?);
            let (peer, address) = (next()?, next()?);
            let mut cell = Cell {
                count: next()?,
                missed: 0,
                timed: next()?,
                total: next()?,
                own: next()?,
                min: next()?,
                max: next()?,
                bytes: next()?,
                min_bytes: next()?,
                max_bytes: next()?,
                first: (address != 0).then_some(address),
                counters: Vec::new(),
                samples: Samples::default(),
            };
            for _ in 0..counters {
                cell.counters.push((next()?, next()?));
            }
            if cell.timed == 0 {
                cell.min = u64::MAX;
            }
            if cell.max_bytes == 0 {
                cell.min_bytes = u64::MAX;
            }
            let parent = match parent {
                0 => PathId::ROOT,
                node => self.nodes.get(&(thread, node))?.0,
            };
            let event_site = &event_sites[local.event_site(event_site)?];
            let path = self.path(Frame {
                parent,
                kind: event_site.kind,
                site: event_site.site,
            });
            let key = Key {
                thread,
                path,
                peer: peer
                    .checked_sub(1)
                    .and_then(|peer| u32::try_from(peer).ok()),
                object: None,
            };
            // Nodes of functions that only lead to other nodes have no counts of their own.
            let index = (cell.count > 0).then_some(self.cells.len());
            if cell.count > 0 {
                self.cells.push((key, address, cell));
            }
            let number = first.wrapping_add(node);
            self.nodes.insert((thread, number), (path, index));
        }
        Some(())
    }

    /// Reads a SAMPLES block, which follows the nodes that it refers to. `None`: the rest of it is invalid.
    pub fn samples(&mut self, thread: u32, mut bytes: &[u8]) -> Option<()> {
        let bytes = &mut bytes;
        while !bytes.is_empty() {
            let node = varint(bytes)?;
            let mut samples = Samples {
                counted: varint(bytes)?,
                passed: varint(bytes)?,
                classes: Vec::new(),
            };
            for _ in 0..varint(bytes)? {
                samples.classes.push((varint(bytes)?, varint(bytes)?));
            }
            let (_, cell) = self.nodes.get(&(thread, node))?;
            if let Some(cell) = *cell {
                self.cells[cell].2.samples = samples;
            }
        }
        Some(())
    }

    /// Reads a COUNTS block. `None`: the rest of it is invalid.
    pub fn counts(
        &mut self,
        thread: u32,
        local: &Local,
        event_sites: &[EventSite],
        mut bytes: &[u8],
    ) -> Option<()> {
        let bytes = &mut bytes;
        let first = varint(bytes)?;
        let count = varint(bytes)?;
        for number in 0..count {
            let (raised, recorded) = (varint(bytes)?, varint(bytes)?);
            let event_site = &event_sites[local.event_site(first.wrapping_add(number))?];
            self.counts.push(Count {
                thread,
                kind: event_site.kind,
                phase: event_site.phase,
                site: event_site.site,
                raised,
                recorded,
            });
        }
        Some(())
    }

    /// Returns the result; no profile if there were no profile blocks. `ns`: the duration of this number of ticks of a
    /// thread.
    pub fn finish(
        self,
        tables: &Tables,
        ns: impl Fn(u32, u64) -> u64,
    ) -> (Option<Profile>, Vec<Count>) {
        let mut cells: HashMap<Key, Cell> = HashMap::new();
        for (mut key, addr, mut cell) in self.cells {
            for ticks in [&mut cell.total, &mut cell.own, &mut cell.max] {
                *ticks = ns(key.thread, *ticks);
            }
            if cell.timed > 0 {
                cell.min = ns(key.thread, cell.min);
            }
            let samples = &mut cell.samples;
            let classes = samples.classes.iter_mut().map(|(_, ticks)| ticks);
            for ticks in classes.chain([&mut samples.passed]) {
                *ticks = ns(key.thread, *ticks);
            }
            let place = Shared {
                addr,
                ..Shared::default()
            };
            key.object = (addr != 0).then(|| tables.object_at(place)).flatten();
            cells.entry(key).or_default().add(&cell);
        }
        let mut cells: Vec<(Key, Cell)> = cells.into_iter().collect();
        cells.sort_by_key(|(key, _)| *key);
        let mut paths = vec![root()];
        paths.extend(self.paths);
        let profile = Profile { paths, cells };
        (self.seen.then_some(profile), self.counts)
    }

    fn path(&mut self, frame: Frame) -> PathId {
        let paths = &mut self.paths;
        *self.known.entry(frame).or_insert_with(|| {
            paths.push(frame);
            // The root comes before them.
            PathId(paths.len() as u32)
        })
    }
}

fn root() -> Frame {
    Frame {
        parent: PathId::ROOT,
        kind: KindId(0),
        site: SiteId::NONE,
    }
}
