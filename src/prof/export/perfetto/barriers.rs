//! The program's barriers, from the first thread's arrival to the last one's: the time that the threads take to meet.

/// The effect of a thread's arrival at or departure from a barrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The first thread arrives at the barrier with this number, starting at 1.
    First(u64),
    /// No change.
    Nothing,
    /// The last thread arrives; `first` is the one that arrived first.
    Last { first: u32 },
    /// The event is impossible, so events are missing in the recording. No further barriers are shown.
    Lost,
}

/// Follows all threads from barrier to barrier. No thread leaves a barrier before all have arrived, so barriers do not
/// overlap.
pub struct Barriers {
    arrived: Vec<bool>,
    missing: usize,
    first: u32,
    number: u64,
    lost: bool,
}

impl Barriers {
    pub fn new(threads: usize) -> Barriers {
        Barriers {
            arrived: vec![false; threads],
            missing: threads,
            first: 0,
            number: 0,
            lost: false,
        }
    }

    /// Returns whether some threads have arrived and others have not.
    pub fn waiting(&self) -> bool {
        !self.lost && self.missing < self.arrived.len()
    }

    pub fn arrive(&mut self, thread: u32) -> Step {
        let threads = self.arrived.len();
        // A single thread never waits.
        if self.lost || threads < 2 {
            return Step::Nothing;
        }
        match self.arrived.get_mut(thread as usize) {
            Some(there) if !*there => *there = true,
            _ => return self.lose(),
        }
        self.missing -= 1;
        if self.missing + 1 == threads {
            self.first = thread;
            self.number += 1;
            Step::First(self.number)
        } else if self.missing == 0 {
            self.arrived.fill(false);
            self.missing = threads;
            Step::Last { first: self.first }
        } else {
            Step::Nothing
        }
    }

    pub fn leave(&mut self, thread: u32) -> Step {
        match self.arrived.get(thread as usize) {
            Some(true) if !self.lost => self.lose(),
            _ => Step::Nothing,
        }
    }

    fn lose(&mut self) -> Step {
        self.lost = true;
        Step::Lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrivals_in_any_order() {
        let mut barriers = Barriers::new(3);
        assert_eq!(barriers.arrive(1), Step::First(1));
        assert_eq!(barriers.arrive(0), Step::Nothing);
        assert!(barriers.waiting());
        assert_eq!(barriers.arrive(2), Step::Last { first: 1 });
        assert!(!barriers.waiting());
        assert_eq!(barriers.leave(2), Step::Nothing);
        assert_eq!(barriers.arrive(2), Step::First(2));
        assert_eq!(barriers.leave(0), Step::Nothing);
        // Thread 2 leaves a barrier that the others have not arrived at.
        assert_eq!(barriers.leave(2), Step::Lost);
        assert_eq!(barriers.arrive(0), Step::Nothing);
        assert!(!barriers.waiting());
    }

    #[test]
    fn one_thread_has_no_barriers() {
        let mut barriers = Barriers::new(1);
        assert_eq!(barriers.arrive(0), Step::Nothing);
        assert_eq!(barriers.leave(0), Step::Nothing);
    }
}
