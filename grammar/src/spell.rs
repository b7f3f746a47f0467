//! What a misspelt word was meant to be.

/// The candidate nearest to `word`, if one is near enough to be meant: a third of the letters may be wrong, exchanged neighbours counting once,
/// rounded up only if the lengths differ by more than one, as gcc does.
pub fn closest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let length = word.chars().count();
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let longer = length.max(candidate.chars().count());
        let difference = longer - length.min(candidate.chars().count());
        let room = match longer {
            0..=2 => continue,
            _ if difference <= 1 => (longer / 3).max(1),
            _ => longer.div_ceil(3),
        };
        let room = best.map_or(room, |(distance, _)| room.min(distance.saturating_sub(1)));
        // A cheap bound first: most candidates differ in length by too much.
        if difference > room || candidate == word {
            continue;
        }
        let distance = strsim::damerau_levenshtein(word, candidate);
        if distance <= room && distance < length {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
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
        ];
        for (word, meant) in [
            ("upc_foral", Some("upc_forall")),
            ("upc_barier", Some("upc_barrier")),
            ("share", Some("shared")),
            ("fro", Some("for")),
            ("conut", Some("count")),
            ("retrun", Some("return")),
            ("y", None),
            ("foo", Some("for")),
            ("shared", None),
            ("total", None),
            ("wrong", None),
        ] {
            assert_eq!(closest(word, words), meant, "{word}");
        }
    }
}
