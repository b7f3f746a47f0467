//! The call paths of the page. The events of a trace and a profile number their paths each in its own way; sections of
//! the page refer to these.

use super::state::{STATES, State};
use crate::prof::export::label;
use crate::prof::model::{KindId, Profile, SiteId, Tables, TextId};
use crate::prof::names::shown;
use hashbrown::HashMap;
use serde::Serialize;

/// The largest number of paths that the page has; a program that recurses has one for each depth.
const MOST: usize = 1 << 15;
/// The longest label, in characters.
const LONGEST: usize = 160;

/// The number of a path in the page.
pub type Path = u32;

/// The path outside of all events.
pub const OUTSIDE: Path = 0;

/// A step of a path as the page shows it.
#[derive(Clone, Debug, Serialize)]
pub struct Frame {
    /// `main`, `get a[i]`, `upc_barrier`.
    pub label: String,
    /// The index of its state.
    pub state: usize,
    /// The index of its file in [`Data::files`]; `None`: no place of the program.
    pub file: Option<u32>,
    /// Its line; 0: unknown.
    pub line: u32,
}

/// The paths as data of the page.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Data {
    /// The names of source files, as the compiler was given them.
    pub files: Vec<String>,
    /// Steps of paths.
    pub frames: Vec<Frame>,
    /// For each path its parent and its last frame. The first is [`OUTSIDE`]; then each state has one, for paths beyond
    /// the largest number.
    pub paths: Vec<(Path, u32)>,
}

/// Numbers paths in the order in which they are first seen.
pub struct Paths<'t> {
    tables: &'t Tables,
    data: Data,
    files: HashMap<TextId, u32>,
    frames: HashMap<(KindId, SiteId), u32>,
    known: HashMap<(Path, KindId, SiteId), Path>,
}

impl<'t> Paths<'t> {
    /// Returns the paths that each page has.
    pub fn new(tables: &'t Tables) -> Paths<'t> {
        let mut data = Data::default();
        let outside = ("outside events".to_owned(), State::User.index());
        let others = STATES.iter().enumerate();
        let others = others.map(|(at, it)| (format!("{} (other call paths)", it.title), at));
        for (label, state) in std::iter::once(outside).chain(others) {
            data.paths.push((OUTSIDE, data.frames.len() as u32));
            data.frames.push(Frame {
                label,
                state,
                file: None,
                line: 0,
            });
        }
        Paths {
            tables,
            data,
            files: HashMap::new(),
            frames: HashMap::new(),
            known: HashMap::new(),
        }
    }

    /// Returns the data of the page.
    pub fn into_data(self) -> Data {
        self.data
    }

    /// Returns the index of the state at the end of a path.
    pub fn state(&self, path: Path) -> usize {
        let (_, frame) = self.data.paths[path as usize];
        self.data.frames[frame as usize].state
    }

    /// Returns the path that adds an event at a place to a path.
    pub fn extend(&mut self, parent: Path, kind: KindId, site: SiteId) -> Path {
        if let Some(&known) = self.known.get(&(parent, kind, site)) {
            return known;
        }
        if self.data.paths.len() >= MOST {
            return 1 + State::of(self.tables.kind(kind).group).index() as Path;
        }
        let frame = self.frame(kind, site);
        let path = self.data.paths.len() as Path;
        self.data.paths.push((parent, frame));
        self.known.insert((parent, kind, site), path);
        path
    }

    /// Returns the page's path for each path of a profile.
    pub fn of_profile(&mut self, profile: &Profile) -> Vec<Path> {
        let mut paths: Vec<Path> = Vec::with_capacity(profile.paths.len());
        for (at, frame) in profile.paths.iter().enumerate() {
            let parent = paths.get(frame.parent.0 as usize).copied();
            paths.push(match at {
                0 => OUTSIDE,
                _ => self.extend(parent.unwrap_or(OUTSIDE), frame.kind, frame.site),
            });
        }
        paths
    }

    /// Returns the index of a file in [`Data::files`].
    pub fn file(&mut self, file: TextId) -> u32 {
        let (tables, files) = (self.tables, &mut self.data.files);
        *self.files.entry(file).or_insert_with(|| {
            files.push(tables.text(file).to_owned());
            files.len() as u32 - 1
        })
    }

    fn frame(&mut self, kind: KindId, site: SiteId) -> u32 {
        if let Some(&known) = self.frames.get(&(kind, site)) {
            return known;
        }
        let place = self.tables.site(site).filter(|site| site.line > 0);
        let place = place.map(|site| (site.file, site.line));
        let file = place.map(|(file, _)| self.file(file));
        let frame = Frame {
            label: short(&label(self.tables, kind, site)),
            state: State::of(self.tables.kind(kind).group).index(),
            file,
            line: place.map_or(0, |(_, line)| line),
        };
        self.data.frames.push(frame);
        let at = self.data.frames.len() as u32 - 1;
        self.frames.insert((kind, site), at);
        at
    }
}

/// Returns a text of the recording without control characters, and not too long for a label.
pub fn short(text: &str) -> String {
    let shown = shown(text);
    match shown.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &shown[..end]),
        None => shown.into_owned(),
    }
}
