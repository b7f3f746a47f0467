//! Which lines of remote memory share a set of a thread's cache: a line has one place (`upcr_cached_set` in
//! `runtime-c/src/cache/lines.h`), and those of another thread's memory have neighbouring places.

use std::collections::BTreeMap;

/// The cache of a thread.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cache {
    /// Bytes of a line.
    pub line: f64,
    /// Lines: as many as sets.
    pub lines: f64,
    /// Lines to which it may grow.
    pub most: f64,
}

/// The place of the first line of thread t is t times this number.
const SPREAD: u64 = 0x9e37_79b1;
/// Among this many threads or less it is found out which of them has most lines in the same sets.
const FEW: u64 = 64;
/// If there are this many times as many lines as sets, all sets are taken to have as many.
const MANY: f64 = 8.0;

/// The sets of a cache, by the number of lines for which they are.
#[derive(Clone, PartialEq, Debug)]
pub struct Sets {
    /// Lines of a set, and the number of such sets.
    of_lines: Vec<(f64, f64)>,
}

impl Sets {
    /// Returns the sets for an equal part of `bytes` bytes in the memory of each of `owners` threads, which are all others for
    /// one thread: for that of which least lines have a set of their own, since the others wait for it.
    pub fn new(cache: Cache, bytes: f64, owners: f64) -> Sets {
        let last = owners.round().max(1.0) as u64;
        let threads = if last < FEW {
            0..last + 1
        } else {
            last..last + 1
        };
        let all = threads.map(|thread| Sets::of_thread(cache, bytes, owners, thread));
        let worst = all.min_by(|a, b| a.alone().total_cmp(&b.alone()));
        worst.unwrap_or(Sets {
            of_lines: Vec::new(),
        })
    }

    /// Returns the sets of a thread: of the first `owners` others.
    pub fn of_thread(cache: Cache, bytes: f64, owners: f64, thread: u64) -> Sets {
        let owners = owners.round().max(1.0);
        let each = (bytes / owners / cache.line.max(1.0)).ceil();
        let sets = cache.lines.max(1.0);
        if each * owners >= MANY * sets {
            let of_lines = vec![(each * owners / sets, sets)];
            return Sets { of_lines };
        }
        let count = sets as u64;
        let mut lines = vec![0u32; count as usize];
        for owner in (0..=owners as u64).filter(|it| *it != thread) {
            let first = owner.wrapping_mul(SPREAD);
            for line in 0..each as u64 {
                lines[(first.wrapping_add(line) % count) as usize] += 1;
            }
        }
        let mut of_lines: BTreeMap<u32, f64> = BTreeMap::new();
        for n in lines.into_iter().filter(|n| *n > 0) {
            *of_lines.entry(n).or_default() += 1.0;
        }
        let of_lines = of_lines.into_iter().map(|(n, sets)| (f64::from(n), sets));
        Sets {
            of_lines: of_lines.collect(),
        }
    }

    fn sum(&self, of: impl Fn(f64) -> f64) -> f64 {
        self.of_lines.iter().map(|&(n, sets)| sets * of(n)).sum()
    }

    /// All lines.
    pub fn lines(&self) -> f64 {
        self.sum(|n| n)
    }

    /// The lines that share their set with no other one.
    pub fn alone(&self) -> f64 {
        self.sum(|n| if n <= 1.0 { n } else { 0.0 })
    }

    /// How many of so many accesses to lines in no order find their line missing. The first access to a set does, and a
    /// later one unless the access to the set before it was to the same of its n lines, which one in n was.
    pub fn missed(&self, accesses: f64) -> f64 {
        let each = accesses / self.lines().max(1.0);
        self.sum(|n| {
            let first = 1.0 - (-each * n).exp();
            first + (each * n - first) * (n - 1.0).max(0.0) / n.max(1.0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Cache, SPREAD, Sets};

    const CACHE: Cache = Cache {
        line: 1024.0,
        lines: 1024.0,
        most: 1024.0,
    };

    #[test]
    fn threads_have_the_places_that_the_runtime_gives_them() {
        let text = include_str!("../../../runtime-c/src/cache/lines.h");
        let place = format!("(tag >> UPCR_CACHE_THREAD_SHIFT) * {SPREAD:#x}u");
        assert!(text.contains(&place), "{place}");
    }

    /// 391 lines of each of three threads begin at sets 0, 433 and 866. The third part ends at set 233, so 233 sets are
    /// for two lines. Those of a fourth thread begin at set 275: where it stands for the first one, 116 of its sets are for
    /// lines of the second one, and 233 for those of the third one. The rest is what `upcrun -cache-stats` counted for reads
    /// of the last one of so many threads.
    #[test]
    fn lines_share_sets() {
        let sets = Sets::of_thread(CACHE, 3.0 * 400_000.0, 3.0, 3);
        assert_eq!(sets.lines(), 1173.0);
        assert_eq!(sets.alone(), 1173.0 - 2.0 * 233.0);
        let worst = Sets::new(CACHE, 3.0 * 400_000.0, 3.0);
        assert_eq!(worst.alone(), 1173.0 - 2.0 * (116.0 + 233.0));
        for (owners, reads, counted) in [(1, 2524, 385), (3, 3783, 1496), (7, 4380, 3120)] {
            let owners = f64::from(owners);
            let bytes = owners * 400_000.0;
            let sets = Sets::of_thread(CACHE, bytes, owners, owners as u64);
            let missed = sets.missed(f64::from(reads));
            assert!((missed / f64::from(counted) - 1.0).abs() < 0.05, "{missed}");
        }
    }

    #[test]
    fn of_many_lines_a_cache_has_as_many_as_it_has_sets() {
        let sets = Sets::new(CACHE, 1024.0 * 16384.0, 3.0);
        assert!((sets.missed(1e9) / 1e9 - 15.0 / 16.0).abs() < 1e-3);
        assert_eq!(sets.alone(), 0.0);
    }
}
