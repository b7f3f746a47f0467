//! Normalises the output of the bundled tool `dump`, so that two runs can be compared.

use std::fs;
use std::path::Path;

/// Events of the tool itself, and notes in a recording.
const OF_THE_TOOL: &[&str] = &["INIT", "CREATE_EVENT", "CONTROL", "OFF", "ON", "LOST"];

/// Returns the lines of a thread: `FILE:LINE:COLUMN TAG TYPE { ARGUMENTS }`, without folders; `-` for an unknown place.
/// Addresses of private memory are `*`, places in named shared objects have only the name, others are `<THREAD:PHASE>`,
/// locks `lock@THREAD`.
///
/// # Errors
/// A line that a dump cannot contain.
pub fn lines(text: &str) -> Result<Vec<String>, String> {
    let mut lines = Vec::new();
    for line in text.lines() {
        let read = read_line(line).ok_or_else(|| format!("not a line of the dump: {line}"))?;
        if !OF_THE_TOOL.contains(&read.tag) {
            lines.push(format!(
                "{} {} {} {{ {} }}",
                read.place,
                read.tag,
                read.kind,
                scrub(read.arguments)
            ));
        }
    }
    without_vain_attempts(&mut lines);
    Ok(lines)
}

/// Removes unsuccessful tests of a transfer in progress, whose number depends on timing; the successful test stays.
fn without_vain_attempts(lines: &mut Vec<String>) {
    let is_attempt = |line: &str| line.contains(" BUPC_NB_TRYSYNC ");
    let mut kept: Vec<String> = Vec::with_capacity(lines.len());
    for line in lines.drain(..) {
        match is_attempt(&line) && line.ends_with("result=0 }") {
            true => kept.truncate(kept.len().saturating_sub(1)),
            false => kept.push(line),
        }
    }
    *lines = kept;
}

/// Returns the pointers-to-shared of each event with their phases and addresses. Those of heap and locks have neither,
/// as they differ between two runs.
pub fn places(text: &str) -> Vec<String> {
    let events = text
        .lines()
        .filter(|line| !line.contains(" BUPC_STATIC_SHARED "));
    let places = events.flat_map(|line| {
        line.match_indices("<thread=").filter_map(|(at, _)| {
            let place = line[at..].split_once('>')?.0;
            let is_named = line[..at].ends_with(' ') && !line[..at].ends_with("=lock ");
            let short = place.rsplit_once(' ').map_or(place, |(head, _)| head);
            Some((if is_named { place } else { short }).to_owned())
        })
    });
    places.collect()
}

/// Returns when a thread arrived at each barrier, and when it left it.
///
/// # Errors
/// A line that a dump cannot contain.
pub fn meetings(text: &str) -> Result<Vec<(f64, f64)>, String> {
    let mut meetings = Vec::new();
    let mut came = 0.0;
    for line in text.lines() {
        let read = read_line(line).ok_or_else(|| format!("not a line of the dump: {line}"))?;
        match (read.tag, read.kind) {
            ("UPC_BARRIER" | "UPC_COLLECTIVE_EXIT", "START") => came = read.seconds,
            ("UPC_BARRIER" | "UPC_COLLECTIVE_EXIT", "END") => meetings.push((came, read.seconds)),
            _ => {}
        }
    }
    Ok(meetings)
}

struct Line<'a> {
    seconds: f64,
    place: String,
    tag: &'a str,
    kind: &'a str,
    arguments: &'a str,
}

/// Parses `THREAD/THREADS SECONDS> [FILE:LINE:COLUMN] TAG TYPE { ARGUMENTS }`.
fn read_line(line: &str) -> Option<Line<'_>> {
    let (head, rest) = line.split_once("> [")?;
    let (threads, seconds) = head.split_once(' ')?;
    let (thread, count) = threads.split_once('/')?;
    let _: (usize, usize) = (thread.parse().ok()?, count.parse().ok()?);
    let seconds = seconds.parse().ok()?;
    let (place, rest) = rest.split_once("] ")?;
    let (words, rest) = rest.split_once(" { ")?;
    let arguments = rest.strip_suffix('}')?.trim_end();
    let (tag, kind) = words.trim_end().rsplit_once(' ')?;
    let place = match place {
        "<unknown>:0:0" => "-".to_owned(),
        place => Path::new(place).file_name()?.to_string_lossy().into_owned(),
    };
    Some(Line {
        seconds,
        place,
        tag,
        kind,
        arguments,
    })
}

fn scrub(text: &str) -> String {
    let mut clean = String::new();
    let mut rest = text;
    while let Some(at) = rest
        .find("0x")
        .into_iter()
        .chain(rest.find("<thread="))
        .min()
    {
        clean.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(number) = rest.strip_prefix("0x") {
            clean.push('*');
            rest = number.trim_start_matches(|c: char| c.is_ascii_hexdigit());
            continue;
        }
        let (place, behind) = rest.split_once('>').unwrap_or((rest, ""));
        push_place(&mut clean, place);
        rest = behind;
    }
    clean.push_str(rest);
    clean
}

/// Parses `<thread=1 phase=0 addrfield=0x10`.
fn push_place(clean: &mut String, place: &str) {
    let number = |name: &str| {
        let value = place.split(' ').find_map(|word| {
            word.trim_start_matches('<')
                .strip_prefix(name)?
                .strip_prefix('=')
        });
        value.unwrap_or("?").to_owned()
    };
    if clean.ends_with("=lock ") {
        clean.pop();
        clean.push_str(&format!("@{}", number("thread")));
    } else if clean.ends_with(' ') {
        clean.pop();
    } else {
        clean.push_str(&format!("<{}:{}>", number("thread"), number("phase")));
    }
}

/// Compares two lists of lines; the error shows the first difference with the lines around it.
///
/// # Errors
/// The difference.
pub fn compare(expected: &[String], found: &[String]) -> Result<(), String> {
    let same = expected
        .iter()
        .zip(found)
        .take_while(|(a, b)| a == b)
        .count();
    if same == expected.len() && same == found.len() {
        return Ok(());
    }
    let line = |lines: &[String]| lines.get(same).map_or("the end", String::as_str).to_owned();
    let before = same
        .checked_sub(1)
        .map_or("the start", |i| expected[i].as_str());
    Err(format!(
        "event {} of {}, after {before}:\n    expected {}\n    found    {}",
        same + 1,
        expected.len(),
        line(expected),
        line(found)
    ))
}

/// Checks that every end ends the last start, and that the end of a transfer's data ends one in progress.
///
/// # Errors
/// The first violation.
pub fn balanced(lines: &[String]) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut under_way: Vec<&str> = Vec::new();
    for line in lines {
        let words = line
            .split_once(" { ")
            .map_or(line.as_str(), |(words, _)| words);
        let Some((event, kind)) = words.rsplit_once(' ') else {
            continue;
        };
        let tag = event.rsplit_once(' ').map_or(event, |(_, tag)| tag);
        match kind {
            "START" if tag.ends_with("_DATA") => under_way.push(tag),
            "END" if tag.ends_with("_DATA") => match under_way.iter().position(|t| *t == tag) {
                Some(at) => drop(under_way.swap_remove(at)),
                None => return Err(format!("ends, but was not started: {line}")),
            },
            "START" => open.push(tag),
            "END" => match open.pop() {
                Some(last) if last == tag => {}
                Some(last) => return Err(format!("{tag} ends while {last} is open: {line}")),
                None => return Err(format!("ends, but was not started: {line}")),
            },
            _ => {}
        }
    }
    match open.iter().chain(&under_way).next_back() {
        None => Ok(()),
        Some(last) => Err(format!("{last} has no end")),
    }
}

/// Returns the dump of one thread.
///
/// # Errors
/// A missing file, or lines that a dump cannot contain.
pub fn read_file(path: &Path) -> Result<Vec<String>, String> {
    let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    lines(&text)
}
