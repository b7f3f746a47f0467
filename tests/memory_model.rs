//! Tests whether the mapping of strict and relaxed accesses to C11 for weakly ordered machines
//! (`runtime-c/include/upcr/access.h`, docs/memory-model.md) forbids what UPC's memory model forbids. Every execution
//! of each litmus shape is tried; without a fence the checker finds a forbidden one.

use loom::sync::Arc;
use loom::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use loom::sync::atomic::{AtomicUsize, fence};
use std::sync::atomic::{AtomicBool, Ordering};

/// A place in shared memory.
type Place = AtomicUsize;

/// The accesses of `access.h`.
#[derive(Clone, Copy)]
struct Mapping {
    before_strict_read: bool,
    after_strict_write: bool,
    after_strict_read: bool,
    before_strict_write: bool,
}

const OURS: Mapping = Mapping {
    before_strict_read: true,
    after_strict_write: true,
    after_strict_read: true,
    before_strict_write: true,
};

impl Mapping {
    fn read(self, place: &Place) -> usize {
        if self.before_strict_read {
            fence(SeqCst);
        }
        let value = place.load(Relaxed);
        if self.after_strict_read {
            fence(Acquire);
        }
        value
    }

    fn write(self, place: &Place, value: usize) {
        if self.before_strict_write {
            fence(SeqCst);
        }
        place.store(value, Relaxed);
        if self.after_strict_write {
            fence(SeqCst);
        }
    }
}

fn relaxed_read(place: &Place) -> usize {
    place.load(Relaxed)
}

fn relaxed_write(place: &Place, value: usize) {
    place.store(value, Relaxed);
}

/// The shared places of a shape, and the values that its threads read.
struct State {
    place: [Place; 2],
    seen: [[Place; 2]; 3],
}

type Part = fn(Mapping, &State) -> [usize; 2];

/// Returns whether some execution of the parts, each on its own thread, ends in the outcome.
fn possible(mapping: Mapping, parts: &'static [Part], outcome: fn(&[[usize; 2]]) -> bool) -> bool {
    let found = std::sync::Arc::new(AtomicBool::new(false));
    let report = found.clone();
    loom::model(move || {
        let cell = || AtomicUsize::new(0);
        let state = Arc::new(State {
            place: [cell(), cell()],
            seen: [[cell(), cell()], [cell(), cell()], [cell(), cell()]],
        });
        let run = |index: usize| {
            let state = state.clone();
            move || {
                let values = parts[index](mapping, &state);
                for (register, value) in state.seen[index].iter().zip(values) {
                    register.store(value, Release);
                }
            }
        };
        let threads: Vec<_> = (1..parts.len())
            .map(|index| loom::thread::spawn(run(index)))
            .collect();
        run(0)();
        for thread in threads {
            thread.join().expect("a part does not panic");
        }
        let registers: Vec<[usize; 2]> = (0..parts.len())
            .map(|index| [0, 1].map(|n| state.seen[index][n].load(Acquire)))
            .collect();
        if outcome(&registers) {
            report.store(true, Ordering::SeqCst);
        }
    });
    found.load(Ordering::SeqCst)
}

#[test]
fn store_buffering_needs_the_fence_between_write_and_read() {
    const PARTS: &[Part] = &[
        |m, s| {
            m.write(&s.place[0], 1);
            [m.read(&s.place[1]), 0]
        },
        |m, s| {
            m.write(&s.place[1], 1);
            [m.read(&s.place[0]), 0]
        },
    ];
    let both_missed = |seen: &[[usize; 2]]| seen[0][0] == 0 && seen[1][0] == 0;
    assert!(!possible(OURS, PARTS, both_missed));
    let without = Mapping {
        before_strict_read: false,
        after_strict_write: false,
        ..OURS
    };
    assert!(possible(without, PARTS, both_missed));
}

#[test]
fn a_strict_flag_carries_relaxed_data() {
    const PARTS: &[Part] = &[
        |m, s| {
            relaxed_write(&s.place[0], 1);
            m.write(&s.place[1], 1);
            [0, 0]
        },
        |m, s| {
            let flag = m.read(&s.place[1]);
            [flag, relaxed_read(&s.place[0])]
        },
    ];
    let stale = |seen: &[[usize; 2]]| seen[1] == [1, 0];
    assert!(!possible(OURS, PARTS, stale));
    let without = |mapping| possible(mapping, PARTS, stale);
    assert!(without(Mapping {
        before_strict_write: false,
        ..OURS
    }));
    assert!(without(Mapping {
        after_strict_read: false,
        ..OURS
    }));
}

#[test]
fn a_relaxed_write_stays_before_a_strict_read() {
    const PARTS: &[Part] = &[
        |m, s| {
            relaxed_write(&s.place[0], 1);
            [m.read(&s.place[1]), 0]
        },
        |m, s| {
            m.write(&s.place[1], 1);
            [relaxed_read(&s.place[0]), 0]
        },
    ];
    let both_missed = |seen: &[[usize; 2]]| seen[0][0] == 0 && seen[1][0] == 0;
    assert!(!possible(OURS, PARTS, both_missed));
    let without = Mapping {
        before_strict_read: false,
        ..OURS
    };
    assert!(possible(without, PARTS, both_missed));
}

#[test]
fn readers_agree_on_the_order_of_strict_writes() {
    const PARTS: &[Part] = &[
        |m, s| {
            m.write(&s.place[0], 1);
            [m.read(&s.place[0]), m.read(&s.place[1])]
        },
        |m, s| {
            m.write(&s.place[1], 1);
            [0, 0]
        },
        |m, s| [m.read(&s.place[1]), m.read(&s.place[0])],
    ];
    // Thread 0 saw its own write and not the other's; thread 2 saw the other's and not thread 0's.
    let disagree = |seen: &[[usize; 2]]| seen[0] == [1, 0] && seen[2] == [1, 0];
    assert!(!possible(OURS, PARTS, disagree));
    let without = Mapping {
        before_strict_read: false,
        after_strict_write: false,
        ..OURS
    };
    assert!(possible(without, PARTS, disagree));
}

#[test]
fn causality_through_a_third_thread() {
    const PARTS: &[Part] = &[
        |m, s| {
            m.write(&s.place[0], 1);
            [0, 0]
        },
        |m, s| {
            let seen = m.read(&s.place[0]);
            if seen == 1 {
                m.write(&s.place[1], 1);
            }
            [seen, 0]
        },
        |m, s| [m.read(&s.place[1]), m.read(&s.place[0])],
    ];
    assert!(!possible(OURS, PARTS, |seen| seen[2] == [1, 0]));
}

#[test]
fn upc_fence_orders_relaxed_accesses() {
    const PARTS: &[Part] = &[
        |_, s| {
            relaxed_write(&s.place[0], 1);
            fence(SeqCst);
            [relaxed_read(&s.place[1]), 0]
        },
        |_, s| {
            relaxed_write(&s.place[1], 1);
            fence(SeqCst);
            [relaxed_read(&s.place[0]), 0]
        },
    ];
    assert!(!possible(OURS, PARTS, |seen| seen[0][0] == 0 && seen[1][0] == 0));
}
