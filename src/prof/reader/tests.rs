//! Tests that the reader reads what the writer wrote, also from damaged files.

use crate::prof::compute;
use crate::prof::dump::line;
use crate::prof::estimate::estimate;
use crate::prof::fixture::{Random, random, sample};
use crate::prof::format::LoopEntry;
use crate::prof::limits::{Shown, limits};
use crate::prof::memory::Memory;
use crate::prof::model::{Clocks, End, Events, Phase, Profile, Recording};
use crate::prof::processors::processors;
use crate::prof::reader::{self, OpenError, Opened};
use crate::prof::writer::{Shape, write};
use std::collections::BTreeSet;
use std::io::Write as _;

const SHAPE: Shape = Shape {
    block: 5,
    ticks: 3,
    ends: true,
};

fn open(bytes: &[u8]) -> Result<Opened, OpenError> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    reader::open(&[file.path().to_owned()])
}

fn lines(of: &dyn Recording, events: &mut dyn Events) -> Vec<String> {
    let mut lines = Vec::new();
    while let Some(event) = events.next() {
        let mut text = String::new();
        line(&mut text, of, event);
        text.push('\n');
        lines.push(text);
    }
    lines
}

fn thread_lines(of: &dyn Recording, thread: u32) -> Vec<String> {
    lines(of, &mut *of.events(thread))
}

/// Returns cells with names instead of ids, which differ between recordings.
fn cells(of: &dyn Recording, profile: &Profile) -> Vec<String> {
    let tables = of.tables();
    let frame = |frame: &crate::prof::model::Frame| {
        let site = tables
            .site(frame.site)
            .map(|site| (tables.text(site.file), site.line, site.column));
        format!("{} {site:?}", tables.kind(frame.kind).name)
    };
    let mut cells: Vec<String> = profile
        .cells
        .iter()
        .map(|(key, cell)| {
            let path: Vec<String> = profile.frames(key.path).iter().map(frame).collect();
            format!(
                "{} {path:?} {:?} {:?} {cell:?}",
                key.thread, key.peer, key.object
            )
        })
        .collect();
    cells.sort();
    cells
}

#[track_caller]
fn same(memory: &Memory, opened: &Opened) {
    assert_eq!(opened.damage(), []);
    assert_eq!(opened.facts().threads, memory.facts.threads);
    assert_eq!(
        lines(memory, &mut *memory.merged()),
        lines(opened, &mut *opened.merged())
    );
    for thread in 0..memory.facts.threads {
        assert_eq!(thread_lines(memory, thread), thread_lines(opened, thread));
    }
}

/// Threads on a machine with a different clock have the times that they would have on the first one.
#[test]
fn clocks_of_machines_are_corrected() {
    let mut memory = sample();
    memory.threads[1].host = "another".to_owned();
    let opened = open(&write(&memory, &SHAPE)).unwrap();
    same(&memory, &opened);
    assert_eq!(opened.facts().clocks, Clocks::Compared(2, 700));
}

/// What the measurement library does at the start of a thread is no time of the program.
#[test]
fn a_thread_begins_with_the_program() {
    let mut memory = sample();
    let first = memory.events[1].first().unwrap().time;
    memory.threads[1].first = first - 1;
    let opened = open(&write(&memory, &SHAPE)).unwrap();
    same(&memory, &opened);
    assert_eq!(opened.threads()[1].first, first - 1);
}

#[test]
fn loops_remarks_and_processors_are_read() {
    let mut memory = sample();
    memory.add_loop(LoopEntry::For, "heat.upc", (13, 5), (16, 5));
    memory.add_loop(LoopEntry::Do, "lib/queue.upc", (6, 3), (8, 20));
    memory.add_loop(LoopEntry::While, "heat.upc", (14, 7), (15, 30));
    for thread in &mut memory.threads {
        thread.processors = "0-1,4".to_owned();
    }
    memory.add_remark("heat.upc", (15, 9), "`a[i]` is gathered");
    memory.add_remark("heat.upc", (15, 16), "`b[i]` stays as it is");
    memory.add_remark("lib/queue.upc", (7, 3), "`a[i]` is gathered");
    let opened = open(&write(&memory, &SHAPE)).unwrap();
    same(&memory, &opened);
    let remarks = |of: &dyn Recording| {
        let tables = of.tables();
        let remarks = tables
            .remarks
            .iter()
            .map(|(&(file, line, column), &remark)| {
                format!(
                    "{}:{line}:{column}: {}",
                    tables.text(file),
                    tables.text(remark)
                )
            });
        remarks.collect::<BTreeSet<String>>()
    };
    assert_eq!(remarks(&opened), remarks(&memory));
    assert!(remarks(&opened).contains("heat.upc:15:16: `b[i]` stays as it is"));
    let loops = |of: &dyn Recording| {
        let tables = of.tables();
        let loops = tables.loops.iter().map(|of| {
            let site = tables.site(of.first).unwrap();
            let name = &tables.kind(of.kind).name;
            let first = (tables.text(site.file), site.line, site.column);
            format!("{name} {first:?} {:?}", of.last)
        });
        let mut loops: Vec<String> = loops.collect();
        // Files have other numbers.
        loops.sort();
        loops
    };
    assert_eq!(loops(&opened), loops(&memory));
    assert_eq!(loops(&opened).len(), 3);
    assert_eq!(processors(&opened), Some(3));
}

#[test]
fn what_was_written_is_read() {
    let mut memory = sample();
    memory.facts.counters = vec!["cycles".to_owned(), "misses".to_owned()];
    for (number, event) in memory.events.iter_mut().flatten().enumerate() {
        let note =
            memory.tables.kinds[event.kind.0 as usize].group == crate::prof::model::Group::Note;
        event.counters = if note {
            Vec::new()
        } else {
            vec![number as u64, 3]
        };
    }
    memory.profile = Some(compute::profile(&memory));
    let opened = open(&write(&memory, &SHAPE)).unwrap();
    same(&memory, &opened);
    let profile = opened.profile().unwrap();
    assert_eq!(
        cells(&opened, profile),
        cells(&opened, &compute::profile(&opened))
    );
    assert_eq!(opened.facts().program, "./heat");
    assert_eq!(opened.facts().args, ["-n", "100"]);
    assert_eq!(opened.facts().started, memory.facts.started);
    assert_eq!(opened.tables().objects.len(), 1);
    assert_eq!(opened.tables().objects[0].bytes_per_thread, 64);
    for (read, written) in opened.threads().iter().zip(&memory.threads) {
        assert_eq!(
            (read.end, read.process, read.first, read.last),
            (written.end, written.process, written.first, written.last)
        );
    }
}

#[test]
fn random_events_come_back_in_blocks_of_any_size() {
    for (seed, block) in [(1, 1), (2, 7), (3, 1000), (4, 64)] {
        let memory = random(seed, 3, 500);
        let shape = Shape { block, ..SHAPE };
        same(&memory, &open(&write(&memory, &shape)).unwrap());
    }
}

#[test]
fn the_profile_in_the_file_is_that_of_its_events() {
    for mut memory in [sample(), random(5, 2, 400)] {
        memory.profile = Some(compute::profile(&memory));
        let opened = open(&write(&memory, &SHAPE)).unwrap();
        let written = cells(&opened, opened.profile().unwrap());
        assert_eq!(written, cells(&opened, &compute::profile(&opened)));
        assert!(!written.is_empty());
    }
}

/// Returns the offsets of a file's blocks.
fn blocks(bytes: &[u8]) -> Vec<usize> {
    let magic = crate::prof::format::BLOCK_MAGIC.to_le_bytes();
    memchr::memmem::find_iter(bytes, &magic).collect()
}

#[test]
fn a_cut_file_reads_up_to_the_last_whole_block() {
    let memory = sample();
    let bytes = write(
        &memory,
        &Shape {
            ends: false,
            ..SHAPE
        },
    );
    let all = open(&bytes).unwrap();
    assert_eq!(all.threads()[1].end, End::Unknown);
    assert!(all.threads()[1].last >= 12_500);
    let whole = thread_lines(&all, 1);
    let mut longest = 0;
    for cut in blocks(&bytes).into_iter().skip(1).map(|at| at + 11) {
        let opened = open(&bytes[..cut]).unwrap();
        let damage = opened.damage();
        assert_eq!(damage.len(), 1, "{damage:?}");
        let read = thread_lines(&opened, 1);
        assert_eq!(read, whole[..read.len()]);
        assert!(read.len() >= longest);
        longest = read.len();
    }
    assert_eq!(longest, whole.len());
}

/// Between two blocks lies the time in which the first one was written.
#[test]
fn the_time_of_writing_a_block_is_that_up_to_the_next_one() {
    let mut memory = sample();
    // The first event of the second block comes 100 ns after the last one of the first block.
    let later = SHAPE.block;
    let apart = memory.events[0][later].time - memory.events[0][later - 1].time;
    assert_eq!(apart, 100);
    let mut read = |delayed: u64, written: u64, is_lost: bool| {
        memory.events[0][later].delayed = delayed;
        memory.events[0][later].written = written;
        let mut bytes = write(&memory, &SHAPE);
        if is_lost {
            let events = |&at: &usize| bytes[at + 4] == 4 && bytes[at + 8] == 0;
            let at = blocks(&bytes).into_iter().find(events).unwrap();
            bytes[at + 30] ^= 0x40;
        }
        let opened = open(&bytes).unwrap();
        let time = memory.events[0][later].time;
        let mut events = opened.events(0);
        while let Some(event) = events.next() {
            if event.time == time && event.phase == Phase::Start {
                return (event.delayed, event.written);
            }
        }
        panic!("the event is gone");
    };
    assert_eq!(read(80, 60, false), (80, 60));
    assert_eq!(read(80, 80, false), (80, 80));
    assert_eq!(read(30, 0, false), (30, 0));
    // An event that is not later than the block was raised before that was written.
    assert_eq!(read(100, 90, false), (10, 0));
    // What a lost block had was no writing.
    assert_eq!(read(80, 60, true), (20, 0));
}

#[test]
fn a_damaged_block_costs_itself_alone() {
    let memory = sample();
    let mut bytes = write(&memory, &SHAPE);
    let whole = open(&bytes).unwrap();
    let before = thread_lines(&whole, 0);
    // The third block of events of thread 0; its definitions come before it, undamaged.
    let at = blocks(&bytes)
        .into_iter()
        .filter(|&at| bytes[at + 4] == 4 && bytes[at + 8] == 0)
        .nth(2)
        .unwrap();
    bytes[at + 30] ^= 0x40;
    let opened = open(&bytes).unwrap();
    let damage: Vec<String> = opened
        .damage()
        .into_iter()
        .map(|damage| damage.message)
        .collect();
    insta::assert_debug_snapshot!(damage);
    let after = thread_lines(&opened, 0);
    assert_eq!(before[..10], after[..10]);
    assert_eq!(before[15..], after[after.len() - (before.len() - 15)..]);
    // Starts and ends still match.
    let mut pairs = crate::prof::pairs::Pairs::new(opened.tables());
    let mut events = opened.merged();
    while let Some(event) = events.next() {
        pairs.feed(event, |_| {});
    }
    assert_eq!(pairs.unmatched, 0);
}

#[test]
fn what_is_no_recording_is_refused() {
    let good = write(&sample(), &SHAPE);
    let mut newer = good.clone();
    newer[8] = 9;
    for bytes in [&b"hello"[..], b"", &newer, &good[..16], &good[..20]] {
        assert!(open(bytes).is_err());
    }
    assert!(reader::open(&["/nonexistent".into()]).is_err());
}

/// Calls all functions of a recording.
fn exercise(opened: &Opened) -> usize {
    let read = lines(opened, &mut *opened.merged()).len();
    let profiles = [Some(compute::profile(opened)), opened.profile().cloned()];
    for profile in profiles.iter().flatten() {
        estimate(opened, profile);
    }
    limits(opened, Shown::All);
    for thread in opened.threads() {
        thread_lines(opened, thread.id);
    }
    read
}

#[test]
fn no_file_makes_the_reader_panic() {
    let mut memory = random(11, 2, 120);
    memory.profile = Some(compute::profile(&memory));
    let good = write(&memory, &Shape { block: 20, ..SHAPE });
    let starts = blocks(&good);
    let mut random = Random(99);
    let mut opened_some = 0;
    for _ in 0..400 {
        let mut bytes = good.clone();
        for _ in 0..=random.below(4) {
            let at = 16 + random.below(bytes.len() as u64 - 16) as usize;
            match random.below(4) {
                0 => bytes[at] = random.below(256) as u8,
                1 => bytes[at] ^= 1 << random.below(8),
                2 => bytes.truncate(at.max(64)),
                _ => bytes.insert(at, 0xff),
            }
        }
        // Half of the files have correct check sums, so that the contents of the blocks are read.
        if random.below(2) == 0 {
            mend(&mut bytes, &starts);
        }
        if let Ok(opened) = open(&bytes) {
            exercise(&opened);
            opened_some += 1;
        }
    }
    assert!(opened_some > 300, "{opened_some}");
}

/// Sets the correct check sums of blocks.
fn mend(bytes: &mut [u8], starts: &[usize]) {
    use crate::prof::format::{BLOCK_HEADER, BlockHead};
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

/// Created by `pupc_create_event(NULL, NULL)`.
#[test]
fn events_without_a_name_have_a_number() {
    let mut memory = Memory::new(2);
    let site = memory.site("a.upc", 3, 1, "");
    memory.user_kind("", None);
    memory.user_kind("named", None);
    for thread in 0..2 {
        memory.event(thread, 10, "", Phase::Atomic, site, &[]);
        memory.event(thread, 20, "named", Phase::Atomic, site, &[]);
    }
    let opened = open(&write(&memory, &SHAPE)).unwrap();
    assert_eq!(opened.damage(), []);
    let lines = thread_lines(&opened, 0);
    assert!(lines[0].contains("] user_event_1 ATOMIC"), "{lines:?}");
    assert!(lines[1].contains("] named ATOMIC"), "{lines:?}");
}
