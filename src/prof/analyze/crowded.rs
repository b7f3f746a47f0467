//! What cannot be known of a run with more threads than processors.
//!
//! A thread's way to a barrier takes the time that passes, less that without a processor. Both are long in such a run, and
//! their difference has an error: the system and the hypervisor account for some of the time to nobody. An error of one
//! thread is a wait of all others, so the more threads there are, the more such errors look like load imbalance.
//!
//! So what a thread takes longer or less than most others in a pass counts only if it is more than its error may be, or if
//! the thread does so as a rule. The error of most threads is small; a thread that is far behind may have a large one. The
//! same work also really takes different times: it depends on what else used the caches since the thread had a processor.

/// Fewer threads have no quartiles to speak of.
const FEW: usize = 8;
/// A way is far behind most others if it is longer than the third quartile by this many times the distance of the quartiles
/// (Tukey, "Exploratory data analysis", 1977).
const FAR: u64 = 3;
/// The largest error of a way, as a part of the time without a processor: one in this number.
const ERROR: u64 = 10;
/// The error of most ways, as a part of what most threads are without a processor: also who always has one is slower while
/// others change.
const USUAL_ERROR: u64 = 100;
/// The same work takes longer by up to one in this number where processors are switched between threads: 64 threads on two
/// processors take 2.65 or 2.95 ms for it, some of them nearly always the one or the other.
const SAME: u64 = 8;
/// The account of the time without a processor is looked at after so many nanoseconds. What it says for the first time when a
/// thread leaves a barrier may have been on its way there, up to this.
const LOOK: u64 = 100_000;
/// The number of passes that are compared with each other, and from which number on a thread has a rule.
pub(super) const PASSES: usize = 8;
const RULE: usize = 3;

/// A way to a barrier. Times are nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Way {
    /// The time with a processor.
    pub(super) busy: u64,
    /// The time without one.
    pub(super) delayed: u64,
    /// The time without one that is known only since the thread left the barrier.
    pub(super) after: u64,
}

fn quantile(sorted: &[u64], quarters: usize) -> u64 {
    let at = (sorted.len().saturating_sub(1)) * quarters / 4;
    sorted.get(at).copied().unwrap_or(0)
}

/// Takes what is unknown out of the ways of some passes of a barrier; each pass has the ways of all threads, in the same
/// order.
pub(super) fn correct(passes: &mut [Vec<Way>]) {
    let threads = passes.first().map_or(0, Vec::len);
    if threads < FEW {
        return;
    }
    // Without other passes, different work looks like errors.
    let has_rule = passes.len() >= RULE;
    let usual: Vec<Usual> = (0..threads).map(|at| Usual::of(passes, at)).collect();
    for pass in passes {
        let most = Most::of(pass);
        for (way, usual) in pass.iter_mut().zip(&usual) {
            if way.busy > most.far {
                let known = match has_rule {
                    true => usual.busy.max(most.third),
                    false => most.third,
                };
                let error = way.delayed / ERROR + way.after.min(LOOK);
                // Who is far behind, but less than as a rule, is so.
                if way.busy > known && way.busy - known <= error {
                    way.busy = known;
                }
            } else if has_rule {
                let known = match usual.differs_from(most.middle) {
                    true => usual.busy,
                    false => most.middle,
                };
                if way.busy.abs_diff(known) <= most.delayed / USUAL_ERROR {
                    way.busy = known;
                }
            }
        }
    }
}

/// What most threads take to a barrier in a pass.
struct Most {
    /// The median and the third quartile.
    middle: u64,
    third: u64,
    /// Longer ways are far behind.
    far: u64,
    /// The time without a processor.
    delayed: u64,
}

impl Most {
    fn of(pass: &[Way]) -> Most {
        let sorted = |time: fn(&Way) -> u64| {
            let mut times: Vec<u64> = pass.iter().map(time).collect();
            times.sort_unstable();
            times
        };
        let (busy, delayed) = (sorted(|way| way.busy), sorted(|way| way.delayed));
        let (first, third) = (quantile(&busy, 1), quantile(&busy, 3));
        Most {
            middle: quantile(&busy, 2),
            third,
            far: third + FAR * (third - first),
            delayed: quantile(&delayed, 2),
        }
    }
}

/// What a thread takes to a barrier as a rule.
struct Usual {
    busy: u64,
    /// By how much its ways differ. The shortest and the longest of them are left out, unless they are few.
    spread: u64,
}

impl Usual {
    fn of(passes: &[Vec<Way>], thread: usize) -> Usual {
        let mut busy: Vec<u64> = passes.iter().map(|pass| pass[thread].busy).collect();
        busy.sort_unstable();
        let inner = match busy.len() {
            0..=RULE => &busy[..],
            len => &busy[1..len - 1],
        };
        Usual {
            busy: quantile(&busy, 2),
            spread: quantile(inner, 4) - quantile(inner, 0),
        }
    }

    /// True if the thread takes longer or less as a rule, not by what its ways differ from each other, nor by what the same
    /// work may take.
    fn differs_from(&self, middle: u64) -> bool {
        self.busy.abs_diff(middle) > self.spread.max(middle / SAME)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    fn way(busy: u64, delayed: u64) -> Way {
        Way {
            busy,
            delayed,
            after: 0,
        }
    }

    /// 16 threads with equal work but for a few microseconds, in a run with twice as many threads as processors.
    fn pass() -> Vec<Way> {
        (0..16).map(|at| way(5 * MS + at * 1000, 5 * MS)).collect()
    }

    #[test]
    fn what_a_thread_may_have_waited_for_a_processor_is_not_late() {
        let mut passes: Vec<Vec<Way>> = (0..5).map(|_| pass()).collect();
        passes[2][7] = way(5 * MS + 400_000, 5 * MS);
        correct(&mut passes);
        assert!(passes[2][7].busy < 5 * MS + 16_000);
        // More than the error may be is late.
        passes[2][7] = way(5 * MS + 700_000, 5 * MS);
        let before = passes.clone();
        correct(&mut passes);
        assert_eq!(passes, before);
    }

    #[test]
    fn what_is_known_only_behind_the_barrier_may_have_been_in_front_of_it() {
        let late = |more: u64, after: u64| {
            let mut passes: Vec<Vec<Way>> = (0..5).map(|_| pass()).collect();
            passes[2][7] = way(5 * MS + more, 0);
            passes[2][7].after = after;
            correct(&mut passes);
            passes[2][7].busy
        };
        assert_eq!(late(60_000, 0), 5 * MS + 60_000);
        assert!(late(60_000, 80_000) < 5 * MS + 16_000);
        // The account was looked at since.
        assert_eq!(late(160_000, 3 * MS), 5 * MS + 160_000);
    }

    #[test]
    fn who_is_late_as_a_rule_is_late() {
        let mut passes: Vec<Vec<Way>> = (0..5).map(|_| pass()).collect();
        for pass in &mut passes {
            pass[3] = way(6 * MS, 60 * MS);
        }
        passes[1][3] = way(9 * MS, 60 * MS);
        passes[4][3] = way(6 * MS - MS / 8, 60 * MS);
        correct(&mut passes);
        let late: Vec<u64> = passes.iter().map(|pass| pass[3].busy).collect();
        let rule = 6 * MS;
        assert_eq!(late, [rule, rule, rule, rule, rule - MS / 8]);
    }

    #[test]
    fn small_differences_are_errors_and_larger_ones_that_stay_are_work() {
        let pass = |changing: u64| -> Vec<Way> {
            let ways = (0..16).map(|at| (at * 7 + changing * 5) % 16 * 20_000);
            ways.map(|more| way(5 * MS + more, 150 * MS)).collect()
        };
        for moves in [0, 1] {
            let mut passes: Vec<Vec<Way>> = (0..8).map(|n| pass(n * moves)).collect();
            for pass in &mut passes {
                pass[3].busy = 6 * MS + MS / 4;
            }
            correct(&mut passes);
            for pass in passes {
                let work = |at: usize| {
                    if at == 3 {
                        6 * MS + MS / 4
                    } else {
                        pass[0].busy
                    }
                };
                assert!(
                    pass.iter()
                        .enumerate()
                        .all(|(at, way)| way.busy == work(at))
                );
            }
        }
    }

    #[test]
    fn different_work_and_runs_with_enough_processors_stay_as_they_are() {
        let spread = |at: u64| way(MS + at * MS / 2, 40 * MS);
        let mut passes: Vec<Vec<Way>> = (0..4).map(|_| (0..16).map(spread).collect()).collect();
        let before = passes.clone();
        correct(&mut passes);
        assert_eq!(passes, before);
        let mut calm = vec![(0..16).map(|_| way(5 * MS, 0)).collect::<Vec<Way>>()];
        calm[0][5].busy = 6 * MS;
        let before = calm.clone();
        correct(&mut calm);
        assert_eq!(calm, before);
    }
}
