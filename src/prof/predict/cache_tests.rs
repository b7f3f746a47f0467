//! What the software cache does to predictions: lines, strips, updates, and what is fetched at the same time.

use super::tests::{MUPC, assert_near, changes, row, time, work};
use super::{Cause, Row, Work};
use crate::references::{Class, Formula, Transfer};

/// Lines of 1024 bytes hold 128 steps of 8 bytes, those of 64 bytes 8: an eighth of the reads misses.
#[test]
fn lines_of_the_cache() {
    let of = work(
        2,
        0.0,
        vec![row(Cause::Read, Class::Baseline, 1000.0, None)],
    );
    let text = "format = \"upcc platform 1\"\nname = \"x\"\nmachines = 4\n[[setting]]\nnetwork = \"mpi\"\ncache = true\n[setting.cost]\n\"baseline.read\" = [[2, 5000]]\n\"hit.read\" = [[2, 10]]\n\"miss.read\" = [[2, 3000]]\n\"bulk.read\" = [[2, 64, 2000], [2, 1024, 4000]]\n";
    // A miss takes 3000 ns with lines of 1024 bytes, of which a transfer takes twice as long as one of 64.
    let predicted = time(&of, text, &changes(&["cache-line=64"]), None);
    assert_near(predicted, 1000.0 * (0.875 * 10.0 + 0.125 * 1500.0));
}

/// 240 of 57600 reads are the first: 1920 bytes are in the cache for the others.
#[test]
fn what_is_read_again_is_cached() {
    let mut of = work(
        2,
        0.0,
        vec![row(
            Cause::Read,
            Class::Vector,
            57_600.0,
            Some(Formula::number(57_600)),
        )],
    );
    let known = of.rows[0].known.as_mut().expect("a reference");
    known.repeats = Some(Formula::number(240));
    let predicted = |cache| time(&of, MUPC, &changes(&[cache]), None);
    assert_near(predicted("cache=on"), 240.0 * 1_000.0 + 57_360.0 * 120.0);
    assert_near(predicted("cache=off"), 57_600.0 * 60_800.0);
}

/// 1000 updates of 16 lines. One costs 100 ns in a line, and 3 us if the line is missing. With a cache of one line 937 of them
/// miss, with one of 16 lines 16 of them. The runtime sees a few more miss: it remembers no more lines than the cache has, and
/// not each in a place of its own. It sends updates until they have cost half as much again as lines would have by then.
#[test]
fn updates_are_sent_until_lines_cost_less() {
    let both = |cause| {
        let mut row = row(cause, Class::Baseline, 1000.0, None);
        let known = row.known.as_mut().expect("a reference");
        (known.updates, known.step) = (true, None);
        row.array_bytes = Some(16.0 * 64.0);
        row
    };
    let of = work(2, 0.0, vec![both(Cause::Read), both(Cause::Write)]);
    let with = |cache: bool, lines: u32, update: u32| {
        let platform = format!(
            "format = \"upcc platform 1\"\nname = \"x\"\nmachines = 4\n[[setting]]\nnetwork = \"mpi\"\ncache = {cache}\ncache-line = 64\ncache-lines = {lines}\n[setting.cost]\n\"baseline.read\" = [[2, 2000]]\n\"update\" = [[2, {update}]]\n\"local.read\" = [[2, 100]]\n\"hit.read\" = [[2, 100]]\n\"miss.read\" = [[2, 3000]]\n"
        );
        // Each thread also makes 1000 reads and writes of its own memory, and would make those of the updates.
        time(&of, &platform, &changes(&[]), None) - 1000.0 * 100.0
    };
    assert_near(with(false, 1, 5_000), 1000.0 * 5_000.0);
    let fetched = |misses: f64, of_place: f64| {
        let of = |misses: f64| (1.0 - misses) * 100.0 + misses * 3_000.0;
        let found = (1.0 - f64::exp(-of_place)) / of_place;
        let seen = misses + (1.0 - found) / 64.0;
        1000.0 * (of(seen) * 1.5 + of(misses))
    };
    // One set for 16 lines: the first access misses, and 15 of 16 later ones.
    let missed = (1.0 + 999.0 * 15.0 / 16.0) / 1000.0;
    assert_near(with(true, 1, 5_000), fetched(missed, 16.0));
    assert_near(with(true, 1, 1_000), 1000.0 * 1_000.0);
    assert_near(with(true, 16, 1_000), fetched(0.016, 1.0));
    // 163 ns with what the runtime sees.
    assert_near(with(true, 16, 240), 1000.0 * 240.0);
}

/// Writes that follow one another: 409.6 us for a message of 32 KiB, and 100 us for the 32 KiB that it has more here, for 16384
/// elements of 4 bytes. Each message takes 2 us longer if the smallest transfer of 1 us takes three times as long.
#[test]
fn appended_writes_share_messages() {
    let mut write = row(Cause::Write, Class::Baseline, 16_384.0, None);
    write.bytes = 4.0;
    let known = write.known.as_mut().expect("a reference");
    (known.transfer, known.turns) = (Transfer::Append, Some(Formula::number(1 << 20)));
    let of = work(2, 0.0, vec![write]);
    let platform = "format = \"upcc platform 1\"\nname = \"x\"\nmachines = 4\n[[setting]]\nnetwork = \"mpi\"\n[setting.cost]\n\"baseline.read\" = [[2, 1000]]\n\"local.read\" = [[2, 0]]\n\"append.write\" = [[2, 100]]\n\"bulk.read\" = [[2, 8, 1000]]\n\"bulk.write\" = [[2, 8, 1000], [2, 32768, 101000], [2, 65536, 201000]]\n";
    let predicted = |all: &[&str]| time(&of, platform, &changes(all), None);
    assert_near(predicted(&[]), 509_600.0);
    assert_near(predicted(&["latency*3"]), 511_600.0);
}

/// Half of an array of 1000 elements for each thread belongs to the thread on 2 threads. On 4, all walk through the same
/// 2000 of 4000 elements, and two of the threads have none of these.
#[test]
fn the_thread_with_the_least_of_a_walked_array_counts() {
    let all = Formula::number(20_000);
    let mut reads = row(Cause::Read, Class::Vector, 10_000.0, Some(all.clone()));
    reads.array_bytes = Some(8_000.0);
    let known = reads.known.as_mut().expect("a reference");
    known.repeats = Some(Formula::number(10));
    let mut of = work(2, 0.0, vec![reads]);
    of.amount = Some(all);
    // 120 ns of each of the 10000 reads are part of computing.
    let reads = |of: &Work| time(of, MUPC, &changes(&["cache=off", "threads=4"]), None) - 1.2e6;
    let walked = reads(&of);
    // If less than all was read on 2 threads, nothing tells where a walk begins: three quarters are remote.
    of.rows[0].array_bytes = Some(80_000.0);
    assert_near(walked / reads(&of), 20_000.0 / 15_000.0);
}

/// The same array: a message of 64 elements takes 1 us if two threads ask for one at the same time, and two of four do.
#[test]
fn threads_that_walk_through_memory_of_others_ask_at_the_same_time() {
    let mut reads = row(
        Cause::Read,
        Class::Vector,
        10_000.0,
        Some(Formula::number(20_000)),
    );
    reads.array_bytes = Some(8_000.0);
    let known = reads.known.as_mut().expect("a reference");
    known.repeats = Some(Formula::number(10));
    let of = work(2, 0.0, vec![reads]);
    let text = "format = \"upcc platform 1\"\nname = \"x\"\nmachines = 4\n[[setting]]\nnetwork = \"mpi\"\ncache = false\n[setting.cost]\n\"baseline.read\" = [[2, 500]]\n\"local.read\" = [[2, 1]]\n\"bulk.read\" = [[2, 8, 1000], [4, 8, 9000]]\n";
    let predicted = |text: &str| time(&of, text, &changes(&["threads=4"]), None);
    let of_message = |each: f64| 20_000.0 * (each / 64.0 - 1.0) + 10_000.0;
    assert_near(predicted(text), of_message(1_000.0));
    // The platform says what such a walk costs.
    let walk = format!("{text}\"walk.read\" = [[4, 8, 7000]]\n");
    assert_near(predicted(&walk), of_message(7_000.0));
}

/// A strip of 128 elements in each of so many phases.
fn strip_of_phase(line: u32, loop_line: u32, phases: i64) -> Row {
    let all = Formula::number(128 * phases);
    let mut read = row(Cause::Read, Class::Vector, 128.0 * phases as f64, Some(all));
    read.place.line = line;
    let known = read.known.as_mut().expect("a reference");
    known.loop_line = loop_line;
    let of_phase = || Some(Formula::number(128));
    (known.phase, known.turns) = (of_phase(), of_phase());
    read
}

/// Two strips of 1 KB of one loop, which is run ten times between barriers: a message takes 1 us, the bytes another one. Both are
/// fetched at the same time, unless they belong to two loops, or the loop is not run often enough.
#[test]
fn strips_of_a_phase_are_fetched_at_the_same_time() {
    let text = "format = \"upcc platform 1\"\nname = \"x\"\nmachines = 4\n[[setting]]\nnetwork = \"mpi\"\ncache = true\n[setting.cost]\n\"baseline.read\" = [[2, 1000]]\n\"local.read\" = [[2, 0]]\n\"bulk.read\" = [[2, 8, 1000], [2, 1024, 2000]]\n";
    let predicted = |lines: [u32; 2], phases: i64| {
        let reads = lines.into_iter().zip([7, 8]);
        let reads = reads.map(|(loop_line, line)| strip_of_phase(line, loop_line, phases));
        let of = work(2, 0.0, reads.collect());
        time(&of, text, &changes(&[]), None)
    };
    assert_near(predicted([6, 6], 10), 30_000.0);
    assert_near(predicted([6, 5], 10), 40_000.0);
    assert_near(predicted([6, 6], 4), 16_000.0);
}

/// The same phases, in which a strip is read, and an element of a line of its own: both are fetched at the same time.
#[test]
fn elements_of_a_phase_are_fetched_with_its_strips() {
    let text = "format = \"upcc platform 1\"\nname = \"x\"\nmachines = 4\n[[setting]]\nnetwork = \"mpi\"\ncache = true\ncache-line = 1024\ncache-lines = 64\n[setting.cost]\n\"baseline.read\" = [[2, 1000]]\n\"local.read\" = [[2, 0]]\n\"hit.read\" = [[2, 0]]\n\"miss.read\" = [[2, 2000]]\n\"bulk.read\" = [[2, 8, 1000], [2, 1024, 2000]]\n";
    let predicted = |class: Class, transfer: Transfer| {
        let mut other = strip_of_phase(8, 6, 10);
        let known = other.known.as_mut().expect("a reference");
        (known.class, known.transfer) = (class, transfer);
        let of = work(2, 0.0, vec![strip_of_phase(7, 6, 10), other]);
        time(&of, text, &changes(&[]), None)
    };
    assert_near(predicted(Class::Vector, Transfer::Strip), 30_000.0);
    assert_near(predicted(Class::Baseline, Transfer::Single), 30_000.0);
}

/// Reads of 16 lines in a cache of 16 miss once for each line on 2 threads: a tenth of 160, by the rules, and half of
/// that in the recorded run. On 4 threads each set is for three lines, and 165 of 240 reads miss by the rules.
#[test]
fn recorded_misses_grow_with_the_threads() {
    let mut reads = row(Cause::Read, Class::Baseline, 160.0, None);
    reads.known.as_mut().expect("a reference").step = None;
    (reads.array_bytes, reads.hits) = (Some(16.0 * 64.0), Some(0.95));
    let of = work(2, 0.0, vec![reads]);
    let text = "format = \"upcc platform 1\"\nname = \"x\"\nmachines = 4\n[[setting]]\nnetwork = \"mpi\"\ncache = true\ncache-line = 64\ncache-lines = 16\n[setting.cost]\n\"baseline.read\" = [[2, 5000]]\n\"local.read\" = [[2, 100]]\n\"hit.read\" = [[2, 100]]\n\"miss.read\" = [[2, 3100]]\n";
    let predicted = |threads| time(&of, text, &changes(&[threads]), None) - 160.0 * 100.0;
    assert_near(predicted("threads=2"), 160.0 * 0.05 * 3_000.0);
    let missed = 16.0 * (1.0 + 14.0 * 2.0 / 3.0) / 2.0;
    assert!((predicted("threads=4") / (missed * 3_000.0) - 1.0).abs() < 1e-3);
}

/// A loop over the threads before this one reads an element of each, from one thread on two and from three on four, on average
/// half of them: none of its accesses is to own memory.
fn reads_of_threads_before() -> Row {
    let count = Formula::name("MYTHREAD").times(&Formula::number(200));
    let mut reads = row(Cause::Read, Class::Baseline, 100.0, count);
    let known = reads.known.as_mut().expect("a reference");
    (known.transfer, known.step) = (Transfer::Gather, None);
    reads
}

#[test]
fn accesses_to_threads_that_the_program_chooses_are_all_remote() {
    let text = "format = \"upcc platform 1\"\nname = \"x\"\nmachines = 4\n[[setting]]\nnetwork = \"mpi\"\n[setting.cost]\n\"baseline.read\" = [[2, 1000]]\n\"local.read\" = [[2, 0]]\n";
    let predicted = |reads: &Row, threads: &str| {
        time(
            &work(2, 0.0, vec![reads.clone()]),
            text,
            &changes(&[threads]),
            None,
        )
    };
    let mut reads = reads_of_threads_before();
    assert_near(predicted(&reads, "threads=2"), 100.0 * 1000.0);
    assert_near(predicted(&reads, "threads=4"), 300.0 * 1000.0);
    // Half of them were remote: the others were to own memory, of which there is less on more threads.
    reads.count = 50.0;
    assert_near(predicted(&reads, "threads=4"), 50.0 * 3.0 * 1.5 * 1000.0);
}

/// Half of the elements that the recorded run gathered were in lines that it had: a line of those that remain takes 1 us more
/// than a message without it.
#[test]
fn gathers_fetch_as_many_lines_as_were_recorded() {
    let text = "format = \"upcc platform 1\"\nname = \"x\"\nmachines = 4\n[[setting]]\nnetwork = \"mpi\"\ncache = true\ncache-line = 1024\ncache-lines = 64\n[setting.cost]\n\"baseline.read\" = [[2, 1000]]\n\"local.read\" = [[2, 0]]\n\"gather.read\" = [[2, 1000]]\n\"bulk.read\" = [[2, 8, 1000], [2, 1024, 2000]]\n";
    let predicted = |hits: Option<f64>| {
        let mut reads = reads_of_threads_before();
        (reads.hits, reads.array_bytes) = (hits, Some(1e15));
        reads.known.as_mut().expect("a reference").turns = Some(Formula::number(1));
        time(&work(2, 0.0, vec![reads]), text, &changes(&[]), None)
    };
    assert_near(predicted(Some(0.5)), 50.0 * 2_000.0);
    assert_near(predicted(None), 100.0 * 2_000.0);
}
