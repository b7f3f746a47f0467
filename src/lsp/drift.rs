//! The difference between the text that was analysed and the one in the editor: one replaced stretch, since people
//! type in one place.

use std::ops::Range;

/// The stretch that differs: `old` in the analysed text, `new` in the editor's.
#[derive(Debug, PartialEq, Eq)]
pub struct Drift {
    old: Range<usize>,
    new: Range<usize>,
}

impl Drift {
    /// Compares two texts.
    pub fn between(old: &str, new: &str) -> Drift {
        let (a, b) = (old.as_bytes(), new.as_bytes());
        let mut prefix = a.iter().zip(b).take_while(|(x, y)| x == y).count();
        while !old.is_char_boundary(prefix) {
            prefix -= 1;
        }
        let rest = a.len().min(b.len()) - prefix;
        let (behind_a, behind_b) = (a.iter().rev(), b.iter().rev());
        let same = behind_a.zip(behind_b).take(rest);
        let mut suffix = same.take_while(|(x, y)| x == y).count();
        while !old.is_char_boundary(a.len() - suffix) {
            suffix -= 1;
        }
        Drift {
            old: prefix..a.len() - suffix,
            new: prefix..b.len() - suffix,
        }
    }

    /// Returns the place in the analysed text of one in the editor's. In the stretch that differs: its beginning.
    pub fn to_old(&self, offset: usize) -> usize {
        match offset {
            _ if offset <= self.new.start => offset,
            _ if offset >= self.new.end => offset - self.new.end + self.old.end,
            _ => self.old.start,
        }
    }

    /// Returns the place in the editor's text of a range of the analysed one; `None` if it has changed.
    pub fn to_new(&self, range: Range<usize>) -> Option<Range<usize>> {
        if range.end <= self.old.start {
            return Some(range);
        }
        let moved = |offset: usize| offset - self.old.end + self.new.end;
        (range.start >= self.old.end).then(|| moved(range.start)..moved(range.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_before_and_after_the_change_are_known() {
        let drift = Drift::between("int a; int b;", "int a; p->x int b;");
        assert_eq!(drift.to_old(4), 4);
        assert_eq!(drift.to_old(16), 11);
        assert_eq!(drift.to_new(11..12), Some(16..17));
        assert_eq!(drift.to_old(9), 7);
        assert_eq!(Drift::between("ä", "ö").to_new(0..2), None);
        assert_eq!(Drift::between("aa", "aaa").to_new(1..2), Some(1..2));
    }
}
