//! Draws the layout of a shared object: a row for each thread, a box for each of its blocks, and in the boxes the
//! elements by index.

use super::Style;
use crate::types::{ArrayLen, QualType, Size, Types};
use std::fmt::Write;

/// The character set for boxes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Charset {
    Unicode,
    Ascii,
}

/// The characters of a picture.
struct Ink {
    vertical: &'static str,
    horizontal: &'static str,
    /// Left corner, junction, right corner.
    top: [&'static str; 3],
    bottom: [&'static str; 3],
    /// Marks omitted parts: one column wide, or three.
    gap: &'static str,
    down: &'static str,
}

impl Charset {
    /// Returns the character set of the user's locale: the first of `LC_ALL`, `LC_CTYPE`, `LANG` that is set decides.
    pub fn of_locale(variable: impl Fn(&str) -> Option<String>) -> Charset {
        let set = ["LC_ALL", "LC_CTYPE", "LANG"]
            .iter()
            .filter_map(|name| variable(name))
            .find(|value| !value.is_empty());
        let locale = set.unwrap_or_default().to_ascii_lowercase();
        if locale.contains("utf-8") || locale.contains("utf8") {
            Charset::Unicode
        } else {
            Charset::Ascii
        }
    }

    fn ink(self) -> Ink {
        match self {
            Charset::Unicode => Ink {
                vertical: "│",
                horizontal: "─",
                top: ["┌", "┬", "┐"],
                bottom: ["└", "┴", "┘"],
                gap: "…",
                down: "⋮",
            },
            Charset::Ascii => Ink {
                vertical: "|",
                horizontal: "-",
                top: ["+", "+", "+"],
                bottom: ["+", "+", "+"],
                gap: "...",
                down: ":",
            },
        }
    }
}

/// The layout to draw: elements distributed in blocks.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The object to which the elements belong.
    pub name: String,
    /// Elements per block; 0: all on one thread.
    pub block: u64,
    /// Number of elements; `None`: unlimited, for the target of a pointer.
    pub count: Option<u64>,
    pub threads: u64,
    /// Extents of the dimensions after the first: indices are shown for each dimension.
    pub inner: Vec<u64>,
    /// Neither array nor pointer: the single element is labelled with the object's name.
    pub scalar: bool,
}

/// Maximum number of rows; with more threads, the middle ones are omitted.
const MOST_ROWS: u64 = 12;

/// Number of elements shown of an unlimited row.
const ENDLESS_ROW: u64 = 8;

/// The layout for a type: that of the object itself if it is shared, else that of the target of the object (or of its
/// elements).
pub fn shape(types: &Types, name: &str, qt: QualType, threads: u32) -> Option<Shape> {
    let threads = u64::from(threads);
    if types.is_function(qt) {
        return None;
    }
    if types.is_shared(qt) {
        let (elem, block) = types.shared_elem(qt)?;
        let one = types.fixed_size(elem)?;
        let total = match types.size_of(qt)? {
            Size::Fixed(bytes) => bytes,
            Size::PerThread(bytes) => bytes.saturating_mul(threads),
            Size::Variable => return None,
        };
        let inner = types
            .array(qt)
            .map_or(Vec::new(), |(row, _)| extents(types, row, threads));
        return Some(Shape {
            name: name.to_owned(),
            block: u64::from(block),
            count: Some(total.checked_div(one)?),
            threads,
            inner,
            scalar: !types.is_array(qt),
        });
    }
    let to = types.pointee(types.ultimate(qt))?;
    let (elem, block) = types.shared_elem(to)?;
    types.fixed_size(elem)?;
    if types.is_void(elem) || types.size_of(to).is_none() {
        return None;
    }
    // For an array of pointers, draw the target of one of them.
    let name = if types.is_array(qt) {
        format!("(*{name})")
    } else {
        name.to_owned()
    };
    Some(Shape {
        name,
        block: u64::from(block),
        count: None,
        threads,
        inner: extents(types, to, threads),
        scalar: false,
    })
}

/// The extents of an array, outermost first; empty for other types.
fn extents(types: &Types, mut qt: QualType, threads: u64) -> Vec<u64> {
    let mut list = Vec::new();
    while let Some((elem, len)) = types.array(qt) {
        list.push(match len {
            ArrayLen::Fixed(n) => n,
            ArrayLen::PerThread(n) => n.saturating_mul(threads),
            ArrayLen::Incomplete | ArrayLen::Variable(_) => 1,
        });
        qt = elem;
    }
    list
}

/// A row, box or element of the picture, or a gap that stands for omitted ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Slot {
    At(u64),
    Gap,
}

impl Shape {
    /// Returns the line above the picture.
    pub fn title(&self) -> String {
        let threads = match self.threads {
            1 => "1 thread".to_owned(),
            n => format!("{n} threads"),
        };
        if self.count.is_some() {
            return format!("With {threads}:");
        }
        let name = &self.name;
        let phase = if self.block > 1 { " and phase 0" } else { "" };
        format!(
            "Where {name}[0], {name}[1] ... are with {threads}, if {name} points to thread 0{phase}:\n"
        )
    }

    /// Number of elements in a block as drawn.
    fn drawn_block(&self) -> u64 {
        match (self.block, self.count) {
            (0, Some(count)) => count.max(1),
            (0, None) => ENDLESS_ROW,
            (block, _) => block,
        }
    }

    /// Number of blocks of the thread that has the most.
    fn rounds(&self) -> u64 {
        match (self.block, self.count) {
            (0, _) => 1,
            (1, None) => 4,
            (_, None) => 2,
            (block, Some(count)) => count.div_ceil(block).div_ceil(self.threads).max(1),
        }
    }

    /// Returns the index of a thread's element in its block `round`, at `phase`. `None`: the element does not exist.
    pub fn element(&self, thread: u64, round: u64, phase: u64) -> Option<u64> {
        if self.block == 0 {
            return (thread == 0 && self.count.is_none_or(|count| phase < count)).then_some(phase);
        }
        let index = (round * self.threads + thread) * self.block + phase;
        self.count
            .is_none_or(|count| index < count)
            .then_some(index)
    }

    /// The label of an element: its index in each dimension.
    fn label(&self, mut index: u64) -> String {
        if self.scalar {
            return self.name.clone();
        }
        let mut parts = Vec::new();
        for &extent in self.inner.iter().rev() {
            let extent = extent.max(1);
            parts.push((index % extent).to_string());
            index /= extent;
        }
        parts.push(index.to_string());
        parts.reverse();
        parts.join(",")
    }

    /// Draws the picture, at most `style.width` columns wide.
    pub fn draw(&self, style: Style) -> String {
        let ink = style.charset.ink();
        let rows = choose(self.threads, MOST_ROWS);
        let head = format!("thread {} ", self.threads - 1).len();
        let room = style.width.saturating_sub(head + 1);
        let (rounds, phases, cell) = self.fit(room, ink.gap.chars().count());
        let gap = ink.gap.chars().count().max(cell.min(3));
        let box_width = phases
            .iter()
            .map(|p| 1 + if *p == Slot::Gap { gap } else { cell })
            .sum::<usize>()
            + 1;
        let indent = " ".repeat(head);
        let mut out = String::new();
        // Writing to a String cannot fail.
        if self.block > 1 {
            out.push_str(&format!("{:<head$}", "phase"));
            for round in &rounds {
                let cells = match round {
                    Slot::Gap => " ".repeat(gap + 3),
                    Slot::At(_) => self.cells(&phases, cell, gap, ink.gap, |p| Some(p.to_string())),
                };
                out.push(' ');
                out.push_str(&cells);
            }
            end_line(&mut out);
        }
        let border = |corner: [&str; 3]| {
            let mut line = format!("{indent}{}", corner[0]);
            for (at, round) in rounds.iter().enumerate() {
                let width = if *round == Slot::Gap {
                    gap + 2
                } else {
                    box_width
                };
                line.push_str(&ink.horizontal.repeat(width));
                line.push_str(if at + 1 == rounds.len() {
                    corner[2]
                } else {
                    corner[1]
                });
            }
            line
        };
        let _ = writeln!(out, "{}", border(ink.top));
        for row in rows {
            let Slot::At(thread) = row else {
                let _ = writeln!(out, "{indent}{}", ink.down);
                continue;
            };
            out.push_str(&format!(
                "{:<head$}{}",
                format!("thread {thread}"),
                ink.vertical
            ));
            for round in &rounds {
                match *round {
                    Slot::Gap => out.push_str(&format!(" {:^gap$} ", ink.gap)),
                    Slot::At(round) => {
                        out.push_str(&self.cells(&phases, cell, gap, ink.gap, |p| {
                            self.element(thread, round, p)
                                .map(|index| self.label(index))
                        }))
                    }
                }
                out.push_str(ink.vertical);
            }
            end_line(&mut out);
        }
        let _ = writeln!(out, "{}", border(ink.bottom));
        out
    }

    /// Formats the interior of a box.
    fn cells(
        &self,
        phases: &[Slot],
        cell: usize,
        gap: usize,
        dots: &str,
        label: impl Fn(u64) -> Option<String>,
    ) -> String {
        let mut text = String::new();
        let mut any_left_out = false;
        for phase in phases {
            match *phase {
                Slot::At(phase) => {
                    let label = label(phase).unwrap_or_default();
                    any_left_out = !label.is_empty();
                    text.push_str(&format!(" {label:>cell$}"));
                }
                // An empty box has no omitted elements.
                Slot::Gap => {
                    text.push_str(&format!(" {:^gap$}", if any_left_out { dots } else { "" }))
                }
            }
        }
        text.push(' ');
        text
    }

    /// Selects the boxes, and the phases in them, that fit into `room` columns. Also returns the width of an element.
    fn fit(&self, room: usize, gap: usize) -> (Vec<Slot>, Vec<Slot>, usize) {
        let (block, rounds) = (self.drawn_block(), self.rounds());
        let last = match self.count {
            Some(count) => count.saturating_sub(1),
            None => rounds * block * if self.block == 0 { 1 } else { self.threads } - 1,
        };
        let widest = self.label(last).len().max(self.inner_width(last));
        let cell = widest.max(if self.block > 1 {
            (block - 1).to_string().len()
        } else {
            1
        });
        // A box has a border, a space before each element, and a space at the end.
        let whole = (block as usize).saturating_mul(cell + 1).saturating_add(2);
        let gap_box = gap.max(3) + 3;
        if whole <= room {
            let fitting = room / whole;
            let most = if rounds as usize <= fitting {
                fitting
            } else {
                room.saturating_sub(gap_box) / whole
            };
            return (choose_ends(rounds, most as u64), choose(block, block), cell);
        }
        // One block is too wide: show its first and last elements, and a gap if there are more blocks.
        let more = if rounds > 1 { gap_box } else { 0 };
        let fitting = room.saturating_sub(more + 2 + gap.max(3) + 1) / (cell + 1);
        let rounds = match rounds {
            1 => vec![Slot::At(0)],
            _ => vec![Slot::At(0), Slot::Gap],
        };
        (rounds, choose(block, fitting.max(2) as u64), cell)
    }

    /// Width of the widest label up to that of `last`: its inner indices may be shorter than those of earlier elements.
    fn inner_width(&self, last: u64) -> usize {
        let outer = last
            / self
                .inner
                .iter()
                .map(|n| (*n).max(1))
                .product::<u64>()
                .max(1);
        let lengths = self
            .inner
            .iter()
            .map(|n| 1 + n.saturating_sub(1).to_string().len());
        if self.scalar {
            return self.name.chars().count();
        }
        outer.to_string().len() + lengths.sum::<usize>()
    }
}

fn end_line(out: &mut String) {
    out.truncate(out.trim_end_matches(' ').len());
    out.push('\n');
}

/// Returns all of `total` slots if they are at most `most`, else the first ones and the last two with a gap between.
fn choose(total: u64, most: u64) -> Vec<Slot> {
    if total <= most {
        return (0..total).map(Slot::At).collect();
    }
    let tail = if most > 3 { 2 } else { 1 };
    let first = most.saturating_sub(tail).max(1);
    (0..first)
        .map(Slot::At)
        .chain([Slot::Gap])
        .chain((total - tail..total).map(Slot::At))
        .collect()
}

/// As [`choose`], with one slot after the gap, or none if only one fits.
fn choose_ends(total: u64, most: u64) -> Vec<Slot> {
    match most {
        _ if total <= most => choose(total, most),
        0 | 1 => vec![Slot::At(0), Slot::Gap],
        _ => (0..most - 1)
            .map(Slot::At)
            .chain([Slot::Gap, Slot::At(total - 1)])
            .collect(),
    }
}
