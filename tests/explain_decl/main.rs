//! Tests of `--explain-decl`: snapshots of explanations, and pictures that are parsed and compared with elements
//! distributed one by one.

use std::collections::BTreeMap;
use upcc::diag::{ColorChoice, Renderer};
use upcc::explain::{Charset, SOURCE_NAME, Shape, Style, completed, explain};
use upcc::translate::TranslateOptions;

const UNICODE: Style = Style {
    charset: Charset::Unicode,
    width: 80,
};

/// Returns the text of the explanation, or of the diagnostics.
fn explained(declaration: &str, threads: Option<u32>, style: Style) -> String {
    let text = format!("# 1 \"{SOURCE_NAME}\"\n{}", completed(declaration));
    let options = TranslateOptions {
        static_threads: threads,
        ..TranslateOptions::default()
    };
    let explanation = explain(&text, &options, style);
    let mut said = Vec::new();
    let renderer = Renderer {
        max_errors: 0,
        color: ColorChoice::Never,
        ..Renderer::default()
    };
    let parsed = &explanation.parsed;
    let mut out = codespan_reporting::term::termcolor::NoColor::new(&mut said);
    renderer
        .write(
            &mut out,
            &explanation.diags,
            &parsed.source_map,
            &parsed.stream.text,
        )
        .expect("a Vec takes all that is written");
    format!(
        "{}{}",
        String::from_utf8_lossy(&said),
        explanation.text.unwrap_or_default()
    )
}

/// Snapshots the explanation of a declaration; the snapshot begins with the declaration.
macro_rules! assert_explained {
    ($name:ident, $declaration:expr) => {
        assert_explained!($name, $declaration, None, UNICODE);
    };
    ($name:ident, $declaration:expr, $threads:expr, $style:expr) => {
        #[test]
        fn $name() {
            let declaration = $declaration;
            let text = explained(declaration, $threads, $style);
            insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
                insta::assert_snapshot!(stringify!($name), format!("$ {declaration}\n\n{text}"));
            });
        }
    };
}

assert_explained!(scalar, "shared int x");
assert_explained!(cyclic_array, "shared int a[10 * THREADS];");
assert_explained!(blocked_static_array, "shared [3] int b[10]");
assert_explained!(blocked_rows, "shared [2] double m[4 * THREADS][3]");
assert_explained!(all_on_one_thread, "static shared [] char line[100]");
assert_explained!(one_block_each, "shared [*] long v[6 * THREADS]");
assert_explained!(large_blocks, "shared [1000] char buf[2500 * THREADS]");
assert_explained!(pointer_to_rows, "shared [3] int (*p)[4]");
assert_explained!(shared_pointer_to_shared, "shared [] int *shared q");
assert_explained!(
    private_pointers,
    "shared [4] const int *pp[8], *strict_one; int *private_one"
);
assert_explained!(
    structs,
    "struct node { int value; shared struct node *next; unsigned seen : 1; }; shared struct node nodes[2 * THREADS]"
);
assert_explained!(typedefs, "typedef shared [5] int row[5]; row *rows");
assert_explained!(
    functions,
    "shared [] int *find(shared void *where, int (*test)(const char *), ...)"
);
assert_explained!(generic_pointer, "shared void *g");
assert_explained!(unknown_type, "shared point_t *p");
assert_explained!(
    illegal,
    "shared [2] int a[4 * THREADS][THREADS], *_Atomic shared q"
);
assert_explained!(nothing, "");
assert_explained!(
    many_threads_ascii,
    "shared [2] int a[100 * THREADS]",
    Some(100),
    Style {
        charset: Charset::Ascii,
        width: 80
    }
);

/// Distributes elements one by one: thread, round and phase of each.
fn dealt(block: u64, count: u64, threads: u64) -> BTreeMap<u64, (u64, u64, u64)> {
    let (mut thread, mut round, mut phase) = (0, 0, 0);
    let mut places = BTreeMap::new();
    for index in 0..count {
        places.insert(index, (thread, round, phase));
        phase += 1;
        if block != 0 && phase == block {
            phase = 0;
            thread += 1;
            if thread == threads {
                (thread, round) = (0, round + 1);
            }
        }
    }
    places
}

/// Returns the elements that a picture shows for each thread, box by box; `None` for an elision.
fn read_back(picture: &str) -> BTreeMap<u64, Vec<Vec<Option<u64>>>> {
    let rows = picture.lines().filter_map(|line| {
        let (thread, boxes) = line.strip_prefix("thread ")?.split_once('│')?;
        let boxes = boxes.trim_end_matches('│').split('│');
        let cells = boxes.map(|text| {
            text.split_whitespace()
                .map(|cell| cell.parse().ok())
                .collect()
        });
        Some((
            thread.trim().parse().expect("a thread number"),
            cells.collect(),
        ))
    });
    rows.collect()
}

#[test]
fn layouts_agree_with_elements_dealt_out_one_by_one() {
    for threads in 1..=5u64 {
        for block in 0..=6u64 {
            for count in 1..=40u64 {
                let shape = shape(block, Some(count), threads);
                let places = dealt(block, count, threads);
                let mut met = 0;
                let longest = if block == 0 { count } else { block };
                for thread in 0..threads {
                    for round in 0..count {
                        for phase in 0..longest {
                            if let Some(index) = shape.element(thread, round, phase) {
                                if block == 0 && round > 0 {
                                    continue;
                                }
                                assert_eq!(places[&index], (thread, round, phase), "{shape:?}");
                                met += 1;
                            }
                        }
                    }
                }
                assert_eq!(met, count, "{shape:?}");
            }
        }
    }
}

#[test]
fn pictures_agree_with_elements_dealt_out_one_by_one() {
    for threads in [1, 2, 3, 4, 7, 30] {
        for block in [0, 1, 2, 3, 8, 50] {
            for count in [1, 2, 7, 24, 100, 1000] {
                let picture = shape(block, Some(count), threads).draw(UNICODE);
                assert!(
                    picture.lines().all(|l| l.chars().count() <= 80),
                    "{picture}"
                );
                check_picture(&picture, block, count, threads);
            }
        }
    }
}

/// Checks that every element shown is on its thread, in order, and in a box with those of its block, and that omitted
/// elements are visibly elided.
fn check_picture(picture: &str, block: u64, count: u64, threads: u64) {
    let places = dealt(block, count, threads);
    let rows = read_back(picture);
    assert!(
        rows.len() as u64 == threads || picture.contains('⋮'),
        "{picture}"
    );
    for (&thread, boxes) in &rows {
        let mut shown = Vec::new();
        for cells in boxes {
            let elements: Vec<u64> = cells.iter().flatten().copied().collect();
            let rounds: Vec<u64> = elements.iter().map(|e| places[e].1).collect();
            assert!(rounds.windows(2).all(|w| w[0] == w[1]), "{picture}");
            shown.extend(elements);
        }
        assert!(shown.iter().all(|e| places[e].0 == thread), "{picture}");
        assert!(shown.windows(2).all(|w| w[0] < w[1]), "{picture}");
        let owned = places.values().filter(|p| p.0 == thread).count();
        let complete = !boxes.iter().flatten().any(Option::is_none);
        assert!(
            !complete || shown.len() == owned,
            "thread {thread}\n{picture}"
        );
    }
}

fn shape(block: u64, count: Option<u64>, threads: u64) -> Shape {
    Shape {
        name: "a".to_owned(),
        block,
        count,
        threads,
        inner: Vec::new(),
        scalar: false,
    }
}

#[test]
fn the_locale_decides_about_boxes() {
    let of = |set: &'static [(&'static str, &'static str)]| {
        Charset::of_locale(|name| {
            let found = set.iter().find(|(n, _)| *n == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    };
    assert_eq!(of(&[("LANG", "de_DE.UTF-8")]), Charset::Unicode);
    assert_eq!(
        of(&[("LC_ALL", "C"), ("LANG", "de_DE.UTF-8")]),
        Charset::Ascii
    );
    assert_eq!(of(&[("LC_ALL", ""), ("LANG", "C.utf8")]), Charset::Unicode);
    assert_eq!(of(&[]), Charset::Ascii);
}
