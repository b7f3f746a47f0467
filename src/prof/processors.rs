//! The processors of a run.

use super::model::{Recording, Thread};
use hashbrown::HashMap;
use std::collections::BTreeSet;

/// The largest number of a processor; limits the memory that a hostile file can ask for.
const MOST: u32 = 1 << 16;

/// Reads `0-3,8`. `None`: it is no such list.
fn numbers(text: &str) -> Option<BTreeSet<u32>> {
    let range = |text: &str| {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        (first <= last && last < MOST).then_some(first..=last)
    };
    let ranges: Option<Vec<_>> = text.split(',').map(range).collect();
    Some(ranges?.into_iter().flatten().collect())
}

/// Returns the number of processors that the threads may run on, of all machines. `None`: the recording does not say it.
pub fn processors(of: &dyn Recording) -> Option<u32> {
    let mut machines: HashMap<&str, BTreeSet<u32>> = HashMap::new();
    for Thread {
        host, processors, ..
    } in of.threads()
    {
        let of_machine = machines.entry(host).or_default();
        of_machine.extend(numbers(processors)?);
    }
    let counts = machines.values().map(|of| of.len() as u32);
    Some(counts.sum()).filter(|count| *count > 0)
}

/// Says that threads share processors, if they do.
pub fn shared(of: &dyn Recording) -> Option<String> {
    let (threads, processors) = (of.facts().threads, processors(of)?);
    let noun = match processors {
        1 => "processor",
        _ => "processors",
    };
    (threads > processors).then(|| format!("{threads} threads shared {processors} {noun}"))
}

#[cfg(test)]
mod tests {
    use super::super::memory::Memory;
    use super::*;

    fn on(hosts: &[(&str, &str)]) -> Memory {
        let mut m = Memory::new(hosts.len() as u32);
        for (thread, (host, processors)) in m.threads.iter_mut().zip(hosts) {
            thread.host = (*host).to_owned();
            thread.processors = (*processors).to_owned();
        }
        m
    }

    #[test]
    fn the_processors_of_all_machines_are_counted_once() {
        assert_eq!(processors(&on(&[("a", "0-1"), ("a", "0-1")])), Some(2));
        assert_eq!(processors(&on(&[("a", "0"), ("a", "1,5-6")])), Some(4));
        assert_eq!(processors(&on(&[("a", "0-3"), ("b", "0-3")])), Some(8));
    }

    #[test]
    fn what_no_recording_says_is_not_guessed() {
        for text in ["", "x", "3-1", "0-99999999", "1,,2"] {
            assert_eq!(processors(&on(&[("a", "0"), ("a", text)])), None, "{text}");
        }
    }

    #[test]
    fn threads_without_a_processor_each_share_them() {
        let m = on(&[("a", "0-1"), ("a", "0-1"), ("a", "0-1")]);
        let text = "3 threads shared 2 processors";
        assert_eq!(shared(&m).as_deref(), Some(text));
        assert_eq!(shared(&on(&[("a", "0-1"), ("a", "0-1")])), None);
    }
}
