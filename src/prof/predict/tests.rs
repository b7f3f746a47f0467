//! The programs of chapter 7 of Zhang's thesis on MuPC on the platforms of its chapter 6, with equation 6.1 worked by hand.

use super::work::Follows;
use super::{
    Blocks, Cause, Change, Changes, Known, Place, Row, Target, Work, parse, predict, search,
};
use crate::platform::Platform;
use crate::references::{Class, Formula, Transfer};
use std::collections::BTreeMap;

pub(super) const MUPC: &str = include_str!("../../../docs/platforms/mupc.toml");
const BERKELEY: &str = include_str!("../../../docs/platforms/berkeley.toml");

pub(super) fn row(cause: Cause, class: Class, count: f64, formula: Option<Formula>) -> Row {
    Row {
        place: Place {
            file: "x.upc".to_owned(),
            line: 7,
            column: 3,
        },
        event: "UPC_GET".to_owned(),
        text: String::new(),
        array: None,
        array_bytes: None,
        is_ring: None,
        cause,
        count,
        local: 0.0,
        bytes: 8.0,
        recorded: 0.0,
        hits: None,
        visits: None,
        spreads: false,
        known: Some(Known {
            class,
            transfer: match class {
                Class::Vector => Transfer::Strip,
                _ => Transfer::Single,
            },
            step: Some(8),
            count: formula.clone(),
            phase: formula,
            repeats: None,
            loop_line: 6,
            turns: None,
            updates: false,
            follows: Follows::default(),
        }),
    }
}

pub(super) fn work(threads: u32, computing: f64, rows: Vec<Row>) -> Work {
    Work {
        threads,
        network: "mpi".to_owned(),
        run: 1e9,
        computing,
        serial: 0.0,
        amount: None,
        beside_updates: None,
        finds: Vec::new(),
        shared_bytes: 0.0,
        flushes: 0.0,
        rows,
    }
}

/// The platform of the thesis, measured without its cache.
fn uncached() -> String {
    MUPC.replace("cache = true", "cache = false")
}

/// What is recorded, beside accesses to own memory, of nanoseconds of own time: events make it longer.
fn with_events(own: f64, accesses: f64) -> f64 {
    own / 0.7 - accesses
}

/// The predicted time in nanoseconds.
pub(super) fn time(work: &Work, platform: &str, changes: &Changes, measured: Option<f64>) -> f64 {
    let platform = Platform::parse(platform).expect("a file of the project");
    let values = BTreeMap::from([("N".to_owned(), 240)]);
    let blocks = Blocks::default();
    let target = Target {
        platform: &platform,
        network: None,
        was_cached: None,
        measured,
        weak: true,
        values: &values,
        later: None,
        blocks: &blocks,
    };
    predict(work, &target, changes)
        .expect("a prediction")
        .time
        .mean
}

pub(super) fn changes(all: &[&str]) -> Changes {
    let all = all.iter().map(|it| parse(it).expect("a change"));
    all.fold(Changes::default(), |sum, it| sum.with(&it))
}

pub(super) fn assert_near(found: f64, wanted: f64) {
    assert!(
        (found - wanted).abs() < wanted * 1e-9,
        "{found}, not {wanted}"
    );
}

/// 10 % of 1048576 elements, each read and written, 11 of 12 of them remote: 96119.46 x (83.1 + 32.5) us. The others
/// take 8738.13 x 0.24 us, which is the program's own time.
#[test]
fn histogram() {
    let updates = 104_857.6;
    let remote = |cause| row(cause, Class::Baseline, updates * 11.0 / 12.0, None);
    let own = updates / 12.0 * 240.0;
    let of = work(12, own, vec![remote(Cause::Read), remote(Cause::Write)]);
    assert_near(
        time(&of, MUPC, &changes(&["cache=off"]), None),
        11_113_507_498.666_666,
    );
    // Berkeley UPC: 96119.46 x (66.0 + 23.1) us, and the same time of the program's own.
    let berkeley = updates * 11.0 / 12.0 * 89_100.0 + own;
    assert_near(time(&of, BERKELEY, &changes(&[]), None), berkeley);
}

/// Half of the N^3/2 reads of B are remote on 2 threads: 3456000. On 12 threads it is 11 of 12 of N^3/12: 1056000. Of the
/// reads of own memory, which are part of the program's own time, 480000 fewer are left than a sixth.
#[test]
fn matrix_product() {
    let n = Formula::name("N");
    let cube = n.times(&n).and_then(|it| it.times(&n)).expect("a formula");
    let each = cube.over(&Formula::name("THREADS"));
    let mut of = work(
        2,
        0.0,
        vec![row(Cause::Read, Class::Vector, 3_456_000.0, each.clone())],
    );
    of.amount = each;
    let predicted = |all: &[&str]| time(&of, MUPC, &changes(all), None);
    assert_near(predicted(&["cache=off"]), 3_456_000.0 * 60_800.0);
    let own = 480_000.0 * 120.0;
    let on_12 = |cache, each| {
        assert_near(predicted(&[cache, "threads=12"]), 1_056_000.0 * each - own);
    };
    on_12("cache=off", 71_200.0);
    on_12("cache=on", 1_300.0);
    // Twice the size: eight times the reads.
    assert_near(
        predicted(&["cache=off", "N=480"]),
        8.0 * 3_456_000.0 * 60_800.0,
    );
}

/// A border of 1998 points with 3 neighbours each beyond it: 5994 reads on 2 threads, of 4 million. On 12 threads, all but two
/// have borders on 2 sides instead of one: 11988 reads. The thesis takes the mean of all threads, 10989; but the others wait.
#[test]
fn sobel() {
    let all = Some(Formula::number(4_000_000));
    let of = work(
        2,
        0.0,
        vec![row(Cause::Read, Class::Coalesce, 5_994.0, all)],
    );
    let predicted = |platform, all: &[&str]| time(&of, platform, &changes(all), None);
    // 5994 of them were reads of own memory on 2 threads.
    let both = |each: f64, own: f64| 11_988.0 * (each - own) + 5_994.0 * 120.0;
    assert_near(predicted(BERKELEY, &["threads=12"]), both(8_200.0, 150.0));
    assert_near(
        predicted(MUPC, &["threads=12", "cache=off"]),
        both(77_300.0, 120.0),
    );
}

/// Where data says which elements are read, the first thread and the last one may be neighbours: on 4 threads there are between
/// once and twice as many reads at borders as on 2, unless the recording says whether they are.
#[test]
fn borders_that_data_chooses_are_one_side_or_two() {
    let predicted = |step: Option<u64>, is_ring: Option<bool>| {
        let all = Some(Formula::number(1_000_000));
        let mut read = row(Cause::Read, Class::Baseline, 1000.0, all);
        read.known.as_mut().expect("a reference").step = step;
        read.is_ring = is_ring;
        let text = "format = \"upcc platform 1\"\nname = \"x\"\nmachines = 4\n[[setting]]\nnetwork = \"mpi\"\n[setting.cost]\n\"baseline.read\" = [[2, 1000]]\n\"local.read\" = [[2, 0]]\n";
        time(
            &work(2, 0.0, vec![read]),
            text,
            &changes(&["threads=4"]),
            None,
        )
    };
    assert_near(predicted(Some(8), None), 2000.0 * 1000.0);
    assert_near(predicted(None, None), 1000.0 * 2f64.sqrt() * 1000.0);
    assert_near(predicted(None, Some(true)), 1000.0 * 1000.0);
    assert_near(predicted(None, Some(false)), 2000.0 * 1000.0);
}

#[test]
fn the_own_time_is_what_costs_do_not_explain() {
    // 1000 x 71.28 us of 100 ms: 28.72 ms are left.
    let of = work(
        2,
        with_events(28.72e6, 0.12e6),
        vec![row(Cause::Read, Class::Baseline, 1000.0, None)],
    );
    let off = changes(&["cache=off"]);
    let measured = Some(100e6);
    let platform = uncached();
    assert_near(time(&of, &platform, &off, measured), 100e6);
    let twice = changes(&["cache=off", "compute*2"]);
    // An access to own memory takes 120 ns, which is part of computing: 71.28 ms are beyond.
    assert_near(time(&of, &platform, &twice, measured), 128.72e6);
    let slow = changes(&["cache=off", "latency*10"]);
    assert_near(time(&of, &platform, &slow, measured), 28.6e6 + 714e6);
}

/// The platform says 71.4 ms for what took 50, without own time: at a tenth of the latency it says 7.14 ms, and it takes as much
/// less, on the same network.
#[test]
fn costs_beyond_the_measured_time_are_scaled() {
    let reads = vec![row(Cause::Read, Class::Baseline, 1000.0, None)];
    let of = work(2, 0.0, reads);
    let platform = uncached();
    let platform = platform.replace("\"local.read\" = [[2, 120]", "\"local.read\" = [[2, 0]");
    let predicted = |all: &[&str]| time(&of, &platform, &changes(all), Some(50e6));
    assert_near(predicted(&["cache=off"]), 50e6);
    assert_near(
        predicted(&["cache=off", "latency*0.1"]),
        7.14e6 * 50.0 / 71.4,
    );
    // So it is with the cache, which belongs to the same network: otherwise it would seem to cost more.
    let uncached = platform.find("[[setting]]").map(|at| &platform[at..]);
    let uncached = uncached.expect("a setting of the platform");
    let cached = uncached.replacen("cache = false", "cache = true", 1);
    let both = format!("{platform}\n{cached}");
    let with = |cache| time(&of, &both, &changes(&[cache]), Some(50e6));
    assert_near(with("cache=on"), with("cache=off"));
}

/// Costs of 71.28 ms leave 28.72 ms of 100 to the program's own time. Events make that longer: it was not more than 10 ms if those
/// were recorded, and operations take the rest. Of 80 ms, it has more than what the costs leave.
#[test]
fn the_recorded_own_time_counts_as_well() {
    let platform = uncached();
    let own = |recorded: f64| {
        let reads = vec![row(Cause::Read, Class::Baseline, 1000.0, None)];
        let of = work(2, recorded - 0.12e6, reads);
        let predicted = |all: &[&str]| time(&of, &platform, &changes(all), Some(100e6));
        assert_near(predicted(&["cache=off"]), 100e6);
        predicted(&["cache=off", "compute*2"]) - 100e6
    };
    let least = own(10e6);
    assert!((5e6..=10e6).contains(&least), "{least}");
    let most = own(80e6);
    assert!((28.72e6..0.7 * 80e6).contains(&most), "{most}");
}

/// A program without operations has only own time, however short it was in the recording. With a few, they take at most twice as
/// long as the platform says.
#[test]
fn operations_do_not_take_all_that_is_left() {
    let platform = uncached();
    let own = |count: f64| {
        let reads = vec![row(Cause::Read, Class::Baseline, count, None)];
        let of = work(2, 10e6, reads);
        let predicted = |all: &[&str]| time(&of, &platform, &changes(all), Some(100e6));
        predicted(&["cache=off", "compute*2"]) - 100e6
    };
    assert_near(own(0.0), 100e6);
    assert_near(own(100.0), 100e6 - 2.0 * 7.128e6);
}

/// A thread computed for two fifths of the recording, so it computes for a fifth of 50 ms at least: 71.28 ms of costs have to be
/// 40.
#[test]
fn some_own_time_is_left_beside_the_costs() {
    let reads = vec![row(Cause::Read, Class::Baseline, 1000.0, None)];
    let of = work(2, 0.4e9, reads);
    let platform = uncached();
    let predicted = |all: &[&str]| time(&of, &platform, &changes(all), Some(50e6));
    assert_near(predicted(&["cache=off"]), 50e6);
    assert_near(predicted(&["cache=off", "compute*2"]), 60e6);
    let fast = 10e6 + 7.02e6 * 40.0 / 71.28;
    assert_near(predicted(&["cache=off", "latency*0.1"]), fast);
}

/// Reads cost 4 ms by the platform on 2 threads, and took 1 ms. What was measured on 4 threads has a chance of its own: they take
/// half of that there.
#[test]
fn too_large_costs_count_by_their_root_on_other_numbers_of_threads() {
    let of = work(
        2,
        0.0,
        vec![row(Cause::Read, Class::Baseline, 1000.0, None)],
    );
    let text = "format = \"upcc platform 1\"\nname = \"x\"\nmachines = 4\n[[setting]]\nnetwork = \"mpi\"\n[setting.cost]\n\"baseline.read\" = [[2, 4000], [4, 6000]]\n\"local.read\" = [[2, 0]]\n";
    let predicted = |threads| time(&of, text, &changes(&[threads]), Some(1e6));
    assert_near(predicted("threads=2"), 1e6);
    assert_near(predicted("threads=4"), 1000.0 * 1.5 * 6000.0 / 2.0);
}

/// A thousand updates of elements anywhere in 8 MiB of other threads, and as many of own ones.
fn updates() -> Vec<Row> {
    let both = [Cause::Read, Cause::Write].map(|cause| {
        let mut row = row(cause, Class::Baseline, 1000.0, Some(Formula::number(2000)));
        let known = row.known.as_mut().expect("a reference");
        (known.updates, known.step) = (true, None);
        row.array_bytes = Some(8_388_608.0);
        row
    });
    both.to_vec()
}

/// Half of the recorded own time is left at least, but for loops of updates: what these compute is in the cost of an update.
#[test]
fn own_time_of_updates_is_in_their_costs() {
    let mut of = work(2, 0.8e9, updates());
    (of.amount, of.beside_updates) = (Some(Formula::number(4)), Some(Formula::number(1)));
    let text = "format = \"upcc platform 1\"\nname = \"x\"\nmachines = 4\n[[setting]]\nnetwork = \"mpi\"\n[setting.cost]\n\"baseline.read\" = [[2, 1000]]\n\"local.read\" = [[2, 0]]\n\"update\" = [[2, 2000]]\n";
    let predicted = |all: &[&str]| time(&of, text, &changes(all), Some(1e6));
    assert_near(predicted(&[]), 1e6);
    assert_near(predicted(&["compute*2"]), 1.1e6);
}

/// On 2 threads, half of a thread's updates are of its own elements: that is a quarter of its 400 us of own time. On 4, it is a
/// quarter of them, each of which takes eight times as long there. What it does besides takes as long as before.
#[test]
fn updates_of_own_elements_are_their_part_of_all() {
    let mut of = work(2, 400_000.0, updates());
    (of.amount, of.beside_updates) = (Some(Formula::number(4)), Some(Formula::number(1)));
    let text = "format = \"upcc platform 1\"\nname = \"x\"\nmachines = 4\n[[setting]]\nnetwork = \"mpi\"\n[setting.cost]\n\"baseline.read\" = [[2, 1000]]\n\"local.write\" = [[2, 0]]\n\"local.read\" = [[2, 100], [4, 800]]\n\"update\" = [[2, 2000]]\n";
    let predicted = |all: &[&str]| time(&of, text, &changes(all), None);
    let own = predicted(&["threads=4", "compute*2"]) - predicted(&["threads=4"]);
    assert_near(own, 300_000.0 + 500.0 * 800.0);
}

/// Half of the accesses of 240 x turns are remote on 2 threads: 4800 of them make 40 turns. 240 x 40 x 8 bytes are in the
/// cache, and a tenth of the reads are the first.
#[test]
fn unknown_iterations_are_those_of_the_recording() {
    let turns = Formula::name("turns(41)");
    let each = Formula::number(240).times(&turns).expect("a formula");
    let all = each.times(&Formula::number(10)).expect("a formula");
    let reads = vec![row(Cause::Read, Class::Vector, 48_000.0, Some(all))];
    let mut of = work(2, 0.0, reads);
    of.rows[0].known.as_mut().expect("a reference").repeats = Some(Formula::number(10));
    let cached = time(&of, MUPC, &changes(&["cache=on"]), None);
    assert_near(cached, 4_800.0 * 1_000.0 + 43_200.0 * 120.0);
}

#[test]
fn a_fixed_amount_of_work_is_divided() {
    let mut of = work(2, 100e6, Vec::new());
    let platform = Platform::parse(MUPC).expect("a file of the project");
    let blocks = Blocks::default();
    let values = BTreeMap::new();
    let target = Target {
        platform: &platform,
        network: None,
        was_cached: None,
        measured: None,
        weak: false,
        values: &values,
        later: None,
        blocks: &blocks,
    };
    let predicted = |of: &Work, all: &[&str]| {
        let found = predict(of, &target, &changes(all)).expect("a prediction");
        found.time.mean
    };
    assert_near(predicted(&of, &["threads=8"]), 25e6);
    // 32 threads on 16 machines with a processor each: 2 threads share one.
    assert_near(predicted(&of, &["threads=32"]), 12.5e6);
    // A fifth of it is not divided.
    of.serial = 0.2;
    assert_near(predicted(&of, &["threads=8"]), 20e6 + 20e6);
}

/// A platform on which threads that compute for 4 us answer, and come to a barrier, 4 us later than those that wait, and 8 us
/// later if they compute for 16 us or more.
const BUSY: &str = "format = \"upcc platform 1\"\nname = \"x\"\nmachines = 4\n[[setting]]\nnetwork = \"mpi\"\ncache = false\n[setting.cost]\n\"baseline.read\" = [[2, 1000]]\n\"local.read\" = [[2, 1]]\n\"busy.read\" = [[2, 4, 5000], [2, 16, 9000]]\n\"strict.write\" = [[2, 2000]]\n\"spread.fence\" = [[2, 3000]]\n\"barrier\" = [[2, 1000]]\n\"busy.barrier\" = [[2, 4, 5000], [2, 16, 9000]]\n";

/// Ten operations that take so much longer if the threads compute for 4 us in between, as they do in the recorded run.
fn check_longer(of: Row, together: f64, longer: f64) {
    let accesses = if of.cause == Cause::Read { 10.0 } else { 0.0 };
    let of = work(2, with_events(40_000.0, accesses), vec![of]);
    let recorded = 40_000.0 + 10.0 * (together + longer);
    let predicted = |change: &str| time(&of, BUSY, &changes(&[change]), Some(recorded));
    assert_near(predicted("threads=2"), recorded);
    assert_near(
        predicted("compute*0.5"),
        20_000.0 + 10.0 * (together + 0.5 * longer),
    );
    assert_near(
        predicted("compute*2"),
        80_000.0 + 10.0 * (together + 1.5 * longer),
    );
    assert_near(
        predicted("compute*9"),
        360_000.0 + 10.0 * (together + 2.0 * longer),
    );
}

fn synchronizes(cause: Cause) -> Row {
    let mut row = row(cause, Class::Baseline, 10.0, None);
    row.known = None;
    row
}

#[test]
fn threads_that_compute_meet_later() {
    check_longer(synchronizes(Cause::Barrier), 1_000.0, 4_000.0);
}

#[test]
fn threads_that_compute_answer_later() {
    check_longer(
        row(Cause::Read, Class::Baseline, 10.0, None),
        999.0,
        4_000.0,
    );
}

/// A fence waits for the writes to one thread, or for those to all others, which take three times as long as one answer.
#[test]
fn fences_wait_for_threads_that_compute() {
    let mut fence = synchronizes(Cause::Fence);
    check_longer(fence.clone(), 2_000.0, 4_000.0);
    fence.spreads = true;
    check_longer(fence, 3_000.0, 12_000.0);
}

/// The platform says what such a fence takes among threads that compute.
#[test]
fn fences_may_be_measured_among_threads_that_compute() {
    let mut fence = synchronizes(Cause::Fence);
    fence.spreads = true;
    let platform = format!("{BUSY}\"busy.fence\" = [[2, 4, 5000], [2, 16, 7000]]\n");
    let of = work(2, with_events(40_000.0, 0.0), vec![fence]);
    let recorded = 40_000.0 + 10.0 * 5_000.0;
    let predicted = |change: &str| time(&of, &platform, &changes(&[change]), Some(recorded));
    assert_near(predicted("threads=2"), recorded);
    assert_near(predicted("compute*4"), 160_000.0 + 10.0 * 7_000.0);
}

/// A platform whose fence takes 1 us, and 9 us if all others answer; reads of own memory take 5 ns where a cache holds it, and
/// 105 ns in a large array.
const FENCES: &str = "format = \"upcc platform 1\"\nname = \"x\"\nmachines = 4\n[[setting]]\nnetwork = \"mpi\"\n[setting.cost]\n\"baseline.read\" = [[2, 1000]]\n\"strict.write\" = [[2, 1000]]\n\"spread.fence\" = [[2, 9000]]\n\"local.read\" = [[2, 105]]\n\"near.read\" = [[2, 5]]\n\"barrier\" = [[2, 1000]]\n";

/// Fences, locks and barriers are made as often as their line is run: a loop over the threads makes twice as many on twice as
/// many. A loop whose iterations only the recording knows says nothing, and then barriers stay as many as they were.
#[test]
fn operations_follow_the_loop_around_them() {
    for cause in [Cause::Fence, Cause::Barrier] {
        let mut of_line = row(cause, Class::Baseline, 10.0, None);
        of_line.known = None;
        let predicted = |visits: &str, change: &str| {
            let mut line = of_line.clone();
            line.visits = Some(Formula::name(visits));
            time(&work(2, 0.0, vec![line]), FENCES, &changes(&[change]), None)
        };
        assert_near(predicted("THREADS", "threads=4"), 20.0 * 1000.0);
        assert_near(predicted("turns(7)", "threads=4"), 10.0 * 1000.0);
        assert_near(predicted("N", "N=480"), 20.0 * 1000.0);
    }
}

/// A fence behind writes to elements anywhere waits for all threads.
#[test]
fn fences_wait_for_all_who_have_been_written_to() {
    let mut fence = row(Cause::Fence, Class::Baseline, 10.0, None);
    let predicted = |fence: &Row| {
        time(
            &work(2, 0.0, vec![fence.clone()]),
            FENCES,
            &changes(&[]),
            None,
        )
    };
    assert_near(predicted(&fence), 10.0 * 1000.0);
    fence.spreads = true;
    assert_near(predicted(&fence), 10.0 * 9000.0);
}

/// A remote read costs what it takes beyond one of own memory, of 256 KiB, of 8 MiB, or of what lies between. The rest is the
/// program's own time, of which there is twice as much if computing takes twice as long. An update costs what its thread
/// takes for it in such memory.
#[test]
fn own_elements_are_in_the_cache_or_in_memory() {
    let predicted = |bytes: Option<f64>| {
        let mut read = row(Cause::Read, Class::Baseline, 10.0, None);
        read.array_bytes = bytes;
        time(
            &work(2, 0.0, vec![read]),
            FENCES,
            &changes(&["compute*2"]),
            None,
        )
    };
    let kib = 1024.0;
    let updated = |bytes: Option<f64>| {
        let mut update = row(Cause::Read, Class::Baseline, 10.0, None);
        update.known.as_mut().expect("a reference").updates = true;
        update.array_bytes = bytes;
        let costs = "\"update\" = [[2, 1105]]\n\"near.update\" = [[2, 1005]]\n";
        let platform = format!("{FENCES}{costs}");
        time(&work(2, 0.0, vec![update]), &platform, &changes(&[]), None)
    };
    for (bytes, own) in [
        (Some(16.0 * kib), 5.0),
        (Some(256.0 * kib), 5.0),
        (Some(8192.0 * kib), 105.0),
        (Some(256.0 * kib * 32f64.sqrt()), 55.0),
        (None, 105.0),
    ] {
        assert_near(predicted(bytes), 10.0 * (1000.0 + own));
        assert_near(updated(bytes), 10.0 * (1000.0 + own));
    }
}

/// 2000 updates take 0.1 ms of the recorded 1 ms. On 8 threads, four of which share a processor, each takes six times as long, and
/// what is beside them 16 times: there is four times as much of it.
#[test]
fn other_loops_grow_otherwise_than_updates() {
    let mut of = work(2, 1e6, updates());
    of.network = "smp".to_owned();
    of.beside_updates = Some(Formula::name("THREADS"));
    let text = "format = \"upcc platform 1\"\nname = \"x\"\nprocessors = 2\n[[setting]]\nnetwork = \"smp\"\n[setting.cost]\n\"baseline.read\" = [[2, 5]]\n\"local.read\" = [[2, 5]]\n\"update\" = [[2, 50], [8, 300]]\n";
    let predicted = |threads| time(&of, text, &changes(&[threads]), Some(1e6));
    assert_near(predicted("threads=2"), 1e6);
    assert_near(predicted("threads=8"), 6.0 * 0.1e6 + 16.0 * 0.9e6);
}

/// A million accesses find their threads in 1 ms on 2 threads, and in 2 ms on 4 that have a processor each.
#[test]
fn finding_a_thread_takes_longer_among_more() {
    let mut of = work(2, 50e6, Vec::new());
    of.network = "smp".to_owned();
    of.finds = vec![Formula::number(1_000_000), Formula::name("unknown")];
    let text = "format = \"upcc platform 1\"\nname = \"x\"\nprocessors = 2\n[[setting]]\nnetwork = \"smp\"\n[setting.cost]\n\"baseline.read\" = [[2, 5]]\n\"local.read\" = [[2, 5]]\n\"find.read\" = [[2, 1], [4, 4], [8, 6]]\n";
    let predicted = |threads| time(&of, text, &changes(&[threads]), None);
    assert_near(predicted("threads=2"), 50e6);
    assert_near(predicted("threads=4"), 100e6 + 4e6 - 2e6);
    assert_near(predicted("threads=8"), 200e6 + 6e6 - 4e6);
    assert_near(predicted("threads=16"), 400e6 + 12e6 - 8e6);
}

#[test]
fn changes_are_read() {
    assert_eq!(parse("block(a)=16"), Ok(Change::Block("a".to_owned(), 16)));
    assert_eq!(
        parse("gather(x.upc:12)"),
        Ok(Change::Gather("x.upc:12".to_owned()))
    );
    assert_eq!(parse("latency*0.5"), Ok(Change::Latency(0.5)));
    assert_eq!(
        parse("turns(41)=384"),
        Ok(Change::Parameter("turns(41)".to_owned(), 384))
    );
    for wrong in [
        "",
        "cache=maybe",
        "latency*0",
        "latency*x",
        "threads=0",
        "block()",
        "gather()",
        "speed*2",
    ] {
        assert!(parse(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn sets_to_search() {
    let each = |array: &str| (array == "a").then_some(12);
    let sizes = search("block(a)", each).expect("a set");
    let sizes: Vec<u64> = sizes
        .iter()
        .filter_map(|it| match it {
            Change::Block(_, n) => Some(*n),
            _ => None,
        })
        .collect();
    assert_eq!(sizes, [1, 2, 4, 8, 12]);
    assert!(search("block(b)", each).is_err());
    assert!(search("luck", each).is_err());
}
