//! Definitions: converts the threads' own numbers to ids that are valid for the whole run.

use crate::events::EVENTS;
use crate::prof::format::{ArgCode, Definition, LoopEntry, Side, event_site_flag, varint};
use crate::prof::model::{ArgKind, Kind, KindId, Object, Phase, Site, SiteId, Tables, TextId};
use crate::prof::{kinds, loops};
use hashbrown::HashMap;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The number of columns that a record's mask covers.
pub const MASK_COLUMNS: usize = 64;

/// The largest number of columns of an event site; limits the memory that a hostile file can ask for.
const MOST_COLUMNS: usize = 4096;

/// The source of an event's argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// The column with this number, and the following ones if the argument takes several.
    Column(usize, ArgCode),
    /// An [`ArgCode::Element`] from the first column on; the second column is the size of a unit of its phase.
    Element(usize, usize),
    /// The start's argument with this number.
    Start(usize),
    /// The C type of the place: a function's signature.
    Signature,
    /// No source.
    Unknown,
}

/// The common data of all events of one kind, phase and place.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct EventSite {
    /// The kind of event.
    pub kind: KindId,
    /// The phase: start, end or atomic.
    pub phase: Phase,
    /// The place.
    pub site: SiteId,
    /// Whether starts and ends nest.
    pub nested: bool,
    /// The number of columns of a record.
    pub columns: usize,
    /// The sources of its arguments.
    pub args: Vec<Source>,
    /// For a start: the arguments of an end at the same place.
    pub end_args: Vec<Source>,
}

/// The values of consecutive numbers. After a lost block of definitions a new run begins after the numbers that the
/// block assigned.
#[derive(Clone, Debug)]
struct Numbers<T> {
    /// The first number and the values of each run.
    runs: Vec<(u64, Vec<T>)>,
}

impl<T: Copy> Numbers<T> {
    /// Continues with the number `first`.
    fn go_on(&mut self, first: u64) {
        let at_end =
            |(start, values): &(u64, Vec<T>)| start.checked_add(values.len() as u64) == Some(first);
        if !self.runs.last().is_some_and(at_end) {
            self.runs.push((first, Vec::new()));
        }
    }

    fn push(&mut self, value: T) {
        if let Some((_, values)) = self.runs.last_mut() {
            values.push(value);
        }
    }

    #[inline]
    fn get(&self, number: u64) -> Option<T> {
        let mut runs = self.runs.iter().rev();
        let (first, values) = runs.find(|(first, _)| *first <= number)?;
        values.get(usize::try_from(number - first).ok()?).copied()
    }
}

impl<T> Default for Numbers<T> {
    fn default() -> Numbers<T> {
        Numbers { runs: Vec::new() }
    }
}

/// The values of a thread's own numbers.
#[derive(Clone, Default, Debug)]
pub struct Local {
    texts: Numbers<TextId>,
    /// Indices in [`Definitions::event_sites`]; `None` if the texts are lost.
    event_sites: Numbers<Option<usize>>,
    users: HashMap<u64, KindId>,
}

impl Local {
    /// Returns the index in [`Definitions::event_sites`] of the event site to which the thread assigned this number.
    #[inline]
    pub fn event_site(&self, number: u64) -> Option<usize> {
        self.event_sites.get(number)?
    }

    /// Returns the id of the text to which the thread assigned this number.
    pub fn text(&self, number: u64) -> Option<TextId> {
        self.texts.get(number)
    }
}

/// All definitions of a run.
#[derive(Debug)]
pub struct Definitions {
    /// The tables that ids refer to.
    pub tables: Tables,
    /// The event sites without duplicates.
    pub event_sites: Vec<EventSite>,
    /// The loops so far.
    loops: BTreeSet<loops::Text>,
    texts: HashMap<String, TextId>,
    sites: HashMap<Site, SiteId>,
    kinds: HashMap<(String, Option<String>), KindId>,
    known: HashMap<EventSite, usize>,
}

impl Definitions {
    /// Returns definitions with only the kinds of the table.
    pub fn new() -> Definitions {
        let none = Site {
            file: TextId(0),
            line: 0,
            column: 0,
            type_name: None,
            name: None,
        };
        let kinds = kinds::of_table();
        let ids = (0..).map(KindId);
        let names = kinds.iter().map(|kind| (kind.name.clone(), None));
        Definitions {
            kinds: names.zip(ids).collect(),
            texts: HashMap::from_iter([(String::new(), TextId(0))]),
            sites: HashMap::from_iter([(none.clone(), SiteId::NONE)]),
            tables: Tables {
                texts: vec![String::new()],
                sites: vec![none],
                kinds,
                objects: Vec::new(),
                loops: Vec::new(),
                remarks: BTreeMap::new(),
            },
            loops: BTreeSet::new(),
            event_sites: Vec::new(),
            known: HashMap::new(),
        }
    }

    /// Reads a DEFINE block of the thread with the numbers `local`. `None`: the rest of the block is invalid.
    pub fn read(&mut self, local: &mut Local, mut bytes: &[u8]) -> Option<()> {
        let bytes = &mut bytes;
        // The numbers of the first text and the first event site. They are higher than expected if an earlier block is
        // lost.
        local.texts.go_on(varint(bytes)?);
        local.event_sites.go_on(varint(bytes)?);
        while let Some((&code, rest)) = bytes.split_first() {
            *bytes = rest;
            match Definition::from_code(code.into())? {
                Definition::Text => {
                    let text = self.text_in(bytes)?;
                    local.texts.push(text);
                }
                Definition::EventSite => {
                    let event_site = self.event_site(local, bytes)?;
                    local.event_sites.push(event_site);
                }
                Definition::UserEvent => {
                    let tag = varint(bytes)?;
                    let name = local.text(varint(bytes)?);
                    let description = local.text(varint(bytes)?);
                    let name = name.map_or("", |name| self.tables.text(name));
                    let name = match name {
                        "" => unnamed(tag),
                        name => name.to_owned(),
                    };
                    let description = description.map(|text| self.tables.text(text).to_owned());
                    local
                        .users
                        .insert(tag, self.user_kind(&name, description.as_deref()));
                }
                Definition::Object => self.object(local, bytes)?,
            }
        }
        Some(())
    }

    /// Reads a LOOPS block. `None`: the rest of the block is invalid.
    pub fn loops(&mut self, mut bytes: &[u8]) -> Option<()> {
        let bytes = &mut bytes;
        let mut file = TextId(0);
        while let Some((&code, rest)) = bytes.split_first() {
            *bytes = rest;
            match LoopEntry::from_code(code.into())? {
                LoopEntry::File => file = self.text_in(bytes)?,
                LoopEntry::For | LoopEntry::While | LoopEntry::Do => {
                    let mut next = || u32::try_from(varint(bytes)?).ok();
                    let first = (next()?, next()?);
                    let last = (next()?, next()?);
                    self.loops.insert((file, first, Reverse(last), code.into()));
                }
            }
        }
        Some(())
    }

    /// Reads a REMARKS block. `None`: the rest of the block is invalid.
    pub fn remarks(&mut self, mut bytes: &[u8]) -> Option<()> {
        let bytes = &mut bytes;
        let mut file = TextId(0);
        while !bytes.is_empty() {
            // Without a name it is the file of the entry before.
            file = match self.text_in(bytes)? {
                TextId(0) => file,
                named => named,
            };
            let mut next = || u32::try_from(varint(bytes)?).ok();
            let (line, column) = (next()?, next()?);
            let remark = self.text_in(bytes)?;
            self.tables.remarks.insert((file, line, column), remark);
        }
        Some(())
    }

    /// Reads a text with its length before it.
    fn text_in(&mut self, bytes: &mut &[u8]) -> Option<TextId> {
        let length = usize::try_from(varint(bytes)?).ok()?;
        let (text, rest) = bytes.split_at_checked(length)?;
        *bytes = rest;
        Some(self.text(&String::from_utf8_lossy(text)))
    }

    /// Orders the objects, and defines the loops, after all blocks are read, for a run of that many threads.
    pub fn finish(&mut self, threads: u32) {
        let objects = &mut self.tables.objects;
        for object in objects.iter_mut() {
            let blocks = object.blocks.div_ceil(threads.max(1).into());
            object.bytes_per_thread = blocks.saturating_mul(object.block_bytes);
        }
        objects.sort_by_key(|object| (object.addr, object.name));
        objects.dedup();
        let sites = &mut self.sites;
        loops::define(&mut self.tables, &self.loops, |tables, site| {
            let next = SiteId(tables.sites.len() as u32);
            *sites.entry(site).or_insert_with_key(|site| {
                tables.sites.push(site.clone());
                next
            })
        });
    }

    fn text(&mut self, text: &str) -> TextId {
        if let Some(&id) = self.texts.get(text) {
            return id;
        }
        let id = TextId(self.tables.texts.len() as u32);
        self.tables.texts.push(text.to_owned());
        self.texts.insert(text.to_owned(), id);
        id
    }

    fn user_kind(&mut self, name: &str, description: Option<&str>) -> KindId {
        let kinds = &mut self.tables.kinds;
        let kind = || kinds::of_user(name, description);
        let next = KindId(kinds.len() as u32);
        // A user's kind has an entry after the table's, as its name may equal one of the table.
        let key = (format!("user {name}"), description.map(str::to_owned));
        *self.kinds.entry(key).or_insert_with(|| {
            kinds.push(kind());
            next
        })
    }

    /// Returns the kind of an event site: a row of the table, the user's, or one that this version does not know.
    fn kind(&mut self, local: &Local, tag: u64, symbol: Option<TextId>) -> KindId {
        let Some(symbol) = symbol else {
            let known = local.users.get(&tag).copied();
            return known.unwrap_or_else(|| self.user_kind(&unnamed(tag), None));
        };
        let symbol = self.tables.text(symbol);
        if let Some(at) = EVENTS.iter().position(|event| event.symbol == symbol) {
            return KindId(at as u32);
        }
        let name = symbol.strip_prefix("GASP_").unwrap_or(symbol).to_owned();
        self.user_kind(&name, None)
    }

    /// Reads an event site. The inner `None`: it is valid, but texts that it names are lost.
    fn event_site(&mut self, local: &Local, bytes: &mut &[u8]) -> Option<Option<usize>> {
        let tag = varint(bytes)?;
        let symbol = varint(bytes)?;
        let (&[side, flags], rest) = bytes.split_first_chunk::<2>()?;
        *bytes = rest;
        let mut next = || varint(bytes);
        let (file, line, column) = (next()?, next()?, next()?);
        let (type_name, name) = (next()?, next()?);
        let count = next()?;
        let mut args = Vec::new();
        for _ in 0..count {
            let (&code, rest) = bytes.split_first()?;
            *bytes = rest;
            args.push((ArgCode::from_code(code.into())?, varint(bytes)?));
        }
        let site = Site {
            file: local.text(file).unwrap_or(TextId(0)),
            line: u32::try_from(line).ok()?,
            column: u32::try_from(column).ok()?,
            type_name: local.text(type_name),
            name: local.text(name),
        };
        if symbol != 0 && local.text(symbol).is_none() {
            return Some(None);
        }
        let phase = match Side::from_code(side.into())? {
            Side::Start => Phase::Start,
            Side::End => Phase::End,
            Side::Atomic => Phase::Atomic,
        };
        let kind = self.kind(local, tag, local.text(symbol));
        let site = self.site(site);
        let columns: usize = args.iter().map(|(code, _)| code.columns()).sum();
        if columns > MOST_COLUMNS {
            return None;
        }
        let named: Vec<(ArgCode, &str)> = args
            .iter()
            .map(|&(code, name)| {
                let name = local.text(name).map_or("", |name| self.tables.text(name));
                (code, name)
            })
            .collect();
        let of = self.tables.kind(kind);
        let event_site = EventSite {
            kind,
            phase,
            site,
            nested: flags & event_site_flag::NOT_NESTED == 0,
            columns,
            args: sources(of, phase, &named),
            end_args: match phase {
                Phase::Start => sources(of, Phase::End, &[]),
                Phase::End | Phase::Atomic => Vec::new(),
            },
        };
        Some(Some(self.intern(event_site)))
    }

    fn intern(&mut self, event_site: EventSite) -> usize {
        if let Some(&known) = self.known.get(&event_site) {
            return known;
        }
        self.event_sites.push(event_site.clone());
        self.known.insert(event_site, self.event_sites.len() - 1);
        self.event_sites.len() - 1
    }

    fn site(&mut self, site: Site) -> SiteId {
        let sites = &mut self.tables.sites;
        let next = SiteId(sites.len() as u32);
        *self.sites.entry(site).or_insert_with_key(|site| {
            sites.push(site.clone());
            next
        })
    }

    fn object(&mut self, local: &Local, bytes: &mut &[u8]) -> Option<()> {
        let mut next = || varint(bytes);
        let (blocks, block_bytes) = (next()?, next()?);
        let (_thread, addr, elem_bytes) = (next()?, next()?, next()?);
        let (name, type_name) = (next()?, next()?);
        self.tables.objects.push(Object {
            name: local.text(name).unwrap_or(TextId(0)),
            type_name: local.text(type_name).unwrap_or(TextId(0)),
            addr,
            bytes_per_thread: 0,
            elem_bytes,
            blocks,
            block_bytes,
        });
        Some(())
    }
}

/// The tag of the first event that a user creates: GASP_UPC_USEREVT_START.
const FIRST_USER_TAG: u64 = 10_000;

/// Returns the name of a user's event that has no name, or whose name is lost: its number in the order of creation.
fn unnamed(tag: u64) -> String {
    match tag.checked_sub(FIRST_USER_TAG) {
        Some(before) => format!("user_event_{}", before + 1),
        None => format!("event {tag}"),
    }
}

/// Returns the sources of an event's arguments, given its columns. For the table's kinds they are matched by name;
/// other kinds use the columns in order.
fn sources(kind: &Kind, phase: Phase, columns: &[(ArgCode, &str)]) -> Vec<Source> {
    let starts = |at: &usize| {
        let columns = columns[..*at].iter();
        columns.map(|(code, _)| code.columns()).sum::<usize>()
    };
    let bytes = columns.iter().position(|(code, _)| *code == ArgCode::Size);
    let column = |at: usize| match (columns[at].0, bytes) {
        (ArgCode::Element, Some(bytes)) => Source::Element(starts(&at), starts(&bytes)),
        (code, _) => Source::Column(starts(&at), code),
    };
    let specs = kind.args(phase);
    if specs.is_empty() {
        return (0..columns.len()).map(column).collect();
    }
    let source = |spec: &crate::prof::model::ArgSpec| {
        let own = columns
            .iter()
            .position(|&(code, name)| name == spec.name && fits(code, spec.kind));
        let of_start = || kind.start.iter().position(|arg| arg.name == spec.name);
        match own {
            Some(at) => column(at),
            None if spec.name == "funcsig" => Source::Signature,
            None if phase == Phase::End => of_start().map_or(Source::Unknown, Source::Start),
            None => Source::Unknown,
        }
    };
    specs.iter().map(source).collect()
}

/// Returns whether a column of that code can be an argument of that kind.
fn fits(code: ArgCode, kind: ArgKind) -> bool {
    match code {
        ArgCode::Int | ArgCode::Flags | ArgCode::Operation | ArgCode::Reduction => matches!(
            kind,
            ArgKind::Int
                | ArgKind::Flags
                | ArgKind::Operation
                | ArgKind::Reduction
                | ArgKind::FileFlags
                | ArgKind::Offset
        ),
        ArgCode::Size => kind == ArgKind::Size,
        ArgCode::Pointer => kind == ArgKind::Pointer,
        ArgCode::Shared | ArgCode::Lock | ArgCode::Place | ArgCode::Element => {
            matches!(kind, ArgKind::Shared | ArgKind::Lock)
        }
        ArgCode::Text => kind == ArgKind::Text,
        ArgCode::Handle => kind == ArgKind::Handle,
        ArgCode::Real => false,
    }
}
