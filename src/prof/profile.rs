//! `upcprof profile`: where the time went, the largest first.

mod naming;
mod others;

pub use others::Others;

use super::estimate::Estimate;
use super::export::label;
use super::model::{
    Cell as Counted, Frame, Group, Key, ObjectId, PathId, Profile, Recording, Tables, Thread,
};
use super::ratios::Ratio;
use super::select::Selection;
use super::source::Sources;
use super::table::{Cell, Column, Table, Unit, column};
use hashbrown::{HashMap, HashSet};
use naming::{Naming, crowded};
use others::other_time;

/// The meaning of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// A kind of event on a source line.
    Line,
    /// A kind of event.
    Event,
    /// A thread.
    Thread,
    /// A thread and its peer.
    Peer,
    /// A call path.
    Callpath,
    /// A static shared object.
    Array,
    /// A function, a loop, a `upc_forall` or a part of the program between events of the user's, with what happens in it.
    Region,
}

/// The values of `By` by name.
pub const CUTS: &[(&str, By)] = &[
    ("line", By::Line),
    ("event", By::Event),
    ("thread", By::Thread),
    ("peer", By::Peer),
    ("callpath", By::Callpath),
    ("array", By::Array),
    ("region", By::Region),
];

/// The key that rows are sorted by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// The time excluding events inside.
    Own,
    /// The time from start to end.
    Total,
    /// Mean time.
    Avg,
    /// Shortest time.
    Min,
    /// Longest time.
    Max,
    /// Number of events.
    Calls,
    /// Bytes.
    Bytes,
    /// Name of the event.
    Type,
    /// File and line.
    Src,
}

/// Sort keys by name: those of `upc_trace`, and two more.
pub const SORTS: &[(&str, Sort)] = &[
    ("SELF", Sort::Own),
    ("TOTAL", Sort::Total),
    ("AVG", Sort::Avg),
    ("MIN", Sort::Min),
    ("MAX", Sort::Max),
    ("CALLS", Sort::Calls),
    ("BYTES", Sort::Bytes),
    ("TYPE", Sort::Type),
    ("SRC", Sort::Src),
];

/// Events that can be left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hide {
    /// Accesses to the thread's own memory.
    Local,
    /// Accesses to the memory of other threads.
    Global,
    /// Waits and barriers.
    Wait,
    /// Notifies.
    Notify,
}

/// The filters by name, as in `upc_trace`.
pub const FILTERS: &[(&str, Hide)] = &[
    ("LOCAL", Hide::Local),
    ("GLOBAL", Hide::Global),
    ("WAIT", Hide::Wait),
    ("WAITNOTIFY", Hide::Notify),
];

/// The user's request.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The meaning of a row.
    pub by: By,
    /// The sort keys, the most significant first.
    pub sort: Vec<Sort>,
    /// The events to leave out.
    pub hide: Vec<Hide>,
    /// Groups of events; empty: all.
    pub report: Vec<Group>,
    /// Divide each row by thread.
    pub per_thread: bool,
    /// Include events of the runtime, which no place of the program raised.
    pub internal: bool,
    /// The largest number of rows.
    pub top: Option<usize>,
    /// Ratios, a column each.
    pub ratios: Vec<Ratio>,
}

/// The common properties of a row's cells.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum RowKey {
    Line {
        file: String,
        line: u32,
        /// Where several places of the line raise this event.
        column: Option<u32>,
        event: String,
    },
    Event(String),
    Thread(u32),
    Peer(u32, Option<u32>),
    Path(Vec<String>),
    Array(Option<ObjectId>, String),
    /// The frame that begins it, by name and place; `None`: outside all regions.
    Region(Option<(String, String)>),
    /// Time in which no event was under way.
    Outside,
    /// What the other rows do not have: events of the runtime, and those that the user leaves out.
    Rest,
}

#[derive(Clone, Default)]
struct Row {
    thread: Option<u32>,
    counted: Counted,
    /// The own time of some of its events is known.
    has_time: bool,
    /// The time of all events, including those inside other events of this row; averages are based on it.
    spent: u64,
    /// The error of `counted.own`.
    error: u64,
    /// The number of events on the thread's own memory, and on that of others.
    local: u64,
    /// Some of the local accesses raise no events.
    is_uninstrumented: bool,
    remote: u64,
    /// The bytes moved from or to other threads.
    remote_bytes: u64,
}

/// The view: its table and totals.
pub struct View {
    /// Its table. After the rows of events come those of all other time.
    pub table: Table,
    /// The number of rows of events.
    pub events: usize,
    /// The number of rows that `--top` left out, and their time.
    pub left_out: (usize, u64),
    /// The time outside events, and the time of events that no row shows. All shares together are 100 %.
    pub others: Others,
    /// The thread time that shares refer to, in nanoseconds.
    pub whole: u64,
}

impl View {
    /// Returns the table without the rows of other time.
    pub fn events(&self) -> Table {
        let mut table = self.table.clone();
        table.rows.truncate(self.events);
        table
    }
}

/// Makes the table.
pub fn view(
    of: &dyn Recording,
    estimate: &Estimate,
    selection: &Selection,
    asked: &Asked,
    sources: &mut Sources,
) -> View {
    let whole = of
        .threads()
        .iter()
        .filter(|thread| selection.thread(thread.id))
        .map(Thread::time)
        .sum();
    let rows = rows(of, estimate, selection, asked);
    let mut sorted: Vec<(RowKey, Row)> =
        rows.into_iter().map(|((key, _), row)| (key, row)).collect();
    let (others, last) = other_time(of, estimate, selection, asked, &sorted);
    sorted.sort_by(|a, b| {
        let keys = asked.sort.iter();
        let order = keys
            .map(|sort| compare(*sort, a, b))
            .find(|order| order.is_ne());
        order.unwrap_or_else(|| a.0.cmp(&b.0).then(a.1.thread.cmp(&b.1.thread)))
    });
    let kept = asked.top.unwrap_or(sorted.len()).min(sorted.len());
    let rest = sorted.split_off(kept);
    let left_out = (
        rest.len(),
        rest.iter().map(|(_, row)| row.counted.own).sum(),
    );
    let events = sorted.len();
    sorted.extend(last);
    let counters = &of.facts().counters;
    let cells = |(key, row): &(RowKey, Row)| {
        let mut cells = key_cells(of.tables(), key);
        cells.resize(key_columns(asked.by).len(), Cell::None);
        if asked.per_thread {
            cells.push(row.thread.map(u64::from).into());
        }
        cells.extend(numbers(row, whole, counters.len()));
        cells.extend(ratios(key, row, &asked.ratios));
        if asked.by == By::Line {
            let text = match key {
                RowKey::Line { file, line, .. } => sources.line(file, *line),
                _ => None,
            };
            cells.push(text.map_or(Cell::None, Cell::from));
        }
        cells
    };
    let rows = sorted.iter().map(cells).collect();
    View {
        table: Table {
            columns: columns(asked, counters),
            rows,
        },
        events,
        left_out,
        others,
        whole,
    }
}

/// Adds up cells by row.
fn rows(
    of: &dyn Recording,
    estimate: &Estimate,
    selection: &Selection,
    asked: &Asked,
) -> HashMap<(RowKey, Option<u32>), Row> {
    let (tables, profile) = (of.tables(), &estimate.profile);
    let naming = Naming {
        tables,
        profile,
        by: asked.by,
        crowded: crowded(tables, profile),
    };
    let mut rows: HashMap<(RowKey, Option<u32>), Row> = HashMap::new();
    let mut keys: HashMap<(u32, PathId), HashSet<RowKey>> = HashMap::new();
    for ((key, counted), error) in profile.cells.iter().zip(&estimate.errors) {
        let Some(frame) = profile.frame(key.path) else {
            continue;
        };
        if !selection.thread(key.thread)
            || !selection.what(frame.kind, frame.site)
            || !wanted(tables, asked, key, frame)
        {
            continue;
        }
        let Some(row_key) = naming.row(key, frame) else {
            continue;
        };
        // An event inside an event of the same row is already part of that event's time.
        let outer = keys
            .entry((key.thread, frame.parent))
            .or_insert_with(|| naming.outer(selection, key, frame.parent));
        let outer = outer.contains(&row_key);
        let thread = asked.per_thread.then_some(key.thread);
        let row = rows.entry((row_key, thread)).or_default();
        row.thread = thread;
        row.is_uninstrumented |= !of.facts().has_local && is_access(&tables.kind(frame.kind).name);
        match key.peer {
            Some(peer) if peer == key.thread => row.local = row.local.saturating_add(counted.count),
            Some(_) => {
                row.remote = row.remote.saturating_add(counted.count);
                row.remote_bytes = row.remote_bytes.saturating_add(counted.bytes);
            }
            None => {}
        }
        row.has_time |= counted.timed > 0;
        row.error = row.error.saturating_add(*error);
        let mut counted = counted.clone();
        if asked.by == By::Region && !is_region(tables, frame) {
            only_content(&mut counted);
        }
        row.spent = row.spent.saturating_add(counted.total);
        if outer {
            counted.total = 0;
        }
        row.counted.add(&counted);
    }
    rows
}

/// Returns whether the event is a region of the program, which other events are in.
pub fn is_region(tables: &Tables, frame: &Frame) -> bool {
    tables.kind(frame.kind).group.facts().is_region
}

/// Returns the innermost region on a path.
pub fn region(tables: &Tables, profile: &Profile, path: PathId) -> Option<Frame> {
    let frames = profile.frames(path);
    frames
        .into_iter()
        .rev()
        .find(|frame| is_region(tables, frame))
}

/// Leaves what an event adds to the region that it is in: the region's own numbers of calls and its total time are those
/// of the event that begins it.
fn only_content(counted: &mut Counted) {
    let whole = Counted::default();
    (counted.count, counted.missed, counted.timed) = (whole.count, whole.missed, whole.timed);
    (counted.total, counted.min, counted.max) = (whole.total, whole.min, whole.max);
}

/// Returns whether the event is a read or write of a single object, which raises no event if it turns out to be local
/// unless the user asks for it.
fn is_access(event: &str) -> bool {
    matches!(event, "UPC_GET" | "UPC_PUT")
}

fn wanted(tables: &Tables, asked: &Asked, key: &Key, frame: &Frame) -> bool {
    let group = tables.kind(frame.kind).group;
    let report = asked.report.is_empty() || asked.report.contains(&group);
    let internal = asked.internal || tables.site(frame.site).is_some_and(|site| site.line > 0);
    let local = key.peer.map(|peer| peer == key.thread);
    report
        && internal
        && group != Group::Note
        && asked.hide.iter().all(|hide| match hide {
            Hide::Local => local != Some(true),
            Hide::Global => local != Some(false),
            Hide::Wait => !matches!(group, Group::Wait | Group::Barrier),
            Hide::Notify => group != Group::Notify,
        })
}

fn region_key(tables: &Tables, region: Option<&Frame>) -> RowKey {
    RowKey::Region(region.map(|frame| {
        let place = match tables.site(frame.site) {
            Some(site) if site.line > 0 => format!("{}:{}", tables.text(site.file), site.line),
            Some(_) | None => String::new(),
        };
        (label(tables, frame.kind, frame.site), place)
    }))
}

/// Returns a step of a call path: a function by its name, any other event with its place.
fn step(tables: &Tables, frame: &Frame) -> String {
    let kind = tables.kind(frame.kind);
    let Some(site) = tables.site(frame.site) else {
        return kind.name.clone();
    };
    match (kind.group, site.type_name) {
        (Group::Function, Some(signature)) => function_name(tables.text(signature)).to_owned(),
        _ => format!("{} {}:{}", kind.name, tables.text(site.file), site.line),
    }
}

/// Returns the name in a function's head: the word before the first parenthesis.
pub fn function_name(signature: &str) -> &str {
    let head = signature.split('(').next().unwrap_or(signature).trim_end();
    let start = head.rfind(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
    match &head[start.map_or(0, |at| at + 1)..] {
        "" => signature,
        name => name,
    }
}

fn compare(sort: Sort, a: &(RowKey, Row), b: &(RowKey, Row)) -> std::cmp::Ordering {
    let (x, y) = (&a.1.counted, &b.1.counted);
    match sort {
        Sort::Own => y.own.cmp(&x.own),
        Sort::Total => y.total.cmp(&x.total),
        Sort::Avg => average(&b.1).cmp(&average(&a.1)),
        Sort::Min => shortest(y).cmp(&shortest(x)),
        Sort::Max => y.max.cmp(&x.max),
        Sort::Calls => y.count.cmp(&x.count),
        Sort::Bytes => y.bytes.cmp(&x.bytes),
        Sort::Type => event_of(&a.0).cmp(&event_of(&b.0)),
        Sort::Src => a.0.cmp(&b.0),
    }
}

fn event_of(key: &RowKey) -> Option<&str> {
    match key {
        RowKey::Line { event, .. } | RowKey::Event(event) | RowKey::Array(_, event) => Some(event),
        RowKey::Path(steps) => steps.last().map(String::as_str),
        RowKey::Region(region) => region.as_ref().map(|(name, _)| name.as_str()),
        RowKey::Thread(_) | RowKey::Peer(..) | RowKey::Outside | RowKey::Rest => None,
    }
}

fn average(row: &Row) -> Option<u64> {
    row.spent.checked_div(row.counted.timed)
}

fn shortest(counted: &Counted) -> Option<u64> {
    (counted.timed > 0).then_some(counted.min)
}

fn key_columns(by: By) -> &'static [(&'static str, Unit)] {
    match by {
        By::Line => &[
            ("line", Unit::Text),
            ("column", Unit::Count),
            ("event", Unit::Text),
        ],
        By::Event => &[("event", Unit::Text)],
        By::Thread => &[("thread", Unit::Count)],
        By::Peer => &[("thread", Unit::Count), ("peer", Unit::Count)],
        By::Callpath => &[("path", Unit::Text)],
        By::Array => &[("array", Unit::Text), ("event", Unit::Text)],
        By::Region => &[("region", Unit::Text), ("line", Unit::Text)],
    }
}

fn columns(asked: &Asked, counters: &[String]) -> Vec<Column> {
    let of_thread: &[(&str, Unit)] = match asked.per_thread {
        true => &[("of thread", Unit::Count)],
        false => &[],
    };
    // In a narrow terminal, columns with the highest numbers are left out first.
    let numbers = [
        ("share", Unit::Share, 0),
        ("self", Unit::Time, 0),
        ("error", Unit::Time, 6),
        ("total", Unit::Time, 2),
        ("calls", Unit::Count, 0),
        ("avg", Unit::Time, 3),
        ("min", Unit::Time, 8),
        ("max", Unit::Time, 7),
        ("bytes", Unit::Bytes, 2),
        ("bytes per call", Unit::Bytes, 5),
        ("local", Unit::Count, 4),
        ("remote", Unit::Count, 1),
        ("remote bytes", Unit::Bytes, 5),
    ];
    let key = key_columns(asked.by).iter().chain(of_thread);
    let mut columns: Vec<Column> = key.map(|(heading, unit)| column(heading, *unit)).collect();
    columns.extend(numbers.map(|(heading, unit, rank)| column(heading, unit).rank(rank)));
    columns.extend(counters.iter().map(|name| column(name, Unit::Count)));
    let ratios = asked.ratios.iter();
    columns.extend(ratios.map(|ratio| column(&ratio.name, Unit::Ratio)));
    if asked.by == By::Line {
        columns.push(column("source", Unit::Source));
    }
    columns
}

fn key_cells(tables: &Tables, key: &RowKey) -> Vec<Cell> {
    match key {
        RowKey::Outside => vec!["outside events".into()],
        RowKey::Rest => vec!["events not shown".into()],
        RowKey::Line {
            file,
            line,
            column,
            event,
        } => {
            let place = match line {
                0 => "(runtime)".to_owned(),
                line => format!("{file}:{line}"),
            };
            let column = column.map(u64::from);
            vec![place.into(), column.into(), event.as_str().into()]
        }
        RowKey::Event(event) => vec![event.as_str().into()],
        RowKey::Thread(thread) => vec![u64::from(*thread).into()],
        RowKey::Peer(thread, peer) => vec![u64::from(*thread).into(), peer.map(u64::from).into()],
        RowKey::Path(steps) => vec![steps.join(" > ").into()],
        RowKey::Array(object, event) => {
            let object = object.map(|object| &tables.objects[object.0 as usize]);
            let name = object.map_or("(shared heap)", |object| tables.text(object.name));
            vec![name.into(), event.as_str().into()]
        }
        RowKey::Region(None) => vec!["(outside regions)".into(), Cell::None],
        RowKey::Region(Some((name, place))) => vec![name.as_str().into(), place.as_str().into()],
    }
}

/// The ratios of a row. Time outside of all events has counted nothing.
fn ratios(key: &RowKey, row: &Row, ratios: &[Ratio]) -> Vec<Cell> {
    let is_other = matches!(key, RowKey::Outside | RowKey::Rest);
    let of = |ratio: &Ratio| ratio.of(&row.counted).filter(|_| !is_other);
    ratios.iter().map(|ratio| Cell::from(of(ratio))).collect()
}

fn numbers(row: &Row, whole: u64, counters: usize) -> Vec<Cell> {
    let counted = &row.counted;
    let timed = |number: u64| (counted.timed > 0).then_some(number);
    let accesses = row.local + row.remote > 0;
    let share = (u128::from(counted.own) * 10_000).checked_div(u128::from(whole));
    let mut cells: Vec<Cell> = vec![
        share
            .map(|share| share as u64)
            .filter(|_| row.has_time)
            .into(),
        row.has_time.then_some(counted.own).into(),
        (row.error > 0).then_some(row.error).into(),
        timed(counted.total).into(),
        // What is outside of all regions, or of all events, has no number of calls.
        (counted.count > 0 || !row.has_time)
            .then_some(counted.count)
            .into(),
        average(row).into(),
        shortest(counted).into(),
        timed(counted.max).into(),
        (counted.max_bytes > 0).then_some(counted.bytes).into(),
        counted
            .bytes
            .checked_div(counted.count)
            .filter(|_| counted.max_bytes > 0)
            .into(),
        Some(row.local)
            .filter(|&local| accesses && !(local == 0 && row.is_uninstrumented))
            .into(),
        accesses.then_some(row.remote).into(),
        (counted.max_bytes > 0 && accesses)
            .then_some(row.remote_bytes)
            .into(),
    ];
    let of_counter = |at: usize| counted.counters.get(at).map(|(_, own)| *own);
    cells.extend((0..counters).map(|at| Cell::from(of_counter(at))));
    cells
}
