//! The sections agree with each other, and nothing that a recording says becomes script.

use super::*;
use crate::prof::fixture::{random, sample};
use crate::prof::memory::Memory;
use crate::prof::model::{Arg, Object, Phase, Shared, SiteId};
use crate::prof::ratios;
use crate::prof::report::state::{STATES, State};
use crate::prof::runs::diff::diff;
use crate::prof::runs::scale::{Work, scale};
use crate::prof::runs::{By, From, Summary};
use serde_json::Value as Json;

fn page(of: &Memory) -> String {
    let mut page = Vec::new();
    report(of, More::default(), &mut page).unwrap();
    String::from_utf8(page).unwrap()
}

/// Returns the text between two texts.
fn between<'p>(page: &'p str, from: &str, to: &str) -> &'p str {
    let (_, rest) = page.split_once(from).unwrap();
    rest.split_once(to).unwrap().0
}

fn json(page: &str) -> Json {
    let json = between(
        page,
        r#"<script type="application/json" id="data">"#,
        "</script>",
    );
    serde_json::from_str(json).unwrap()
}

fn place(thread: u32, addr: u64) -> Arg {
    let phase = None;
    Arg::Shared(Shared {
        thread,
        addr,
        phase,
    })
}

#[test]
fn states_have_their_index_and_a_colour() {
    let style = include_str!("page/report.css");
    for (at, state) in [
        State::User,
        State::Barrier,
        State::Lock,
        State::Get,
        State::Put,
        State::Completion,
        State::Collective,
        State::Atomic,
        State::Memory,
        State::Io,
        State::Semaphore,
        State::Mpi,
        State::Runtime,
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(state.index(), at);
        let colour = format!("--state-{}:", STATES[at].name);
        assert_eq!(
            style.matches(&colour).count(),
            2,
            "{colour} in light and dark"
        );
    }
}

#[test]
fn sections_have_the_same_sums() {
    for of in [sample(), random(11, 4, 3000)] {
        let data = data(&of, More::default());
        let whole: u64 = of.threads().iter().map(Thread::time).sum();
        let balance: u64 = data.balance.times.iter().flatten().sum();
        let all = data.flame.all.list();
        let flame: u64 = all.chunks(4).map(|path| path[1]).sum();
        let of_threads = data.flame.threads.iter().map(|it| it.list());
        let of_threads: u64 = of_threads
            .flat_map(|it| it.chunks(2).map(|path| path[1]).collect::<Vec<_>>())
            .sum();
        assert_eq!((balance, flame, of_threads), (whole, whole, whole));
        // Lines have what is not outside of events or without a place.
        let lines = data.sources.iter().flat_map(|file| &file.costs);
        let lines: u64 = lines.flat_map(|line| line.times).sum();
        let nowhere = all.chunks(4).filter(|path| {
            let (_, frame) = data.paths.paths[path[0] as usize];
            data.paths.frames[frame as usize].file.is_none()
        });
        assert_eq!(lines + nowhere.map(|path| path[1]).sum::<u64>(), whole);
        let profile = compute::profile(&of);
        let peers = profile
            .cells
            .iter()
            .filter(|(key, _)| key.peer.is_some_and(|peer| peer < of.facts.threads));
        let (count, bytes) = peers.fold((0, 0), |(count, bytes), (_, cell)| {
            (count + cell.count, bytes + cell.bytes)
        });
        let cells = data.matrix.cells.list();
        let sum = |at: usize| cells.chunks(6).map(|cell| cell[at]).sum::<u64>();
        assert_eq!((sum(3), sum(4)), (count, bytes));
    }
}

#[test]
fn names_of_a_recording_are_never_html() {
    const SCRIPT: &str = "</script><script>stolen=1</script>\"'<!--&lt;";
    let mut of = sample();
    of.facts.program = SCRIPT.to_owned();
    of.facts.args = vec![SCRIPT.to_owned()];
    of.facts.network = SCRIPT.to_owned();
    let name = of.text(SCRIPT);
    of.tables.objects[0].name = name;
    of.tables.objects[0].type_name = name;
    let kind = of.user_kind(SCRIPT, Some(SCRIPT));
    let kind = of.tables.kind(kind).name.clone();
    let site = of.site(SCRIPT, 3, 1, SCRIPT);
    of.pair(0, (9_000, 9_100), &kind, site, &[]);
    for thread in 0..2 {
        of.pair(
            thread,
            (10_000 + 1000 * u64::from(thread), 11_500),
            "UPC_BARRIER",
            site,
            &[],
        );
    }
    let page = page(&of);
    // Its own two elements, and none that a name begins or ends.
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script").count(), 2);
    assert!(!page.contains("<!--"));
    let data = json(&page);
    assert_eq!(data["run"]["program"], SCRIPT);
    assert!(data["files"].as_array().unwrap().contains(&SCRIPT.into()));
    let labels = data["frames"].as_array().unwrap();
    assert!(labels.iter().any(|frame| frame["label"] == SCRIPT));
    let findings = data["findings"].as_array().unwrap();
    assert!(findings.iter().any(|finding| finding["file"] == SCRIPT));
    assert!(page.contains("&lt;&#x2f;script&gt;&lt;script&gt;stolen=1"));
}

#[test]
fn the_browser_runs_and_loads_nothing_else() {
    let page = page(&sample());
    let policy = between(
        &page,
        r#"http-equiv="Content-Security-Policy" content=""#,
        "\"",
    );
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"));
    assert!(!policy.contains("unsafe"));
    let (_, script) = page.rsplit_once("<script>").unwrap();
    let script = script.split_once("</script>").unwrap().0;
    let style = between(&page, "<style>", "</style>");
    for text in [script, style] {
        use base64::Engine as _;
        use sha2::Digest as _;
        let hash = sha2::Sha256::digest(text.as_bytes());
        let hash = base64::engine::general_purpose::STANDARD.encode(hash);
        assert!(policy.contains(&hash));
    }
    for word in [
        "http:",
        "https:",
        " src=",
        "@import",
        "url(",
        "innerHTML",
        "eval(",
    ] {
        assert!(!page.contains(word), "{word}");
    }
}

#[test]
fn a_profile_alone_makes_a_page() {
    let mut of = sample();
    of.profile = Some(compute::profile(&of));
    of.events.iter_mut().for_each(Vec::clear);
    let page = page(&of);
    assert!(page.contains("no trace") && json(&page)["timeline"].is_null());
    let times = json(&page)["balance"]["times"].clone();
    assert!(
        times[0]
            .as_array()
            .unwrap()
            .iter()
            .any(|time| time.as_u64() > Some(0))
    );
}

#[test]
fn arrows_of_locks_barriers_semaphores_and_transfers() {
    let mut of = Memory::new(2);
    let site = of.site("a.upc", 5, 1, "");
    let lock = [place(0, 0x500)];
    let get = |from: u32| [Arg::Int(0), Arg::Unknown, place(from, 0x900), Arg::Size(8)];
    // Thread 1 asks while thread 0 has the lock.
    of.pair(0, (10, 20), "UPC_LOCK", site, &lock);
    of.pair(1, (30, 110), "UPC_LOCK", site, &lock);
    of.pair(0, (100, 105), "UPC_UNLOCK", site, &lock);
    of.pair(1, (200, 205), "UPC_UNLOCK", site, &lock);
    // Nobody has the lock: no arrow.
    of.pair(0, (300, 310), "UPC_LOCK", site, &lock);
    of.pair(0, (315, 316), "UPC_UNLOCK", site, &lock);
    of.pair(0, (400, 500), "UPC_BARRIER", site, &[]);
    of.pair(1, (490, 500), "UPC_BARRIER", site, &[]);
    of.pair(1, (600, 640), "UPC_GET", site, &get(0));
    of.pair(1, (700, 740), "UPC_GET", site, &get(1));
    // The first unit is there already; thread 0 waits for the second one.
    let units = [place(0, 0x600), Arg::Size(1)];
    of.pair(1, (800, 805), "UPCC_SEM_POST", site, &units);
    of.pair(1, (850, 855), "UPCC_SEM_POST", site, &units);
    of.pair(0, (810, 815), "UPCC_SEM_WAIT", site, &units);
    of.pair(0, (820, 870), "UPCC_SEM_WAIT", site, &units);
    of.events
        .iter_mut()
        .for_each(|events| events.sort_by_key(|event| event.time));
    let data = data(&of, More::default());
    // The critical path: thread 1 has waited for the lock, and thread 0 for thread 1.
    assert_eq!(data.critical, [(0, 0, 100), (1, 100, 850), (0, 850, 870)]);
    let arrows = data.arrows;
    let rows: Vec<_> = arrows
        .rows
        .iter()
        .map(|row| (arrows.kinds[row.kind], row.from, row.to))
        .collect();
    assert_eq!(
        rows,
        [
            ("late arrival", (1, 490), (0, 490)),
            ("lock handover", (0, 100), (1, 110)),
            ("semaphore post", (1, 850), (0, 870)),
            ("transfer", (0, 600), (1, 640))
        ]
    );
    assert_eq!(arrows.left_out, 0);
}

#[test]
fn of_many_arrows_the_longest_of_each_time_are_kept() {
    let mut of = Memory::new(2);
    let site = of.site("a.upc", 5, 1, "");
    let args = [Arg::Int(0), Arg::Unknown, place(1, 0x900), Arg::Size(8)];
    for at in 0..60_000u64 {
        let length = if at % 1000 == 7 { 9 } else { 1 + at % 5 };
        of.pair(0, (at * 10, at * 10 + length), "UPC_GET", site, &args);
    }
    let arrows = data(&of, More::default()).arrows;
    assert_eq!(arrows.rows.len() as u64 + arrows.left_out, 60_000);
    assert!(arrows.rows.len() <= 24_000 && arrows.left_out > 30_000);
    let long = arrows.rows.iter().filter(|row| row.time == 9);
    assert_eq!(long.count(), 60);
    // At any time there are some.
    let early = arrows.rows.iter().filter(|row| row.to.1 < 6_000);
    assert!(early.count() > 100);
}

#[test]
fn who_accesses_which_elements() {
    let mut of = Memory::new(2);
    let (name, type_name) = (of.text("a"), of.text("shared int[8]"));
    of.object(Object {
        name,
        type_name,
        addr: 0x100,
        bytes_per_thread: 16,
        elem_bytes: 4,
        blocks: 8,
        block_bytes: 4,
    });
    let site = of.site("a.upc", 5, 1, "a[i]");
    for element in 0..4u64 {
        // Thread 0 reads the first half of a cyclic array.
        let at = place((element % 2) as u32, 0x100 + element / 2 * 4);
        let time = 100 * element;
        of.pair(
            0,
            (time, time + 50),
            "UPC_GET",
            site,
            &[Arg::Int(0), Arg::Unknown, at, Arg::Size(4)],
        );
    }
    let arrays = data(&of, More::default()).distribution.arrays;
    let array = &arrays[0];
    assert_eq!(
        (array.elements, array.block, array.local, array.remote),
        (8, 1, 2, 2)
    );
    assert_eq!(array.best, Some(4));
    assert_eq!(array.accesses.list(), [0, 4, 0, 1, 1, 1, 1, 1, 1, 1]);
}

#[test]
fn only_sources_are_read_and_of_long_ones_a_part() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, lines: u32| {
        let path = folder.path().join(name);
        let text: Vec<String> = (1..=lines).map(|line| format!("line {line}")).collect();
        std::fs::write(&path, text.join("\n")).unwrap();
        path.to_string_lossy().into_owned()
    };
    let (short, long, secret) = (
        write("short.upc", 30),
        write("long.upc", 9000),
        write("id_rsa", 5),
    );
    let mut of = Memory::new(1);
    for (at, (file, line)) in [(&short, 7), (&long, 4000), (&long, 4050), (&secret, 2)]
        .into_iter()
        .enumerate()
    {
        let site = of.site(file, line, 1, "");
        let time = 100 * at as u64;
        of.pair(0, (time, time + 50), "UPC_BARRIER", site, &[]);
    }
    let mut sources = Sources::new(Vec::new());
    let more = More {
        sources: Some(&mut sources),
        ..More::default()
    };
    let data = data(&of, more);
    let text = |name: &str| {
        let of_name = |file: &&source::File| data.paths.files[file.file as usize] == name;
        data.sources.iter().find(of_name).unwrap().text.clone()
    };
    assert_eq!((text(&short)[0].0, text(&short)[0].1.len()), (1, 30));
    let runs = text(&long);
    assert_eq!(runs.len(), 1);
    assert_eq!(
        (runs[0].0, runs[0].1.len(), runs[0].1[0].as_str()),
        (3960, 131, "line 3960")
    );
    assert!(text(&secret).is_empty());
}

#[test]
fn findings_lead_to_a_moment() {
    let mut of = Memory::new(2);
    let site = of.site("a.upc", 9, 1, "");
    for (at, late) in [(0, 500), (1000, 700), (2000, 600)] {
        of.pair(0, (at + 10, at + late + 5), "UPC_BARRIER", site, &[]);
        of.pair(1, (at + late, at + late + 5), "UPC_BARRIER", site, &[]);
    }
    let findings = data(&of, More::default()).findings;
    let moment = findings[0].moment.unwrap();
    assert_eq!(
        (findings[0].kind, findings[0].thread),
        ("late-thread", Some(1))
    );
    assert_eq!((moment.thread, moment.from, moment.to), (0, 1010, 1705));
    assert_eq!(
        (findings[0].place.as_str(), findings[0].line),
        ("a.upc:9", 9)
    );
}

#[test]
fn a_program_with_too_many_paths_keeps_its_sums() {
    let mut of = Memory::new(1);
    for line in 1..=33_000 {
        let site = of.site("a.upc", line, 1, "");
        let time = 100 * u64::from(line);
        of.event(0, time, "C_FUNC", Phase::Start, site, &[]);
        of.pair(0, (time + 20, time + 30), "UPC_BARRIER", SiteId::NONE, &[]);
        of.event(0, time + 50, "C_FUNC", Phase::End, site, &[]);
    }
    let data = data(&of, More::default());
    assert!(data.paths.paths.len() <= 1 << 15);
    let whole: u64 = of.threads().iter().map(Thread::time).sum();
    let flame = data.flame.all.list();
    assert_eq!(flame.chunks(4).map(|path| path[1]).sum::<u64>(), whole);
    let times = data.balance.times[0];
    assert_eq!(times[State::Barrier.index()], 330_000);
}

fn summary(of: &Memory, by: By) -> Summary {
    Summary::new(of, "", From::Profile, by)
}

#[test]
fn the_difference_has_all_of_the_time_before() {
    for (old, new) in [
        (random(5, 3, 2000), random(6, 3, 2100)),
        (random(7, 2, 300), random(7, 2, 300)),
        (sample(), random(8, 2, 100)),
    ] {
        let compare = |by: By| diff(&[summary(&old, by)], &[summary(&new, by)]);
        let compared = Compared {
            paths: compare(By::Callpath),
            lines: compare(By::Line),
            runs: "1 run of <i>old</i>".to_owned(),
        };
        let more = || More {
            compared: Some(&compared),
            ..More::default()
        };
        let data = data(&new, more());
        let difference = data.difference.unwrap();
        let before = difference.before.list();
        let times: u64 = before.chunks(2).map(|pair| pair[1]).sum();
        let whole: u64 = old.threads.iter().map(Thread::time).sum();
        assert_eq!(times + difference.gone, whole);
        if summary(&old, By::Callpath).rows == summary(&new, By::Callpath).rows {
            // Nothing changed: each path has the time that it had.
            let all = data.flame.all.list();
            let now: Vec<u64> = all.chunks(4).flat_map(|row| [row[0], row[1]]).collect();
            assert_eq!((before, difference.gone), (now, 0));
        }
        let mut page = Vec::new();
        report(&new, more(), &mut page).unwrap();
        let page = String::from_utf8(page).unwrap();
        assert!(page.contains("<section id=\"difference\">"));
        assert!(!page.contains("<i>old"));
    }
}

#[test]
fn the_graph_of_scaling_has_a_point_for_each_number_of_threads() {
    let runs = [1, 2, 4].map(|threads| summary(&random(3, threads, 200), By::Line));
    let scaling = scale(&runs, Work::Same).unwrap();
    let more = More {
        scaling: Some(Scaling::new(&scaling, By::Line)),
        ..More::default()
    };
    let mut page = Vec::new();
    report(&sample(), more, &mut page).unwrap();
    let page = String::from_utf8(page).unwrap();
    let graph = between(&page, "<section id=\"scaling\">", "</section>");
    assert_eq!(graph.matches("<circle ").count(), 3);
    let points = between(graph, "class=\"expected\" points=\"", "\"");
    assert_eq!(points.split(' ').count(), 3);
    // The first point is as fast as itself, and is at the left end.
    assert!(points.starts_with("28,"), "{points}");
}

#[test]
fn lines_have_counters_and_the_same_ratios_as_the_profile() {
    let mut of = sample();
    of.facts.counters = vec!["cycles".to_owned()];
    for event in of.events.iter_mut().flatten() {
        event.counters = vec![10];
    }
    let ratios = || ratios::asked(&of.facts.counters, &["cycles/calls".to_owned()]).unwrap();
    let more = More {
        ratios: ratios(),
        ..More::default()
    };
    let data = data(&of, more);
    let data = serde_json::to_value(&data).unwrap();
    assert_eq!(
        (&data["counters"][0], &data["ratios"][0]),
        (&"cycles".into(), &"cycles/calls".into())
    );
    let lines = data["sources"][0]["costs"].as_array().unwrap();
    let line = lines.iter().find(|line| line["line"] == 14).unwrap();
    // Three gets of each thread: the counter grows by 10 from the start of each to its end.
    let expected = (&Json::from(vec![60]), &Json::from(vec![10.0]));
    assert_eq!((&line["counted"], &line["ratios"]), expected);
}
