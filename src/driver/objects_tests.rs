//! Damaged objects, archives and programs are read without a panic, in a time that does not depend on the sizes that
//! they contain.

#[path = "../../tests/common/rng.rs"]
mod rng;

use super::*;
use rng::Rng;
use std::process::Command;
use std::time::{Duration, Instant};

/// The number of damaged files in a normal run and in a long one.
const CASES: u64 = 1500;
const CASES_LONG: u64 = 200_000;
/// The time limit for reading a file of a few kilobytes, also on a busy machine.
const LIMIT: Duration = Duration::from_secs(5);

/// A unit's note, a shared object, a shared object of another unit, and code that refers to both.
const SOURCE: &str = r#"
__asm__(".section .upcc.unit,\"\",@progbits\n.ascii \"upcc=0.1.0 abi=2 threads=0 pts=packed:20,10 network=smp remote=0 checks=0 source=a.upc\\n\"\n.text\n");
__asm__(".section upcr_shared,\"aw\",@nobits\n.globl table\n.type table, @object\n.size table, 64\ntable: .zero 64\n.text\n");
extern char table[] __attribute__((visibility("hidden")));
extern char other[] __attribute__((visibility("hidden")));
extern int upcr_mythread;
char *place(void) { return upcr_mythread ? table : other; }
"#;

/// Returns an object, and an archive that contains it twice.
fn corpus(folder: &Path) -> [Vec<u8>; 2] {
    let (source, object) = (folder.join("a.c"), folder.join("a.o"));
    std::fs::write(&source, SOURCE).unwrap();
    let status = Command::new("cc")
        .args(["-fno-pie", "-c", "-o"])
        .args([&object, &source])
        .status()
        .unwrap();
    assert!(status.success());
    let bytes = std::fs::read(object).unwrap();
    let mut archive = b"!<arch>\n".to_vec();
    for name in ["a.o/", "b.o/"] {
        let length = bytes.len();
        archive.extend(
            format!(
                "{name:<16}{:<12}{:<6}{:<6}{:<8}{length:<10}`\n",
                0, 0, 0, 644
            )
            .bytes(),
        );
        archive.extend(&bytes);
        archive.resize(archive.len().next_multiple_of(2), b'\n');
    }
    [bytes, archive]
}

/// Changes a few places: single bytes, or whole numbers to boundary values.
fn damage(random: &mut Rng, bytes: &mut Vec<u8>) {
    const BORDERS: [u64; 8] = [0, 1, 0x7f, 0xff, 0xffff, 0xffff_ffff, 1 << 63, u64::MAX];
    for _ in 0..=random.below(4) {
        let length = bytes.len();
        // Headers are at the beginning; the section headers of an object are at the end.
        let at = match random.below(3) {
            0 => random.below(length.min(160)),
            1 => length - 1 - random.below(length.min(1400)),
            _ => random.below(length),
        };
        match random.below(5) {
            0 => bytes[at] = random.below(256) as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes.truncate(at.max(16)),
            width => {
                let border = BORDERS[random.below(BORDERS.len())].to_le_bytes();
                let count = (if width == 3 { 4 } else { 8 }).min(bytes.len() - at);
                bytes[at..at + count].copy_from_slice(&border[..count]);
            }
        }
    }
}

/// Calls every function that reads a file; returns the number of results.
fn exercise(path: &Path) -> usize {
    let linked = read(path);
    let names: usize = linked
        .iter()
        .map(|of| of.name().len() + of.units.len())
        .sum();
    let units = units_of_program(path).map_or(0, |units| units.len());
    let data = shared_data_of_program(path).map_or(0, |data| data.objects.len());
    let used = usize::from(first_use(path, "other").is_some());
    names
        + units
        + data
        + used
        + needed_libraries(path).len()
        + usize::from(has_runtime(path).is_some())
}

#[test]
fn the_files_are_worth_damaging() {
    let folder = tempfile::tempdir().unwrap();
    let [object, archive] = corpus(folder.path());
    let path = folder.path().join("x.o");
    std::fs::write(&path, object).unwrap();
    let linked = read(&path);
    assert_eq!(linked[0].units[0].source, "a.upc");
    assert_eq!(linked[0].shared_names, ["other"]);
    assert!(linked[0].needs_runtime.is_some());
    assert_eq!(shared_data_of_program(&path).unwrap().objects.len(), 1);
    assert!(first_use(&path, "other").is_some());
    std::fs::write(&path, archive).unwrap();
    assert_eq!(read(&path).len(), 2);
}

#[test]
fn damaged_files_are_read_without_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = corpus(folder.path());
    let path = folder.path().join("damaged");
    let mut random = Rng::new(1);
    let cases = match std::env::var_os("UPCC_TEST_LONG") {
        Some(_) => CASES_LONG,
        None => CASES,
    };
    let mut answered = 0;
    for case in 0..cases {
        let mut bytes = corpus[(case % 2) as usize].clone();
        damage(&mut random, &mut bytes);
        std::fs::write(&path, &bytes).unwrap();
        let start = Instant::now();
        answered += usize::from(exercise(&path) > 0);
        assert!(
            start.elapsed() < LIMIT,
            "case {case} takes {:?}",
            start.elapsed()
        );
    }
    assert!(
        answered as u64 > cases / 3,
        "{answered} of {cases} are read at all"
    );
}
