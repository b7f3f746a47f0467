//! Tables for users: aligned text, JSON, CSV. Units are in the headings.

use super::names::{shown, shown_json};
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
}

/// Returns a column with the same heading and name, to which JSON and CSV add the unit.
pub fn column(heading: &str, unit: Unit) -> Column {
    let heading = shown(heading);
    let name = heading.replace(' ', "_");
    let suffix = match unit {
        Unit::Time => "_ns",
        Unit::Share => "_percent",
        Unit::Text | Unit::Source | Unit::Count | Unit::Bytes => "",
    };
    Column {
        heading: heading.into_owned(),
        name: name + suffix,
        unit,
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

fn cut(text: &str) -> String {
    match text.char_indices().nth(SOURCE) {
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
    /// Writes the table. `colour`: highlights headings and the first rows.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, format: Format, colour: bool, out: &mut dyn Write) -> io::Result<()> {
        match format {
            Format::Text => self.text(colour, out),
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
                    Cell::Number(number) if column.unit == Unit::Share => {
                        Json::from(*number as f64 / 100.0)
                    }
                    Cell::Number(number) => Json::from(*number),
                    Cell::Change(change) if column.unit == Unit::Share => {
                        Json::from(*change as f64 / 100.0)
                    }
                    Cell::Change(change) => Json::from(*change),
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
                        Cell::Number(number) if column.unit == Unit::Share => {
                            (*number as f64 / 100.0).to_string()
                        }
                        Cell::Number(number) => number.to_string(),
                        Cell::Change(change) if column.unit == Unit::Share => {
                            (*change as f64 / 100.0).to_string()
                        }
                        Cell::Change(change) => change.to_string(),
                    }),
            )?;
        }
        csv.flush()
    }

    fn text(&self, colour: bool, out: &mut dyn Write) -> io::Result<()> {
        let columns: Vec<(Vec<String>, bool)> = (0..self.columns.len())
            .filter(|&at| self.has_value(at))
            .map(|at| self.text_column(at))
            .collect();
        let widths: Vec<usize> = columns
            .iter()
            .map(|(cells, _)| {
                cells
                    .iter()
                    .map(|cell| cell.chars().count())
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        for row in 0..=self.rows.len() {
            let mut line = String::new();
            for (at, ((cells, left), width)) in columns.iter().zip(&widths).enumerate() {
                line.push_str(if at == 0 { "" } else { "  " });
                match left {
                    true => line.push_str(&format!("{:width$}", cells[row])),
                    false => line.push_str(&format!("{:>width$}", cells[row])),
                }
            }
            match (colour, row) {
                (true, 0) => writeln!(out, "\x1b[1m{}\x1b[0m", line.trim_end())?,
                _ => writeln!(out, "{}", line.trim_end())?,
            }
        }
        Ok(())
    }

    /// Returns whether a column has a value. A table without rows shows all headings.
    fn has_value(&self, at: usize) -> bool {
        self.rows.is_empty() || self.rows.iter().any(|row| row[at] != Cell::None)
    }

    /// Returns a column's heading and cells, and whether they are aligned on the left.
    fn text_column(&self, at: usize) -> (Vec<String>, bool) {
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
            Cell::Text(text) if column.unit == Unit::Source => cut(&shown(text)),
            Cell::Text(text) => shown(text).into_owned(),
            Cell::Number(number) => scaled(*number, scale),
            Cell::Change(change) => signed(*change, |number| scaled(number, scale)),
        };
        let cells = std::iter::once(heading).chain(self.rows.iter().map(cell));
        (
            cells.collect(),
            matches!(column.unit, Unit::Text | Unit::Source),
        )
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
            table().write(format, false, &mut out).unwrap();
            text += &String::from_utf8(out).unwrap();
        }
        insta::assert_snapshot!(text);
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
