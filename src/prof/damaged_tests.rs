//! Tests damaged recordings in every view: whatever a file contains, the command ends with a result or one clear error.

use super::cli::upcprof;
use super::compute;
use super::export::FORMATS;
use super::fixture::{Random, sample};
use super::format::{BLOCK_HEADER, BLOCK_MAGIC, BlockHead};
use super::writer::{Shape, write};
use std::time::{Duration, Instant};

/// The number of damaged files in a normal run and in a long one.
const CASES: u64 = 250;
const CASES_LONG: u64 = 20_000;
/// The time limit for showing a file of a few kilobytes, also on a busy machine.
const LIMIT: Duration = Duration::from_secs(10);

const VIEWS: &[&str] = &[
    "profile",
    "profile --by event --per-thread --format json",
    "profile --by callpath --internal --top 0",
    "profile --by array --format csv",
    "profile --by peer --from-trace",
    "stat",
    "stat --format json",
    "dump",
];

/// Returns the offsets of a file's blocks.
fn blocks(bytes: &[u8]) -> Vec<usize> {
    memchr::memmem::find_iter(bytes, &BLOCK_MAGIC.to_le_bytes()).collect()
}

/// Changes a few bytes after the file's header. In some cases the check sums of the blocks are corrected, so that the
/// reader accepts their contents.
fn damage(random: &mut Random, bytes: &mut Vec<u8>, starts: &[usize]) {
    for _ in 0..=random.below(4) {
        let at = 16 + random.below(bytes.len() as u64 - 16) as usize;
        match random.below(5) {
            0 => bytes[at] = random.below(256) as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes.truncate(at.max(64)),
            3 => bytes.insert(at, 0xff),
            // Writes a number of many bytes.
            _ => {
                let end = (at + 9).min(bytes.len());
                bytes[at..end].fill(0xff);
            }
        }
    }
    if random.below(3) == 0 {
        return;
    }
    for &at in starts {
        let Some(head) = bytes.get(at..).and_then(BlockHead::read) else {
            continue;
        };
        let end = at + BLOCK_HEADER + head.length as usize;
        if end <= bytes.len() {
            let mended = head.write(&bytes[at + BLOCK_HEADER..end]);
            bytes[at..at + BLOCK_HEADER].copy_from_slice(&mended);
        }
    }
}

#[test]
fn no_file_makes_a_view_panic() {
    let mut memory = sample();
    memory.profile = Some(compute::profile(&memory));
    let shape = Shape {
        block: 8,
        ticks: 2,
        ends: true,
    };
    let good = write(&memory, &shape);
    let starts = blocks(&good);
    assert!(starts.len() > 5);
    let exports: Vec<String> = FORMATS
        .iter()
        .map(|(name, ..)| format!("export --format {name}"))
        .collect();
    let views: Vec<&str> = VIEWS
        .iter()
        .copied()
        .chain(exports.iter().map(String::as_str))
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let mut random = Random(7);
    let cases = match std::env::var_os("UPCC_TEST_LONG") {
        Some(_) => CASES_LONG,
        None => CASES,
    };
    let mut shown = 0;
    for case in 0..cases {
        let mut bytes = good.clone();
        damage(&mut random, &mut bytes, &starts);
        std::fs::write(at("x.upcprof"), &bytes).unwrap();
        let view = views[random.below(views.len() as u64) as usize];
        let mut words: Vec<String> = view.split(' ').map(str::to_owned).collect();
        words.extend(["-o".to_owned(), at("out"), at("x.upcprof")]);
        let start = Instant::now();
        shown += u64::from(upcprof(words).is_ok());
        assert!(
            start.elapsed() < LIMIT,
            "case {case}, {view}: {:?}",
            start.elapsed()
        );
    }
    assert!(shown > cases / 2, "{shown} of {cases} are shown");
}
