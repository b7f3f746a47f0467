use super::*;
use crate::prof::compute;
use crate::prof::fixture::{Random, asked, random};
use crate::prof::memory::Memory;
use crate::prof::model::{Key, KindId, PathId, Phase, Samples, SiteId};
use crate::prof::profile::{CUTS, view};
use crate::prof::select::Selection;
use crate::prof::source::Sources;
use crate::prof::table::{Cell as Shown, Table, Unit};
use crate::prof::writer::{Shape, write};
use crate::prof::{export, reader};
use std::io::Write as _;

const DAY: u64 = 86_400_000_000_000;

/// Returns a recording with a profile that has no cells.
fn blank(threads: u32) -> Memory {
    let mut memory = Memory::new(threads);
    memory.facts.program = "./known".to_owned();
    memory.facts.has_paths = true;
    memory.profile = Some(Profile {
        paths: vec![root()],
        cells: Vec::new(),
    });
    memory
}

fn root() -> Frame {
    Frame {
        parent: PathId::ROOT,
        kind: KindId(0),
        site: SiteId::NONE,
    }
}

/// Returns a number of up to `bits` bits; small numbers are as frequent as large ones.
fn number(random: &mut Random, bits: u64) -> u64 {
    let bits = random.below(bits);
    random.below(1 << bits)
}

/// Returns a path below another one, on a line of its own.
fn path(memory: &mut Memory, parent: PathId, event: &str) -> PathId {
    let line = memory.tables.sites.len() as u32;
    let site = memory.site("known.upc", line, 1, "");
    let kind = memory.tables.kind_named(event).unwrap();
    let paths = &mut memory.profile.as_mut().unwrap().paths;
    paths.push(Frame { parent, kind, site });
    PathId(paths.len() as u32 - 1)
}

fn add(memory: &mut Memory, thread: u32, path: PathId, peer: Option<u32>, cell: Cell) {
    let key = Key {
        thread,
        path,
        peer,
        object: None,
    };
    memory.profile.as_mut().unwrap().cells.push((key, cell));
}

/// Classifies samples as the recorder does: by the power of two.
fn classes(samples: &[u64]) -> Vec<(u64, u64)> {
    let mut classes = vec![(0, 0); 20];
    for &sample in samples {
        let class = (u64::BITS - sample.leading_zeros()).min(19) as usize;
        classes[class].0 += 1;
        classes[class].1 += sample;
    }
    classes.retain(|class| class.0 > 0);
    classes
}

/// A run's true times, together with its recording.
struct Known {
    memory: Memory,
    /// The own time of each cell.
    truth: Vec<f64>,
}

/// Returns a run of nested functions that access shared memory. The recorder times a few of the accesses, as many as in
/// practice; the system interrupts some of them for milliseconds.
fn run(seed: u64) -> Known {
    let mut random = Random(seed * 2 + 1);
    let mut known = Known {
        memory: blank(2),
        truth: Vec::new(),
    };
    for thread in 0..2 {
        let took = function(&mut known, &mut random, thread, PathId::ROOT, 0);
        let outside = random.below(1_000_000);
        let of = &mut known.memory.threads[thread as usize];
        (of.first, of.last) = (1_000, 1_000 + took.0 + outside);
    }
    known
}

/// Returns the time that the function took, and how much of it is in timed events.
fn function(
    known: &mut Known,
    random: &mut Random,
    thread: u32,
    parent: PathId,
    depth: u64,
) -> (u64, u64) {
    let at = path(&mut known.memory, parent, "C_FUNC");
    let own = 1_000 + random.below(10_000_000);
    let (mut inside, mut timed) = (0, 0);
    for _ in 0..1 + random.below(3) {
        let (took, reported) = match depth < 3 && random.below(2) == 0 {
            true => function(known, random, thread, at, depth + 1),
            false => accesses(known, random, thread, at),
        };
        (inside, timed) = (inside + took, timed + reported);
    }
    let total = own + inside;
    let cell = Cell {
        count: 1,
        timed: 1,
        total,
        own: total - timed,
        min: total,
        max: total,
        ..Cell::default()
    };
    add(&mut known.memory, thread, at, None, cell);
    known.truth.push(own as f64);
    (total, total)
}

/// Adds some accesses of a place to one or two threads.
fn accesses(known: &mut Known, random: &mut Random, thread: u32, parent: PathId) -> (u64, u64) {
    let event = ["UPC_GET", "UPC_PUT", "UPC_LOCK"][random.below(3) as usize];
    let at = path(&mut known.memory, parent, event);
    let (mut took, mut reported) = (0, 0);
    for peer in 0..1 + random.below(2) as u32 {
        let each = 4 + number(random, 10);
        let count = 1 + number(random, 22);
        let one = |random: &mut Random| each / 2 + random.below(each + 1);
        let mut cell = Cell {
            count,
            timed: count.min(10_000),
            ..Cell::default()
        };
        cell.own = (0..cell.timed).map(|_| one(random)).sum();
        let mut samples: Vec<u64> = (0..(count - cell.timed) / 1000)
            .map(|_| one(random))
            .collect();
        // The system preempts the thread.
        for _ in 0..random.below(1 + samples.len() as u64 / 100).min(5) {
            let at = random.below(samples.len() as u64) as usize;
            samples[at] += 20_000 + random.below(10_000_000);
        }
        let sampled: u64 = samples.iter().sum();
        cell.timed += samples.len() as u64;
        cell.own += sampled;
        cell.total = cell.own;
        (cell.min, cell.max) = (
            each / 2,
            samples.iter().copied().max().unwrap_or(0).max(2 * each),
        );
        let untimed = (cell.count - cell.timed) * each;
        cell.samples = Samples {
            classes: classes(&samples),
            counted: cell.count - cell.timed,
            passed: untimed * 2,
        };
        took += cell.own + untimed;
        reported += cell.own;
        known.truth.push((cell.own + untimed) as f64);
        add(&mut known.memory, thread, at, Some(peer), cell);
    }
    (took, reported)
}

/// Returns the recording as read from a file.
fn read(memory: &Memory) -> (tempfile::NamedTempFile, reader::Opened) {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let shape = Shape {
        block: 100,
        ticks: 2,
        ends: true,
    };
    file.write_all(&write(memory, &shape)).unwrap();
    file.flush().unwrap();
    let opened = reader::open(&[file.path().to_path_buf()]).unwrap();
    assert_eq!(opened.damage(), []);
    (file, opened)
}

/// Checks the invariants of every view, whatever a file contains.
fn check_sums(of: &dyn Recording) {
    let whole = estimate(of, of.profile().unwrap());
    let profile = &whole.profile;
    let selection = Selection::new(of.facts(), of.tables(), &[], &[], &[]).unwrap();
    for thread in of.threads() {
        let mine = profile
            .cells
            .iter()
            .filter(|(key, _)| key.thread == thread.id);
        let own: u64 = mine.clone().map(|(_, cell)| cell.own).sum();
        let time = thread.last - thread.first;
        assert_eq!(own + whole.outside[thread.id as usize], time);
        for (key, cell) in mine {
            assert!(
                cell.own <= cell.total
                    || !of
                        .tables()
                        .kind(profile.frame(key.path).unwrap().kind)
                        .nested
            );
        }
    }
    for (name, by) in CUTS {
        let view = view(
            of,
            &whole,
            &selection,
            &asked(*by),
            &mut Sources::new(Vec::new()),
        );
        let share = view
            .table
            .columns
            .iter()
            .position(|column| column.unit == Unit::Share)
            .unwrap();
        let shares = view.table.rows.iter().map(|row| match row[share] {
            Shown::Number(share) => share,
            Shown::Change(_) | Shown::None | Shown::Text(_) => 0,
        });
        assert!(shares.sum::<u64>() <= 10_000, "by {name}");
        check_averages(&view.table, &format!("by {name}"));
    }
    let mut collapsed = Vec::new();
    let options = export::Options {
        format: export::Format::Collapsed,
        per_thread: false,
        unit: export::Unit::Nanoseconds,
    };
    export::export(of, Some(&whole), options, &mut collapsed).unwrap();
    let text = String::from_utf8(collapsed).unwrap();
    let weights = text
        .lines()
        .map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap());
    let time: u64 = of
        .threads()
        .iter()
        .map(|thread| thread.last - thread.first)
        .sum();
    assert_eq!(weights.sum::<u64>(), time);
}

/// Checks that in each row the average lies between the shortest and the longest event, and that as many events as there
/// are take the row's total. Events inside others of the row are in the average but not in the total.
fn check_averages(table: &Table, what: &str) {
    let at = |heading: &str| {
        let mut headings = table.columns.iter().map(|column| &*column.heading);
        headings.position(|of| of == heading).unwrap()
    };
    let columns = ["total", "calls", "avg", "min", "max"].map(at);
    for row in &table.rows {
        let numbers = columns.map(|at| match row[at] {
            Shown::Number(number) => Some(number),
            Shown::Change(_) | Shown::None | Shown::Text(_) => None,
        });
        if let [Some(total), Some(calls), Some(avg), Some(min), Some(max)] = numbers {
            assert!(min <= avg && avg <= max, "{what}: {min} <= {avg} <= {max}");
            let most = (u128::from(avg) + 1) * u128::from(calls);
            assert!(
                u128::from(total) <= most,
                "{what}: {calls} * {avg} are not {total}"
            );
        }
    }
}

/// Returns the estimated own times of all cells.
fn own_of(memory: &Memory) -> Vec<u64> {
    let whole = estimate(memory, memory.profile.as_ref().unwrap());
    let cells = whole.profile.cells.iter();
    cells.map(|(_, cell)| cell.own).collect()
}

/// A trace of one call with 1000 events inside. What it took to record these is in no time of the call.
#[test]
fn all_times_of_a_call_are_one_number() {
    let mut memory = Memory::new(1);
    memory.facts.has_paths = true;
    memory.threads[0].pair_cost = 30;
    (memory.threads[0].first, memory.threads[0].last) = (0, 1_000_000);
    let (call, get) = (
        memory.site("known.upc", 1, 1, ""),
        memory.site("known.upc", 2, 1, ""),
    );
    memory.event(0, 500, "UPC_FORALL", Phase::Start, call, &[]);
    for at in 0..1000 {
        let start = 1_000 + at * 100;
        memory.pair(0, (start, start + 50), "UPC_LOCK", get, &[]);
    }
    memory.event(0, 102_000, "UPC_FORALL", Phase::End, call, &[]);
    let whole = estimate(&memory, &compute::profile(&memory));
    let (_, cell) = whole
        .profile
        .cells
        .iter()
        .find(|(key, _)| whole.profile.frame(key.path).unwrap().site == call)
        .unwrap();
    assert_eq!((cell.count, cell.timed), (1, 1));
    assert_eq!((cell.min, cell.max), (cell.total, cell.total), "{cell:?}");
    assert_eq!(cell.total, 101_500 - 1001 * 30);
}

/// Traces of all kinds of events, as they are and with a cost of recording.
#[test]
fn averages_of_traces_lie_within_their_range() {
    for seed in 0..40 {
        let mut memory = random(seed, 1 + (seed as u32) % 3, 400);
        for thread in &mut memory.threads {
            thread.pair_cost = (seed / 2) % 20;
        }
        memory.profile = Some(compute::profile(&memory));
        check_sums(&memory);
    }
}

#[test]
fn known_times_are_found() {
    for seed in 0..60 {
        let known = run(seed);
        let (_file, opened) = read(&known.memory);
        check_sums(&opened);
        let raw = known.memory.profile.as_ref().unwrap();
        let whole = estimate(&known.memory, raw);
        for (at, ((key, cell), truth)) in whole.profile.cells.iter().zip(&known.truth).enumerate() {
            let frame = whole.profile.frame(key.path).unwrap();
            let time = (known.memory.threads[key.thread as usize].last - 1_000) as f64;
            // Up to a hundredth of the total is not observed; a function's own time is what all other estimates leave.
            let slack = match cell.count == 1 {
                true => 0.25 * (cell.total as f64),
                false => 0.01 * time,
            };
            let off = (cell.own as f64 - truth).abs();
            let event = &known.memory.tables.kind(frame.kind).name;
            assert!(
                off <= 0.25 * truth + slack,
                "seed {seed}, {event}, cell {at}: {} for {truth}: {cell:?}",
                cell.own
            );
            assert!(cell.timed == cell.count);
        }
        // A part contains at least the time inside it.
        let paths = whole.profile.paths.len();
        for thread in 0..2 {
            let (mut total, mut inside) = (vec![0; paths], vec![0; paths]);
            for (key, cell) in whole
                .profile
                .cells
                .iter()
                .filter(|(key, _)| key.thread == thread)
            {
                let parent = whole.profile.paths[key.path.0 as usize].parent;
                total[key.path.0 as usize] += cell.total;
                inside[parent.0 as usize] += cell.total;
            }
            for path in 1..paths {
                assert!(
                    total[path] + 4 >= inside[path],
                    "seed {seed}: {} in {}",
                    inside[path],
                    total[path]
                );
            }
        }
    }
}

/// Values that no recorder writes.
#[test]
fn sums_hold_whatever_a_file_says() {
    for seed in 0..300 {
        let mut random = Random(seed * 2 + 1);
        let mut memory = blank(1 + random.below(3) as u32);
        memory.facts.has_paths = random.below(4) > 0;
        let mut paths = vec![PathId::ROOT];
        for _ in 0..1 + random.below(30) {
            let parent = paths[random.below(paths.len() as u64) as usize];
            let event = [
                "C_FUNC",
                "UPC_GET",
                "UPC_LOCK",
                "UPC_BARRIER",
                "UPC_NB_GET_DATA",
            ];
            paths.push(path(&mut memory, parent, event[random.below(5) as usize]));
        }
        let threads = memory.threads.len() as u64;
        for at in &paths[1..] {
            for peer in 0..random.below(3) as u32 {
                let thread = random.below(threads) as u32;
                let mut cell = Cell {
                    count: 1 + number(&mut random, 40),
                    total: number(&mut random, 40),
                    own: number(&mut random, 40),
                    max: number(&mut random, 40),
                    min: 0,
                    ..Cell::default()
                };
                cell.timed = number(&mut random, 40).min(cell.count);
                cell.own = cell.own.min(cell.total);
                for _ in 0..random.below(4) {
                    cell.samples
                        .classes
                        .push((number(&mut random, 40), number(&mut random, 40)));
                }
                (cell.samples.counted, cell.samples.passed) =
                    (number(&mut random, 40), number(&mut random, 40));
                add(&mut memory, thread, *at, Some(peer), cell);
            }
        }
        for thread in &mut memory.threads {
            thread.last = number(&mut random, 40).min(DAY);
        }
        check_sums(&memory);
    }
}

/// An access of 5 ns, done a million times; two of its eleven samples were interrupted.
#[test]
fn an_interrupted_sample_is_no_cost() {
    let mut memory = blank(1);
    let get = path(&mut memory, PathId::ROOT, "UPC_GET");
    let samples = [[5; 2000].as_slice(), &[30_000_000, 50_000_000]].concat();
    let cell = Cell {
        count: 1_002_002,
        timed: 2_002,
        total: 80_010_000,
        own: 80_010_000,
        min: 5,
        max: 50_000_000,
        samples: Samples {
            classes: classes(&samples),
            ..Samples::default()
        },
        ..Cell::default()
    };
    add(&mut memory, 0, get, Some(1), cell);
    memory.threads[0].last = 200_000_000;
    let whole = estimate(&memory, memory.profile.as_ref().unwrap());
    assert_eq!(whole.profile.cells[0].1.own, 85_010_000);
    assert!(whole.errors[0] < 1_000_000);
}

/// A recording by a recorder that does not write samples.
#[test]
fn without_samples_the_timed_calls_count() {
    let mut memory = blank(1);
    let main = path(&mut memory, PathId::ROOT, "C_FUNC");
    let get = path(&mut memory, main, "UPC_GET");
    let cell = |count, timed, total, own, max| Cell {
        count,
        timed,
        total,
        own,
        min: 1,
        max,
        ..Cell::default()
    };
    add(
        &mut memory,
        0,
        main,
        None,
        cell(1, 1, 290_000_000, 280_000_000, 290_000_000),
    );
    add(
        &mut memory,
        0,
        get,
        Some(1),
        cell(1_000_100, 100, 10_002_000, 10_002_000, 10_000_020),
    );
    memory.threads[0].last = 300_000_000;
    let own = own_of(&memory);
    // 20 ns each; the time of the untimed events is taken from the function's time.
    assert!((29_000_000..31_000_000).contains(&own[1]), "{own:?}");
    assert_eq!(own[0] + own[1], 290_002_000);
}

/// Without paths the recording does not show which function the accesses were in.
#[test]
fn without_paths_all_that_is_around_pays() {
    let mut memory = blank(1);
    memory.facts.has_paths = false;
    let main = path(&mut memory, PathId::ROOT, "C_FUNC");
    let get = path(&mut memory, PathId::ROOT, "UPC_GET");
    let mut cell = Cell {
        count: 1,
        timed: 1,
        total: 100_000_000,
        own: 100_000_000,
        ..Cell::default()
    };
    add(&mut memory, 0, main, None, cell.clone());
    (cell.count, cell.timed, cell.total, cell.own) = (1_000_010, 10, 500, 500);
    add(&mut memory, 0, get, Some(1), cell);
    memory.threads[0].last = 100_001_000;
    let own = own_of(&memory);
    assert!(own[0].abs_diff(50_000_000) < 100_000, "{own:?}");
    assert!(own[1].abs_diff(50_000_500) < 100_000, "{own:?}");
}
