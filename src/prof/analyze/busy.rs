//! What the owner of memory does while another thread accesses it: as a rule, an owner that computes does not answer at
//! once, where an access is a message.

use super::super::model::{Event, Kind, KindId, Phase};
use hashbrown::HashMap;

/// A thread, as far as it computes.
#[derive(Default)]
struct Thread {
    /// The operations under way, without those in which the program's own code runs.
    open: Vec<KindId>,
    /// The time of its last event, and how long it has computed until then.
    at: u64,
    computed: u64,
}

impl Thread {
    /// How long it has computed until then.
    fn until(&self, time: u64) -> u64 {
        match self.open.is_empty() {
            true => self.computed + time.saturating_sub(self.at),
            false => self.computed,
        }
    }
}

/// The threads of the run.
#[derive(Default)]
pub(super) struct Owners {
    threads: HashMap<u32, Thread>,
    /// By thread and pthread that accesses memory: the owner, and how long that had computed at the start.
    accesses: HashMap<(u32, u32), (u32, u64)>,
    /// For how long the owner computed during the access that the last event has ended.
    during: Option<u64>,
}

impl Owners {
    /// Takes the next event of all threads. An owner computes if its first pthread does.
    pub(super) fn event(&mut self, kind: &Kind, event: &Event) {
        self.during = None;
        let pthread = (event.thread, event.pthread);
        let peer = event.traffic.map(|traffic| traffic.peer(event.thread));
        if let Some(peer) = peer.filter(|peer| *peer != event.thread) {
            let owner = self.threads.get(&peer);
            let computed = owner.map_or(0, |owner| owner.until(event.time));
            match event.phase {
                Phase::Start => {
                    self.accesses.insert(pthread, (peer, computed));
                }
                Phase::End => {
                    let access = self.accesses.remove(&pthread);
                    let access = access.filter(|(owner, _)| *owner == peer);
                    self.during = access.map(|(_, before)| computed.saturating_sub(before));
                }
                Phase::Atomic => {}
            }
        }
        if event.pthread == 0 && kind.nested && !kind.group.facts().computes {
            self.thread(event);
        }
    }

    fn thread(&mut self, event: &Event) {
        let fresh = || Thread {
            at: event.time,
            ..Thread::default()
        };
        let thread = self.threads.entry(event.thread).or_insert_with(fresh);
        thread.computed = thread.until(event.time);
        thread.at = event.time;
        match event.phase {
            Phase::Start => thread.open.push(event.kind),
            Phase::End => {
                if let Some(at) = thread.open.iter().rposition(|kind| *kind == event.kind) {
                    thread.open.remove(at);
                }
            }
            Phase::Atomic => {}
        }
    }

    /// Returns for how many nanoseconds the owner computed during the access that the last event has ended.
    pub(super) fn during(&self) -> Option<u64> {
        self.during
    }
}
