//! Simulations worked by hand.

use super::{Machine, Simulation, Step, run};
use std::collections::VecDeque;

fn access(peer: u32) -> Step {
    Step::Access {
        peer,
        count: 10.0,
        each: 100.0,
        occupied: 40.0,
        link: 0.0,
    }
}

fn simulated(of_machine: u32, threads: &[&[Step]]) -> Simulation {
    let mut steps: Vec<VecDeque<Step>> = threads
        .iter()
        .map(|it| it.iter().copied().collect())
        .collect();
    let machine = Machine {
        threads: threads.len() as u32,
        of_machine,
    };
    run(machine, |thread| steps[thread as usize].pop_front())
}

/// Three threads read ten elements of thread 3 at the same time: 1000 ns, and each waits 400 ns for each before it.
#[test]
fn memory_serves_one_at_a_time() {
    let it = simulated(4, &[&[access(3)], &[access(3)], &[access(3)], &[]]);
    assert_eq!(
        (it.run, it.accesses, it.contention),
        (1800, 3000, 400 + 800)
    );
    let apart = simulated(4, &[&[access(1)], &[access(2)], &[access(3)], &[access(0)]]);
    assert_eq!((apart.run, apart.contention), (1000, 0));
}

/// Threads 0 and 1 of one machine read from threads 2 and 3 of another one, over one link.
#[test]
fn machines_share_a_link() {
    let far = |peer| Step::Access {
        peer,
        count: 1.0,
        each: 1000.0,
        occupied: 10.0,
        link: 300.0,
    };
    let it = simulated(2, &[&[far(2)], &[far(3)], &[], &[]]);
    assert_eq!((it.run, it.contention), (1300, 300));
    let one_machine = simulated(4, &[&[far(2)], &[far(3)], &[], &[]]);
    assert_eq!((one_machine.run, one_machine.contention), (1000, 0));
}

#[test]
fn a_barrier_waits_for_the_last() {
    let it = simulated(
        2,
        &[
            &[
                Step::Compute(100.0),
                Step::Barrier(50.0),
                Step::Compute(10.0),
            ],
            &[Step::Compute(400.0), Step::Barrier(50.0)],
        ],
    );
    assert_eq!((it.run, it.barriers, it.computing), (460, 350 + 50, 510));
}

/// A thread that has ended is no longer waited for.
#[test]
fn a_barrier_goes_on_without_threads_that_ended() {
    let it = simulated(2, &[&[Step::Barrier(50.0)], &[Step::Compute(400.0)]]);
    assert_eq!((it.run, it.stuck), (400, 0));
}

/// Each holds the lock for 100 ns, in the order in which they ask.
#[test]
fn locks_are_held_by_one() {
    let section = [Step::Lock(7, 10.0), Step::Compute(100.0), Step::Unlock(7)];
    let it = simulated(3, &[&section, &section, &section]);
    assert_eq!(it.run, 310);
    assert_eq!(it.locks, 3 * 10 + 110 + 210);
    let stuck = simulated(2, &[&[Step::Lock(7, 10.0)], &[Step::Lock(7, 10.0)]]);
    assert_eq!(stuck.stuck, 1);
}

#[test]
fn many_threads_give_the_same_each_time() {
    let many = || {
        let mut left = vec![20u32; 4096];
        run(
            Machine {
                threads: 4096,
                of_machine: 64,
            },
            |thread| {
                let left = &mut left[thread as usize];
                *left = left.checked_sub(1)?;
                Some(access((thread / 2 * 7 + *left) % 4096))
            },
        )
    };
    let it = many();
    assert_eq!(it, many());
    assert!(it.contention > 0 && it.stuck == 0);
}
