//! Which row an event belongs to.

use super::super::model::{Frame, Group, Key, KindId, PathId, Profile, Tables, TextId};
use super::super::select::Selection;
use super::{By, RowKey, is_region, region, region_key, step};
use hashbrown::{HashMap, HashSet};

/// An event on a line.
type At = (TextId, u32, KindId);

/// What names of rows depend on.
pub(super) struct Naming<'p> {
    pub(super) tables: &'p Tables,
    pub(super) profile: &'p Profile,
    pub(super) by: By,
    /// The lines of which several places raise the same event.
    pub(super) crowded: HashSet<At>,
}

/// Returns the lines of which several columns raise the same event.
pub(super) fn crowded(tables: &Tables, profile: &Profile) -> HashSet<At> {
    let mut columns: HashMap<At, u32> = HashMap::new();
    let mut crowded = HashSet::new();
    for frame in profile.paths.iter().skip(1) {
        let Some(site) = tables.site(frame.site) else {
            continue;
        };
        let at = (site.file, site.line, frame.kind);
        if *columns.entry(at).or_insert(site.column) != site.column {
            crowded.insert(at);
        }
    }
    crowded
}

impl Naming<'_> {
    /// Returns the row of an event; `None`: it has none.
    pub(super) fn row(&self, key: &Key, frame: &Frame) -> Option<RowKey> {
        let (tables, profile) = (self.tables, self.profile);
        let event = || tables.kind(frame.kind).name.clone();
        Some(match self.by {
            By::Line => {
                let site = tables.site(frame.site);
                let is_crowded = site
                    .is_some_and(|site| self.crowded.contains(&(site.file, site.line, frame.kind)));
                RowKey::Line {
                    file: site.map_or(String::new(), |site| tables.text(site.file).to_owned()),
                    line: site.map_or(0, |site| site.line),
                    column: site.map(|site| site.column).filter(|_| is_crowded),
                    event: event(),
                }
            }
            By::Event => RowKey::Event(event()),
            By::Thread => RowKey::Thread(key.thread),
            By::Peer => RowKey::Peer(key.thread, Some(key.peer?)),
            By::Callpath => {
                let frames = profile.frames(key.path);
                RowKey::Path(frames.iter().map(|frame| step(tables, frame)).collect())
            }
            By::Array => match tables.kind(frame.kind).moves.traffic {
                Some(_) => RowKey::Array(key.object, event()),
                None => return None,
            },
            By::Region => region_key(tables, region(tables, profile, key.path).as_ref()),
        })
    }

    /// Returns the rows of the events around a path, as far as they are shown.
    pub(super) fn outer(&self, selection: &Selection, key: &Key, path: PathId) -> HashSet<RowKey> {
        // Paths and peers have separate rows.
        let nests = match self.by {
            By::Line | By::Event | By::Thread | By::Region => true,
            By::Peer | By::Callpath | By::Array => false,
        };
        let frames = match nests {
            true => self.profile.frames(path),
            false => Vec::new(),
        };
        // A loop is no event, but a region.
        let is_shown = |frame: &&Frame| {
            let is_loop = self.tables.kind(frame.kind).group == Group::Loop;
            selection.what(frame.kind, frame.site) && (!is_loop || self.by == By::Region)
        };
        let shown = frames.iter().filter(is_shown);
        shown
            .filter_map(|frame| match self.by {
                By::Region if is_region(self.tables, frame) => {
                    Some(region_key(self.tables, Some(frame)))
                }
                By::Region => None,
                By::Line | By::Event | By::Thread | By::Peer | By::Callpath | By::Array => {
                    self.row(key, frame)
                }
            })
            .collect()
    }
}
