//! The caches of a machine's processors, as the system describes them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Where Linux describes the processors of this machine.
pub const PROCESSORS: &str = "/sys/devices/system/cpu";

/// Returns the bytes of the last caches before memory, of all processors of a machine together; 0: the system does not say.
/// A cache that several processors share counts once.
pub fn bytes(processors: &Path) -> u64 {
    let folders = |folder: &Path, name: &str| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let name = name.to_owned();
        entries
            .filter(move |it| is_numbered(&it.file_name().to_string_lossy(), &name))
            .map(|it| it.path())
            .collect::<Vec<_>>()
    };
    let mut of_levels: BTreeMap<u32, BTreeMap<String, u64>> = BTreeMap::new();
    for processor in folders(processors, "cpu") {
        for cache in folders(&processor.join("cache"), "index") {
            let text = |name: &str| fs::read_to_string(cache.join(name)).ok();
            let level = text("level").and_then(|it| it.trim().parse().ok());
            let size = text("size").and_then(|it| size(it.trim()));
            if let (Some(level), Some(size), Some(sharers)) = (level, size, text("shared_cpu_list"))
            {
                of_levels.entry(level).or_default().insert(sharers, size);
            }
        }
    }
    let last = of_levels.into_values().next_back();
    last.map_or(0, |it| it.values().sum())
}

/// True for the prefix and a number.
fn is_numbered(name: &str, prefix: &str) -> bool {
    let number = name.strip_prefix(prefix);
    number.is_some_and(|it| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit()))
}

/// `512K`, `32M`
fn size(text: &str) -> Option<u64> {
    let units = [("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30)];
    let unit = units
        .iter()
        .find_map(|(name, unit)| Some((text.strip_suffix(name)?, *unit)));
    let (number, unit) = unit.unwrap_or((text, 1));
    Some(number.parse::<u64>().ok()? * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two processors with a second cache each and a third one for both, and two more with one for themselves.
    #[test]
    fn a_shared_cache_counts_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = |processor: u32, index: u32, (level, size, sharers): (u32, &str, &str)| {
            let at = folder
                .path()
                .join(format!("cpu{processor}/cache/index{index}"));
            fs::create_dir_all(&at).expect("a folder");
            for (name, text) in [
                ("level", &*level.to_string()),
                ("size", size),
                ("shared_cpu_list", sharers),
            ] {
                fs::write(at.join(name), format!("{text}\n")).expect("a file");
            }
        };
        assert_eq!(bytes(folder.path()), 0);
        for (processor, sharers) in [(0, "0-1"), (1, "0-1"), (2, "2-3"), (3, "2-3")] {
            cache(processor, 2, (2, "512K", &processor.to_string()));
            cache(processor, 3, (3, "32768K", sharers));
        }
        fs::create_dir(folder.path().join("cpufreq")).expect("a folder");
        assert_eq!(bytes(folder.path()), 64 << 20);
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("48K"), Some(48 << 10));
        assert_eq!(size("2M"), Some(2 << 20));
        assert_eq!(size("64"), Some(64));
        assert_eq!(size("?"), None);
    }
}
