use super::super::runs::{By, Key, Row as Sum, Summary};
use super::super::source::Sources;
use super::super::table::{Format, Style};
use super::{rows, table};
use std::collections::BTreeMap;
use std::time::Duration;

fn summary(rows: &[(Key, u64, u64)]) -> Summary {
    let rows: BTreeMap<Key, Sum> = rows
        .iter()
        .map(|(key, time, count)| {
            let (time, count) = (*time, *count);
            (key.clone(), Sum { time, count })
        })
        .collect();
    Summary {
        file: String::new(),
        program: "./heat".to_owned(),
        threads: 2,
        run: 0,
        time: rows.values().map(|row| row.time).sum(),
        delayed: None,
        rows,
        places: BTreeMap::new(),
        incomplete: Vec::new(),
    }
}

#[test]
fn the_row_with_the_most_time_since_the_last_look_is_the_first() {
    let event = |name: &str| Key::Event(name.to_owned());
    let before = summary(&[
        (event("UPC_GET"), 900, 10),
        (event("UPC_BARRIER"), 50, 2),
        (Key::Outside, 50, 0),
    ]);
    let now = summary(&[
        (event("UPC_GET"), 900, 10),
        (event("UPC_BARRIER"), 350, 8),
        (Key::Outside, 150, 0),
    ]);
    let rows = rows(&before, &now);
    let mut sources = Sources::new(Vec::new());
    let half = Duration::from_millis(500);
    let mut text = Vec::new();
    table(&rows, 2, By::Event, half, &mut sources)
        .write(Format::Csv, Style::default(), &mut text)
        .unwrap();
    assert_eq!(
        String::from_utf8(text).unwrap(),
        "event,now_percent,share_percent,self_ns,calls,calls/s,source\n\
         UPC_BARRIER,75,25,350,8,12,\n\
         outside events,25,10.71,150,,,\n"
    );
}
