//! Tests the byte format of a recording: what is written is read again, and C, the documentation page and `format` have
//! the same codes.

use super::format::*;
use std::collections::BTreeMap;

#[test]
fn numbers_come_back() {
    let values = [
        0,
        1,
        127,
        128,
        16383,
        16384,
        u64::from(u32::MAX),
        1 << 62,
        u64::MAX,
    ];
    let mut bytes = Vec::new();
    for value in values {
        put_varint(&mut bytes, value);
    }
    let mut rest = bytes.as_slice();
    for value in values {
        assert_eq!(varint(&mut rest), Some(value));
        assert_eq!(unzigzag(zigzag(value)), value);
    }
    assert_eq!(varint(&mut rest), None);
    assert_eq!(varint(&mut [0x80u8; 11].as_slice()), None);
    assert_eq!(zigzag(u64::MAX), 1);
}

#[test]
fn heads_come_back() {
    let head = BlockHead {
        kind: BlockKind::Events as u8,
        thread: 3,
        number: 7,
        length: 2,
        crc: 0,
    };
    let bytes = head.write(b"xy");
    let back = BlockHead::read(&bytes).unwrap();
    assert_eq!(back.crc, check_sum(&bytes, b"xy"));
    assert_eq!(
        back,
        BlockHead {
            crc: back.crc,
            ..head
        }
    );
}

/// Returns the constants that a C header defines by enums.
fn enum_constants(header: &str) -> BTreeMap<String, u64> {
    let mut constants = BTreeMap::new();
    for body in header.split("enum ").skip(1) {
        let Some((_, body)) = body.split_once('{') else {
            continue;
        };
        let (body, _) = body.split_once('}').unwrap();
        let mut next = 0;
        for item in body.split(',').map(str::trim).filter(|i| !i.is_empty()) {
            let (name, value) = item.split_once(" = ").unwrap_or((item, ""));
            next = match value.strip_prefix("0x") {
                Some(hex) => u64::from_str_radix(hex, 16).unwrap(),
                None => value.parse().unwrap_or(next),
            };
            constants.insert(name.to_owned(), next);
            next += 1;
        }
    }
    constants
}

/// Converts `DroppedRate` to `DROPPED_RATE`.
fn c_name(prefix: &str, variant: &str) -> String {
    let mut name = prefix.to_owned();
    for letter in variant.chars() {
        if letter.is_uppercase() {
            name.push('_');
        }
        name.push(letter.to_ascii_uppercase());
    }
    name
}

#[test]
fn both_sides_have_the_same_codes() {
    let theirs = enum_constants(include_str!("../../runtime-c/src/tools/measure/format.h"));
    let mut ours = BTreeMap::new();
    macro_rules! add {
        ($prefix:literal, $type:ident) => {
            for code in $type::ALL {
                ours.insert(c_name($prefix, &format!("{code:?}")), *code as u64);
            }
        };
    }
    add!("BLOCK", BlockKind);
    add!("FIELD", Field);
    add!("HOW", How);
    add!("DEFINE", Definition);
    add!("LOOP", LoopEntry);
    add!("SIDE", Side);
    add!("ARG", ArgCode);
    add!("NOTE", Note);
    for (name, value) in [
        ("MEASURE_MAJOR", u64::from(MAJOR)),
        ("MEASURE_MINOR", u64::from(MINOR)),
        ("MEASURE_BLOCK_MAGIC", u64::from(BLOCK_MAGIC)),
        ("MEASURE_FILE_HEADER", FILE_HEADER as u64),
        ("MEASURE_BLOCK_HEADER", BLOCK_HEADER as u64),
        ("MODE_TRACE", mode::TRACE),
        ("MODE_PROFILE", mode::PROFILE),
        ("MODE_FLAT", mode::FLAT),
        ("MODE_LOCAL", mode::LOCAL),
        ("MODE_PROCESSOR", mode::PROCESSOR),
        (
            "EVENT_SITE_NOT_NESTED",
            u64::from(event_site_flag::NOT_NESTED),
        ),
    ] {
        ours.insert(name.to_owned(), value);
    }
    assert_eq!(ours, theirs);
}

const PAGE: &str = include_str!("../../docs/trace-format.md");

/// Returns rows such as `9 | PTHREAD_EVENTS` of the table with this head; a cell may contain several entries, as in
/// `8 OPERATION, 9 REDUCTION`.
fn rows_of_page(head: &str) -> BTreeMap<String, u64> {
    let (_, table) = PAGE.split_once(head).unwrap();
    let rows = table
        .lines()
        .skip(2)
        .take_while(|row| row.starts_with("| "));
    let mut codes = BTreeMap::new();
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let text = match cells[1].parse::<u64>() {
            Ok(_) => format!("{} {}", cells[1], cells[2]),
            Err(_) => cells[1].to_owned(),
        };
        codes.extend(pairs(&text));
    }
    codes
}

/// Parses `1 INT, 7 FLAGS (...)` and similar lists.
fn pairs(text: &str) -> Vec<(String, u64)> {
    let pair = |part: &str| {
        let mut words = part.split_whitespace();
        let code = words.next()?.parse().ok()?;
        Some((words.next()?.to_owned(), code))
    };
    text.split(", ").filter_map(pair).collect()
}

/// Returns the list that follows `start` on its line, up to the end of its cell or item.
fn list_of_page(start: &str) -> Vec<(String, u64)> {
    let (_, rest) = PAGE.split_once(start).unwrap();
    pairs(rest.split(['|', '\n']).next().unwrap())
}

#[test]
fn the_page_has_the_same_codes() {
    macro_rules! ours {
        ($type:ident) => {
            $type::ALL
                .iter()
                .map(|code| {
                    (
                        c_name("", &format!("{code:?}"))[1..].to_owned(),
                        *code as u64,
                    )
                })
                .collect::<BTreeMap<String, u64>>()
        };
    }
    assert_eq!(rows_of_page("\n| kind | name |"), ours!(BlockKind));
    assert_eq!(rows_of_page("\n| field | in |"), ours!(Field));
    assert_eq!(rows_of_page("\n| kind | entry |"), ours!(Definition));
    assert_eq!(rows_of_page("\n| kind of argument |"), ours!(ArgCode));
    assert_eq!(
        rows_of_page("\n| kind | entry of loops |"),
        ours!(LoopEntry)
    );
    let notes = list_of_page("a note: a varint code and its values:\n    ");
    assert_eq!(BTreeMap::from_iter(notes), ours!(Note));
    // The page lists these in words, so only the numbers are compared.
    let codes = |start: &str| -> Vec<u64> {
        let list = list_of_page(start).into_iter();
        list.map(|(_, code)| code).collect()
    };
    let of = |codes: BTreeMap<String, u64>| -> Vec<u64> {
        let mut codes: Vec<u64> = codes.into_values().collect();
        codes.sort_unstable();
        codes
    };
    assert_eq!(codes("| 32 HOW | END | "), of(ours!(How)));
    assert_eq!(codes("- byte: "), of(ours!(Side)));
    let modes = [
        mode::TRACE,
        mode::PROFILE,
        mode::FLAT,
        mode::LOCAL,
        mode::PROCESSOR,
    ];
    assert_eq!(codes("| 7 MODE | RUN | bits: "), modes);
    assert!(PAGE.contains(&format!("This page is version {MAJOR}.{MINOR}.")));
}

/// The blocks that contain a field are those that the runtime writes it to.
#[test]
fn the_page_says_where_fields_are() {
    let source = include_str!("../../runtime-c/src/tools/measure/facts.c");
    let clocks = ["TICKS", "NS"];
    for (block, start) in [
        ("RUN", "void measure_write_run("),
        ("THREAD", "void measure_write_thread("),
        ("END", "void measure_write_end("),
    ] {
        let (_, body) = source.split_once(start).unwrap();
        let (body, _) = body.split_once("\n}\n").unwrap();
        let mut written: Vec<&str> = body
            .split("FIELD_")
            .skip(1)
            .map(|rest| rest.split(',').next().unwrap())
            .collect();
        for (call, fields) in [
            ("put_clocks(", &clocks[..]),
            ("put_offset(", &["OFFSET", "OFFSET_ERROR"]),
            ("put_settings(", &["SETTING"]),
        ] {
            if body.contains(call) {
                written.extend(fields);
            }
        }
        written.sort_unstable();
        let (_, table) = PAGE.split_once("\n| field | in |").unwrap();
        let rows = table
            .lines()
            .skip(2)
            .take_while(|row| row.starts_with("| "));
        let mut listed: Vec<&str> = rows
            .filter_map(|row| {
                let mut cells = row.split('|').map(str::trim).skip(1);
                let name = cells.next()?.split_once(' ')?.1;
                cells
                    .next()?
                    .split(", ")
                    .any(|of| of == block)
                    .then_some(name)
            })
            .collect();
        listed.sort_unstable();
        assert_eq!(written, listed, "{block}");
    }
}
