//! Suggests corrections for misspelt words.

use std::cell::Cell;

/// Limit on the work for the suggestions of one translation unit, counted in candidates examined; a comparison of two
/// words counts as `COMPARISON` of them. A unit that needs more is missing a header, not letters.
const BUDGET: u64 = 4_000_000;
const COMPARISON: u64 = 40;

/// Suggests words until its budget is spent.
pub struct Speller {
    left: Cell<u64>,
}

impl Default for Speller {
    fn default() -> Speller {
        Speller {
            left: Cell::new(BUDGET),
        }
    }
}

impl Speller {
    /// Takes work off the budget. Returns false if none is left.
    pub fn spend(&self, work: u64) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(work));
        left > 0
    }

    /// Returns the candidate nearest to `word`, if it is near enough. As in gcc, a third of the letters may be wrong; a
    /// swap of neighbours counts once, and the limit is rounded up only if the lengths differ by more than one. Of
    /// several that are equally near, one that begins like `word` is preferred.
    pub fn closest<'c>(
        &self,
        word: &str,
        candidates: impl IntoIterator<Item = &'c str>,
    ) -> Option<&'c str> {
        let (length, letters) = (word.chars().count(), Letters::of(word));
        let mut best: Option<(usize, &str)> = None;
        let begins_like = |candidate: &str| {
            let pairs = word.chars().zip(candidate.chars());
            pairs.take_while(|(a, b)| a == b).count()
        };
        for candidate in candidates {
            if !self.spend(1) {
                return None;
            }
            let longer = length.max(candidate.chars().count());
            let difference = longer - length.min(candidate.chars().count());
            let most = match longer {
                0..=2 => continue,
                _ if difference <= 1 => (longer / 3).max(1),
                _ => longer.div_ceil(3),
            };
            let most = best.map_or(most, |(distance, _)| most.min(distance));
            // Check cheap bounds first: most candidates differ too much in length or letters.
            if difference > most
                || candidate == word
                || letters.least_distance(&Letters::of(candidate)) > most
            {
                continue;
            }
            self.spend(COMPARISON);
            let distance = strsim::damerau_levenshtein(word, candidate);
            let nearer = |(least, other): (usize, &str)| {
                (distance, begins_like(other)) < (least, begins_like(candidate))
            };
            if distance <= most && distance < length && best.is_none_or(nearer) {
                best = Some((distance, candidate));
            }
        }
        best.map(|(_, candidate)| candidate)
    }
}

/// [`Speller::closest`] without a budget, for short lists.
pub fn closest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    Speller::default().closest(word, candidates)
}

/// The number of occurrences of each letter in a word; five bits distinguish the letters. `None`: the word is not all
/// ASCII.
struct Letters(Option<[u8; 32]>);

impl Letters {
    fn of(word: &str) -> Letters {
        let mut counts = [0u8; 32];
        for byte in word.bytes() {
            let count = &mut counts[usize::from(byte % 32)];
            *count = count.saturating_add(1);
        }
        Letters(word.is_ascii().then_some(counts))
    }

    /// A lower bound of the distance: each edit replaces at most one letter.
    fn least_distance(&self, other: &Letters) -> usize {
        let (Some(a), Some(b)) = (&self.0, &other.0) else {
            return 0;
        };
        let surplus = |a: &[u8; 32], b: &[u8; 32]| -> usize {
            let pairs = a.iter().zip(b);
            pairs.map(|(&x, &y)| usize::from(x.saturating_sub(y))).sum()
        };
        surplus(a, b).max(surplus(b, a))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_only() {
        let words = [
            "upc_forall",
            "upc_barrier",
            "shared",
            "for",
            "x",
            "count",
            "return",
            "int32_t",
            "uint32_t",
        ];
        for (word, meant) in [
            ("upc_foral", Some("upc_forall")),
            ("upc_barier", Some("upc_barrier")),
            ("share", Some("shared")),
            ("fro", Some("for")),
            ("conut", Some("count")),
            ("retrun", Some("return")),
            ("unt32_t", Some("uint32_t")),
            ("y", None),
            ("foo", Some("for")),
            ("shared", None),
            ("total", None),
            ("wrong", None),
        ] {
            assert_eq!(closest(word, words), meant, "{word}");
        }
    }

    #[test]
    fn the_budget_ends() {
        let speller = Speller::default();
        assert_eq!(speller.closest("shred", ["shared"]), Some("shared"));
        assert!(speller.spend(BUDGET));
        assert_eq!(speller.closest("shred", ["shared"]), None);
    }
}
