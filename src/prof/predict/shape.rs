//! How the accesses of a row follow one another: which of them share a message, and which touch what the thread has read
//! since it last synchronized.

use super::lines::{Cache, Sets};
use crate::passes::runs::{GATHERED, STRIP_BYTES};
use crate::references::Transfer;

/// The most bytes of strips that follow one another which the runtime brings in advance (`runtime-c/src/cache/strip.c`).
const AHEAD: f64 = 65_536.0;
/// The most strips that the runtime fetches at the same time when a phase begins in which it expects them
/// (`runtime-c/src/cache/phases.h`).
pub(super) const EXPECTED: f64 = 8.0;
/// How often a phase has to come so that it counts that its strips are expected: the first times they are not.
pub(super) const PHASES: f64 = 8.0;
/// The most bytes of elements that follow one another which the runtime collects for a thread (`runtime-c/src/cache/scatter.c`).
pub(super) const APPENDED: f64 = 65_536.0;
/// The part of sent updates at which the runtime looks: after each 65,536 (`UPCR_BACKOFF_MOST`) so many that 128 of them
/// concern one line of eight.
const LOOKED_AT: f64 = 128.0 * 8.0 / 65_536.0;
/// The elements of a short vector in the measurement of vector accesses, and of a run whose length nobody knows.
pub(super) const VECTOR: f64 = 64.0;

/// What is known of the accesses of a row. Numbers are those of a thread.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Shape {
    /// Accesses one after another that can share a message.
    pub run: f64,
    /// Bytes of an access.
    pub bytes: f64,
    /// Remote accesses from one synchronization to the next.
    pub phase: f64,
    /// The part of them that touches something for the first time.
    pub first: f64,
    /// Bytes from one access to the next; `None`: they are anywhere.
    pub step: Option<f64>,
    /// Bytes of the memory of others in which the accesses are; `None`: unknown.
    pub among: Option<f64>,
    /// The threads to whose memory they go.
    pub owners: f64,
    /// The threads that make such accesses at the same time; `None`: all.
    pub active: Option<u32>,
    /// The strips that are fetched at the same time, this one included.
    pub at_once: f64,
    /// The part of accesses for which the cache of the recorded run has no line, by these rules; `None`: it has no cache.
    pub expected: Option<f64>,
}

/// A cache that has grown, and what was fetched until it had.
struct Grown {
    cache: Cache,
    /// How often it fetched all, or which part of it, before it has its size.
    times: f64,
    /// Lines that it fetched again besides.
    lines: f64,
    /// In so many repetitions of all accesses.
    repeats: f64,
    /// The part of lines that it loses from one repetition to the next.
    lost: f64,
}

impl Shape {
    /// The accesses that share a message. `turns`: the iterations of the loop; `block`: the elements of a block, if the
    /// accesses go through blocks.
    pub fn run(transfer: Transfer, turns: Option<f64>, bytes: f64, block: Option<f64>) -> f64 {
        let turns = turns.filter(|it| *it >= 1.0);
        let most = match transfer {
            Transfer::Once => f64::INFINITY,
            Transfer::Strip => STRIP_BYTES as f64 / bytes.max(1.0),
            Transfer::Append => APPENDED / bytes.max(1.0),
            Transfer::Gather | Transfer::Strided | Transfer::Scatter => GATHERED as f64,
            Transfer::Single | Transfer::Strict => return 1.0,
        };
        let all = turns.unwrap_or(VECTOR).min(most);
        block.map_or(all, |block| all.min(block)).max(1.0)
    }

    /// Bytes that are read between two synchronizations, each counted once.
    fn distinct(&self) -> f64 {
        self.phase * self.first * self.bytes
    }

    /// True if the cache holds what is read between two synchronizations.
    pub fn fits(&self, cache: Cache) -> bool {
        self.distinct() <= cache.line * cache.lines
    }

    /// The part of lines that are not there any more when they are read again in the same order: others have their sets.
    fn lost(&self, cache: Cache) -> f64 {
        let sets = match self.active {
            // They read from the first threads.
            Some(_) => Sets::of_thread(cache, self.distinct(), self.owners, self.owners as u64),
            None => Sets::new(cache, self.distinct(), self.owners),
        };
        1.0 - sets.alone() / sets.lines().max(1.0)
    }

    /// The cache after it has grown, and what that takes. Each time that it has fetched as many lines as it has, it doubles if most
    /// of them were fetched before since the last synchronization (`runtime-c/src/cache/growth.c`), and all is fetched again.
    fn grown(&self, cache: Cache) -> Grown {
        let lines = self.distinct() / cache.line;
        let mut grown = Grown {
            cache,
            times: 0.0,
            lines: 0.0,
            repeats: 0.0,
            lost: self.lost(cache),
        };
        // So many lines are new in the first pass. Of those that a larger cache fetches, none is.
        let mut new = lines;
        while grown.cache.lines * 2.0 <= cache.most {
            let size = grown.cache.lines;
            let looks = (new / size - 0.5).floor().max(-1.0) + 2.0;
            let again = (looks * size - lines).max(0.0);
            let repeats = again / (lines * grown.lost).max(f64::MIN_POSITIVE);
            if grown.repeats + repeats > 1.0 / self.first - 1.0 {
                break;
            }
            grown.times += (looks * size / lines).min(1.0);
            grown.lines += again;
            grown.repeats += repeats;
            grown.cache.lines *= 2.0;
            grown.lost = self.lost(grown.cache);
            new = 0.0;
        }
        grown
    }

    /// The part of accesses for which the cache has no line (section 7.2 of the thesis).
    pub fn misses(&self, cache: Cache) -> f64 {
        match (self.step, self.among) {
            (Some(step), _) => {
                let grown = self.grown(cache);
                let again = (1.0 - self.first) * grown.lost;
                let part = self.first * (1.0 + grown.times) + again;
                let by_growth = grown.lines / self.phase.max(1.0);
                (part * step / cache.line + by_growth).min(1.0)
            }
            (None, Some(among)) if self.phase > 0.0 => {
                let sets = Sets::new(cache, among, self.owners);
                (sets.missed(self.phase) / self.phase).min(1.0)
            }
            (None, _) => self.first.min(1.0),
        }
    }

    /// The part of updates anywhere that would miss, as the runtime sees it while it sends them. It looks at a part of them,
    /// and remembers the last accesses to one line of eight, in an eighth as many places as the cache has lines. An access
    /// finds its line there if the last one to that place was to the same line, of all those that chance brings there
    /// (`runtime-c/src/cache/region.c`).
    pub fn seen_to_miss(&self, cache: Cache) -> f64 {
        let lines = self.among.unwrap_or(0.0) / cache.line.max(1.0);
        let of_place = lines / cache.lines.max(1.0);
        let found = match of_place > 0.0 {
            true => -(-of_place).exp_m1() / of_place,
            false => 1.0,
        };
        (self.misses(cache) + (1.0 - found) * LOOKED_AT).min(1.0)
    }

    /// The messages that bring the strips of an access, and the bytes of one. Without a cache each run has one. With it,
    /// what is read again is there from the second time on, as far as lines have sets of their own, and strips that
    /// follow one another come together.
    pub fn strips(&self, cache: Option<Cache>) -> (f64, f64) {
        let alone = (1.0 / self.run, self.run * self.bytes);
        let Some(cache) = cache.filter(|_| self.phase > 0.0) else {
            return alone;
        };
        let grown = self.grown(cache);
        let (distinct, lost) = (self.distinct(), grown.lost);
        // Nothing is found again: the strips are not kept.
        if lost >= 1.0 && self.first < 1.0 {
            return alone;
        }
        let again = 1.0 / self.first - 1.0;
        let parts = self.owners.max(1.0);
        let of_repeat = |lost: f64| parts * self.together(lost * distinct / parts);
        let messages = self.together(distinct) * (1.0 + grown.times)
            + grown.repeats * of_repeat(self.lost(cache))
            + again * of_repeat(lost);
        let bytes = distinct * (1.0 + grown.times + again * lost) + grown.lines * cache.line;
        ((messages / self.phase).min(alone.0), bytes / messages)
    }

    /// The messages for strips that follow one another: each brings twice as much as the one before.
    fn together(&self, bytes: f64) -> f64 {
        let runs = bytes / (self.run * self.bytes);
        (1.0 + (1.0 + runs).log2() + bytes / AHEAD).min(runs.max(f64::from(bytes > 0.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::{AHEAD, APPENDED, Cache, EXPECTED, Shape};
    use crate::references::Transfer;

    const CACHE: Cache = Cache {
        line: 1024.0,
        lines: 1024.0,
        most: 1024.0,
    };

    fn shape() -> Shape {
        Shape {
            run: 128.0,
            bytes: 8.0,
            phase: 12_800.0,
            first: 1.0,
            step: Some(8.0),
            among: None,
            owners: 1.0,
            active: None,
            at_once: 1.0,
            expected: None,
        }
    }

    #[test]
    fn runs_end_with_the_loop_the_buffer_or_the_block() {
        let run = |turns, block| Shape::run(Transfer::Strip, turns, 8.0, block);
        assert_eq!(run(Some(500.0), None), 500.0);
        assert_eq!(run(Some(5000.0), None), 1024.0);
        assert_eq!(run(Some(5000.0), Some(16.0)), 16.0);
        assert_eq!(run(None, None), 64.0);
        assert_eq!(Shape::run(Transfer::Single, Some(9.0), 8.0, None), 1.0);
    }

    /// 100 runs of 128 elements: 1 KB for each, or 100 KB in a few messages.
    #[test]
    fn strips_share_messages() {
        let of = shape();
        assert_eq!(of.strips(None), (1.0 / 128.0, 1024.0));
        let (messages, bytes) = of.strips(Some(CACHE));
        let together = 1.0 + 101f64.log2() + 102_400.0 / 65_536.0;
        assert!((messages * 12_800.0 - together).abs() < 1e-9);
        assert!((messages * bytes * 12_800.0 - 102_400.0).abs() < 1e-6);
        // Read ten times, a tenth as many messages; but not if the cache does not hold it.
        let again = Shape {
            first: 0.1,
            phase: 128_000.0,
            ..of
        };
        let (messages, _) = again.strips(Some(CACHE));
        assert!((messages * 128_000.0 - together).abs() < 1e-9);
        let small = Cache {
            lines: 8.0,
            most: 8.0,
            ..CACHE
        };
        assert_eq!(again.strips(Some(small)), (1.0 / 128.0, 1024.0));
    }

    #[test]
    fn misses_follow_from_the_step_or_from_the_array() {
        assert_eq!(shape().misses(CACHE), 8.0 / 1024.0);
        let anywhere = Shape {
            step: None,
            among: Some(102_400.0),
            ..shape()
        };
        // All of 100 lines, once for 12,800 accesses.
        assert!((anywhere.misses(CACHE) - 100.0 / 12_800.0).abs() < 1e-9);
        let few = Shape {
            phase: 1.0,
            ..anywhere
        };
        assert!(few.misses(CACHE) > 0.99);
        // A quarter of 4,096 lines is in the cache.
        let large = Shape {
            among: Some(4096.0 * 1024.0),
            phase: 1e9,
            ..anywhere
        };
        assert!((large.misses(CACHE) - 0.75).abs() < 1e-5);
    }

    /// Strips of 384 elements through two parts of 576 lines, 192 times.
    fn two_parts() -> Shape {
        Shape {
            run: 384.0,
            phase: 192.0 * 384.0 * 384.0,
            first: 1.0 / 192.0,
            owners: 2.0,
            active: Some(2),
            ..shape()
        }
    }

    /// Two parts of 576 lines begin 433 lines from each other: 143 lines of each have sets of the other, and come again
    /// each time. `upcrun -cache-stats` counted 14 messages for each repetition.
    #[test]
    fn strips_that_share_sets_come_again() {
        let of = two_parts();
        let (messages, bytes) = of.strips(Some(CACHE));
        let (distinct, lost) = (1152.0 * 1024.0, 286.0 / 1152.0);
        let all = distinct * (1.0 + 191.0 * lost);
        assert!((messages * bytes * of.phase - all).abs() < 1.0);
        let again = messages * of.phase / 192.0;
        assert!((12.0..20.0).contains(&again), "{again}");
    }

    /// The same in a cache that may grow. In one of 2048 lines the parts begin as far from each other, in one of 4096 they share
    /// no sets, so it doubles twice. Of the first 1024 lines all are new, of the second ones 128: it has fetched 2048 lines until it
    /// doubles, as many until it doubles again, and then all once more. `upcrun -cache-stats` counted 5513 lines in 158 messages.
    #[test]
    fn a_cache_grows_for_what_comes_again() {
        let of = two_parts();
        let grows = Cache {
            most: 65_536.0,
            ..CACHE
        };
        let (messages, bytes) = of.strips(Some(grows));
        let lines = 2.0 * 2048.0 + 1152.0;
        assert!((messages * bytes * of.phase - lines * 1024.0).abs() < 1.0);
        let messages = messages * of.phase;
        assert!((140.0..200.0).contains(&messages), "{messages}");
        // What is read twice only does not pay for it.
        let twice = Shape {
            phase: 2.0 * 384.0 * 384.0,
            first: 0.5,
            ..of
        };
        assert_eq!(twice.strips(Some(grows)), twice.strips(Some(CACHE)));
    }

    #[test]
    fn strips_are_fetched_as_far_ahead_as_the_runtime_does() {
        let text = include_str!("../../../runtime-c/src/cache/strip.c");
        assert!(text.contains(&format!("PREFETCH_BYTES = {AHEAD},")));
        let text = include_str!("../../../runtime-c/src/cache/phases.h");
        assert!(text.contains(&format!("UPCR_PHASE_SPANS = {EXPECTED} ")));
        let text = include_str!("../../../runtime-c/src/cache/scatter.c");
        let shift = APPENDED.log2();
        assert!(text.contains(&format!("SCATTER_BYTES = 1 << {shift},")));
    }
}
