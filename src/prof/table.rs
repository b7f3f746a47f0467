//! Tables for users: aligned text, JSON, CSV. Units are in the headings.

use super::names::{shown, shown_json};
use super::ratios::PARTS;
use serde_json::{Map, Value as Json};
use std::io::{self, Write};

/// How tables are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Aligned columns, with units chosen by the numbers.
    Text,
    /// An array of objects, with nanoseconds and bytes.
    Json,
    /// A line of headings, then rows, with nanoseconds and bytes.
    Csv,
}

/// The contents of a column's cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Text.
    Text,
    /// A line of source text; shortened in text output.
    Source,
    /// A count.
    Count,
    /// Nanoseconds.
    Time,
    /// Bytes.
    Bytes,
    /// Hundredths of a percent.
    Share,
    /// Millionths of one.
    Ratio,
}

impl Unit {
    /// The parts of one that a cell's number counts, if JSON and CSV give the whole.
    fn parts(self) -> Option<f64> {
        match self {
            Unit::Share => Some(100.0),
            Unit::Ratio => Some(PARTS as f64),
            Unit::Text | Unit::Source | Unit::Count | Unit::Time | Unit::Bytes => None,
        }
    }
}

/// How text is shown.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Style {
    /// Headings are highlighted.
    pub colour: bool,
    /// The number of characters of a line; `None`: as many as the table needs.
    pub width: Option<usize>,
}

/// A column.
#[derive(Clone, Debug)]
pub struct Column {
    /// The heading in text output; its unit is appended.
    pub heading: String,
    /// The name in JSON and CSV, which includes the unit.
    pub name: String,
    /// The contents of its cells.
    pub unit: Unit,
    /// When the table is too wide, columns with a higher rank are left out first; 0: never.
    pub rank: u8,
}

impl Column {
    /// Returns the column with this rank.
    pub fn rank(self, rank: u8) -> Column {
        Column { rank, ..self }
    }
}

/// Returns a column with the same heading and name, to which JSON and CSV add the unit.
pub fn column(heading: &str, unit: Unit) -> Column {
    let heading = shown(heading);
    let name = heading.replace(' ', "_");
    let suffix = match unit {
        Unit::Time => "_ns",
        Unit::Share => "_percent",
        Unit::Text | Unit::Source | Unit::Count | Unit::Bytes | Unit::Ratio => "",
    };
    Column {
        heading: heading.into_owned(),
        name: name + suffix,
        unit,
        rank: 0,
    }
}

/// A cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cell {
    /// No value.
    None,
    /// Text.
    Text(String),
    /// A number in the column's unit.
    Number(u64),
    /// A difference in the column's unit, printed with its sign.
    Change(i64),
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl From<u64> for Cell {
    fn from(number: u64) -> Cell {
        Cell::Number(number)
    }
}

impl From<Option<u64>> for Cell {
    fn from(number: Option<u64>) -> Cell {
        number.map_or(Cell::None, Cell::Number)
    }
}

/// A table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows, with a cell for each column.
    pub rows: Vec<Vec<Cell>>,
}

/// A unit that suits the numbers of a column.
struct Scale {
    name: &'static str,
    per: u64,
}

const TIMES: [Scale; 4] = [
    Scale { name: "ns", per: 1 },
    Scale {
        name: "us",
        per: 1_000,
    },
    Scale {
        name: "ms",
        per: 1_000_000,
    },
    Scale {
        name: "s",
        per: 1_000_000_000,
    },
];

const SIZES: [Scale; 4] = [
    Scale { name: "B", per: 1 },
    Scale {
        name: "KiB",
        per: 1 << 10,
    },
    Scale {
        name: "MiB",
        per: 1 << 20,
    },
    Scale {
        name: "GiB",
        per: 1 << 30,
    },
];

const RATIOS: [Scale; 3] = [
    Scale {
        name: "millionths",
        per: 1,
    },
    Scale {
        name: "thousandths",
        per: 1_000,
    },
    Scale {
        name: "",
        per: PARTS,
    },
];

const PERCENT: Scale = Scale {
    name: "%",
    per: 100,
};
const PLAIN: Scale = Scale { name: "", per: 1 };

/// Returns the largest unit in which the largest number is at least 1, and no number but 0 is printed as 0.
fn scale(unit: Unit, smallest: u64, largest: u64) -> &'static Scale {
    let of = |scales: &'static [Scale; 4]| {
        let fits =
            |scale: &&Scale| largest >= scale.per && smallest.saturating_mul(1000) >= scale.per;
        scales.iter().rev().find(fits).unwrap_or(&scales[0])
    };
    match unit {
        Unit::Time => of(&TIMES),
        Unit::Bytes => of(&SIZES),
        Unit::Share => &PERCENT,
        // Ratios below one are usual: only what would be printed as 0 has another unit.
        Unit::Ratio => {
            let mut scales = RATIOS.iter().rev();
            let fits = |scale: &&Scale| smallest.saturating_mul(1000) >= scale.per;
            scales.find(fits).unwrap_or(&RATIOS[0])
        }
        Unit::Text | Unit::Source | Unit::Count => &PLAIN,
    }
}

/// Formats a time in a suitable unit.
pub fn time(ns: u64) -> String {
    let scale = scale(Unit::Time, ns, ns);
    format!("{} {}", scaled(ns, scale), scale.name)
}

/// Formats a number of bytes in a suitable unit.
pub fn bytes(bytes: u64) -> String {
    let scale = scale(Unit::Bytes, bytes, bytes);
    format!("{} {}", scaled(bytes, scale), scale.name)
}

/// Formats a difference of times with its sign, in a suitable unit.
pub fn time_change(ns: i64) -> String {
    signed(ns, time)
}

fn signed(number: i64, format: impl Fn(u64) -> String) -> String {
    let sign = match number {
        ..0 => "-",
        0 => "",
        1.. => "+",
    };
    format!("{sign}{}", format(number.unsigned_abs()))
}

/// The number of characters of source text that are shown.
const SOURCE: usize = 50;

/// The fewest characters of source text that are worth a column.
const LEAST_SOURCE: usize = 12;

/// What is between two columns.
const GAP: &str = "  ";

fn cut(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}

fn scaled(number: u64, scale: &Scale) -> String {
    match scale.per {
        1 => number.to_string(),
        100 => format!("{:.1}", number as f64 / 100.0),
        per => format!("{:.3}", number as f64 / per as f64),
    }
}

impl Table {
    /// Writes the table.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, format: Format, style: Style, out: &mut dyn Write) -> io::Result<()> {
        match format {
            Format::Text => self.text(style, out),
            Format::Json => {
                writeln!(out, "{}", shown_json(&self.json()))
            }
            Format::Csv => self.csv(out),
        }
    }

    /// Returns the rows as objects.
    pub fn json(&self) -> Json {
        let row = |cells: &Vec<Cell>| {
            let pairs = self.columns.iter().zip(cells).map(|(column, cell)| {
                let value = match cell {
                    Cell::None => Json::Null,
                    Cell::Text(text) => Json::from(text.as_str()),
                    Cell::Number(number) => match column.unit.parts() {
                        Some(parts) => Json::from(*number as f64 / parts),
                        None => Json::from(*number),
                    },
                    Cell::Change(change) => match column.unit.parts() {
                        Some(parts) => Json::from(*change as f64 / parts),
                        None => Json::from(*change),
                    },
                };
                (column.name.clone(), value)
            });
            Json::Object(pairs.collect::<Map<String, Json>>())
        };
        Json::Array(self.rows.iter().map(row).collect())
    }

    fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut csv = csv::Writer::from_writer(out);
        csv.write_record(self.columns.iter().map(|column| &column.name))?;
        for cells in &self.rows {
            csv.write_record(
                self.columns
                    .iter()
                    .zip(cells)
                    .map(|(column, cell)| match cell {
                        Cell::None => String::new(),
                        Cell::Text(text) => shown(text).into_owned(),
                        Cell::Number(number) => match column.unit.parts() {
                            Some(parts) => (*number as f64 / parts).to_string(),
                            None => number.to_string(),
                        },
                        Cell::Change(change) => match column.unit.parts() {
                            Some(parts) => (*change as f64 / parts).to_string(),
                            None => change.to_string(),
                        },
                    }),
            )?;
        }
        csv.flush()
    }

    fn text(&self, style: Style, out: &mut dyn Write) -> io::Result<()> {
        let mut columns: Vec<TextColumn> = (0..self.columns.len())
            .filter(|&at| self.has_value(at))
            .map(|at| self.text_column(at))
            .collect();
        let left_out = match style.width {
            Some(width) => fit(&mut columns, width),
            None => Vec::new(),
        };
        for row in 0..=self.rows.len() {
            let mut line = String::new();
            for (at, column) in columns.iter().enumerate() {
                let (cell, width) = (&column.cells[row], column.width());
                line.push_str(if at == 0 { "" } else { GAP });
                match column.unit {
                    Unit::Text | Unit::Source => line.push_str(&format!("{cell:width$}")),
                    Unit::Count | Unit::Time | Unit::Bytes | Unit::Share | Unit::Ratio => {
                        line.push_str(&format!("{cell:>width$}"));
                    }
                }
            }
            match (style.colour, row) {
                (true, 0) => writeln!(out, "\x1b[1m{}\x1b[0m", line.trim_end())?,
                _ => writeln!(out, "{}", line.trim_end())?,
            }
        }
        match left_out.is_empty() {
            true => Ok(()),
            false => writeln!(
                out,
                "... columns that do not fit: {}; --wide shows all",
                left_out.join(", ")
            ),
        }
    }

    /// Returns whether a column has a value. A table without rows shows all headings.
    fn has_value(&self, at: usize) -> bool {
        self.rows.is_empty() || self.rows.iter().any(|row| row[at] != Cell::None)
    }

    fn text_column(&self, at: usize) -> TextColumn {
        let column = &self.columns[at];
        let numbers = self.rows.iter().filter_map(|row| match &row[at] {
            Cell::Number(number) if *number > 0 => Some(*number),
            Cell::Change(change) if *change != 0 => Some(change.unsigned_abs()),
            Cell::Number(_) | Cell::Change(_) | Cell::None | Cell::Text(_) => None,
        });
        let (smallest, largest) = (numbers.clone().min(), numbers.max());
        let scale = scale(column.unit, smallest.unwrap_or(0), largest.unwrap_or(0));
        let heading = match scale.name {
            "" => column.heading.clone(),
            name => format!("{} [{name}]", column.heading),
        };
        let cell = |row: &Vec<Cell>| match &row[at] {
            Cell::None => "-".to_owned(),
            Cell::Text(text) if column.unit == Unit::Source => cut(&shown(text), SOURCE),
            Cell::Text(text) => shown(text).into_owned(),
            Cell::Number(number) => scaled(*number, scale),
            Cell::Change(change) => signed(*change, |number| scaled(number, scale)),
        };
        let cells = std::iter::once(heading).chain(self.rows.iter().map(cell));
        TextColumn {
            cells: cells.collect(),
            unit: column.unit,
            rank: column.rank,
            heading: column.heading.clone(),
        }
    }
}

/// A column as text.
struct TextColumn {
    /// The heading with its unit, and the cells.
    cells: Vec<String>,
    unit: Unit,
    rank: u8,
    heading: String,
}

impl TextColumn {
    fn width(&self) -> usize {
        let widths = self.cells.iter().map(|cell| cell.chars().count());
        widths.max().unwrap_or(0)
    }
}

/// Leaves out columns until the others fit into a line, and shortens source text. Returns the headings of those that
/// are left out.
fn fit(columns: &mut Vec<TextColumn>, width: usize) -> Vec<String> {
    let mut left_out = Vec::new();
    loop {
        let needed = |column: &TextColumn| match column.unit {
            Unit::Source => column.width().min(LEAST_SOURCE + "...".len()),
            Unit::Text | Unit::Count | Unit::Time | Unit::Bytes | Unit::Share | Unit::Ratio => {
                column.width()
            }
        };
        let gaps = columns.len().saturating_sub(1) * GAP.len();
        let all = columns.iter().map(needed).sum::<usize>() + gaps;
        let rank = columns.iter().map(|column| column.rank).max().unwrap_or(0);
        if all <= width || rank == 0 {
            shorten(columns, width.saturating_sub(all));
            return left_out;
        }
        columns.retain(|column| {
            let stays = column.rank < rank;
            if !stays {
                left_out.push(column.heading.clone());
            }
            stays
        });
    }
}

/// Gives source text the least number of characters, and `more`.
fn shorten(columns: &mut [TextColumn], more: usize) {
    let sources = columns
        .iter_mut()
        .filter(|column| column.unit == Unit::Source);
    for column in sources {
        let most = LEAST_SOURCE + "...".len() + more;
        for cell in &mut column.cells {
            if cell.chars().count() > most {
                *cell = cut(cell.trim_end_matches('.'), most - "...".len());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        Table {
            columns: vec![
                column("place", Unit::Text),
                column("time", Unit::Time),
                column("share", Unit::Share),
                column("bytes", Unit::Bytes),
                column("calls", Unit::Count),
                column("nothing", Unit::Count),
                column("source", Unit::Source),
            ],
            rows: vec![
                vec![
                    "a.upc:3".into(),
                    1_234_567.into(),
                    6_250.into(),
                    4096.into(),
                    12.into(),
                    Cell::None,
                    "x".repeat(60).into(),
                ],
                vec![
                    "b \"x\", y".into(),
                    89.into(),
                    0.into(),
                    Cell::None,
                    1.into(),
                    Cell::None,
                    Cell::None,
                ],
            ],
        }
    }

    #[test]
    fn three_formats() {
        let mut text = String::new();
        for format in [Format::Text, Format::Csv, Format::Json] {
            let mut out = Vec::new();
            table().write(format, Style::default(), &mut out).unwrap();
            text += &String::from_utf8(out).unwrap();
        }
        insta::assert_snapshot!(text);
    }

    /// Returns the lines of the table in a terminal of this width.
    fn lines(width: usize) -> Vec<String> {
        let mut table = table();
        table.columns[3].rank = 2;
        table.columns[4].rank = 1;
        let style = Style {
            colour: false,
            width: Some(width),
        };
        let mut out = Vec::new();
        table.write(Format::Text, style, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn columns_that_do_not_fit_are_left_out_by_rank() {
        let headings = |width| {
            let line = &lines(width)[0];
            line.split("  ")
                .map(str::trim)
                .filter(|heading| !heading.is_empty())
                .map(|heading| heading.split(' ').next().unwrap_or_default().to_owned())
                .collect::<Vec<_>>()
        };
        let all = ["place", "time", "share", "bytes", "calls", "source"];
        assert_eq!(headings(200), all);
        assert_eq!(lines(200).len(), 3);
        for width in 62..110 {
            let lines = lines(width);
            let widest = lines.iter().take(3).map(|line| line.chars().count()).max();
            assert!(widest <= Some(width), "{width}: {lines:#?}");
            let left_out = lines.get(3).map(String::as_str);
            let named = match headings(width).len() {
                6 => None,
                5 => Some("... columns that do not fit: bytes; --wide shows all"),
                _ => Some("... columns that do not fit: bytes, calls; --wide shows all"),
            };
            assert_eq!(left_out, named, "{width}: {lines:#?}");
        }
        // Columns without rank stay.
        assert_eq!(headings(10), ["place", "time", "share", "source"]);
    }

    #[test]
    fn numbers_in_the_unit_that_fits() {
        assert_eq!(time(999), "999 ns");
        assert_eq!(time(1_000_000_000), "1.000 s");
        assert_eq!(bytes(1536), "1.500 KiB");
        assert_eq!(bytes(0), "0 B");
        assert_eq!(
            (time_change(-1_500), time_change(0), time_change(7)),
            (
                "-1.500 us".to_owned(),
                "0 ns".to_owned(),
                "+7 ns".to_owned()
            )
        );
    }
}
