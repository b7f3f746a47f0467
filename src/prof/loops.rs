//! The user's loops as regions. They raise no events: the compiler says where their texts are, and what happens at a
//! place within such a text happens in the loop.

use super::estimate::Estimate;
use super::format::LoopEntry;
use super::kinds;
use super::model::{
    Frame, Group, Kind, KindId, Loop, PathId, Profile, Site, SiteId, Tables, TextId,
};
use hashbrown::HashMap;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Where a loop is, in the order in which outer loops come first: its file, its first place, its last place, its kind.
pub type Text = (TextId, (u32, u32), Reverse<(u32, u32)>, u64);

/// Returns what users call a loop of this kind; `None`: the entry is no loop.
fn name(entry: LoopEntry) -> Option<&'static str> {
    match entry {
        LoopEntry::File => None,
        LoopEntry::For => Some("for loop"),
        LoopEntry::While => Some("while loop"),
        LoopEntry::Do => Some("do loop"),
    }
}

/// Adds loops to the tables, each with a kind of event that is never raised. `site`: returns the id of a place.
pub fn define(
    tables: &mut Tables,
    loops: &BTreeSet<Text>,
    mut site: impl FnMut(&mut Tables, Site) -> SiteId,
) {
    for &(file, (line, column), Reverse(last), code) in loops {
        let Some(name) = LoopEntry::from_code(code).and_then(name) else {
            continue;
        };
        let first = Site {
            file,
            line,
            column,
            type_name: None,
            name: None,
        };
        let kind = kind(&mut tables.kinds, name);
        let first = site(tables, first);
        tables.loops.push(Loop { first, last, kind });
    }
}

/// Returns the kind of that name, which is added if it is new.
fn kind(kinds: &mut Vec<Kind>, name: &str) -> KindId {
    let is_it = |kind: &Kind| kind.group == Group::Loop && kind.name == name;
    let at = kinds.iter().position(is_it).unwrap_or_else(|| {
        kinds.push(Kind {
            group: Group::Loop,
            ..kinds::of_user(name, None)
        });
        kinds.len() - 1
    });
    KindId(at as u32)
}

/// A loop and its first place.
type Placed = ((u32, u32), Loop);

/// Finds the loops around places.
pub struct Enclosing<'t> {
    tables: &'t Tables,
    /// By file: loops with their first places, outer ones before those in them.
    files: HashMap<TextId, Vec<Placed>>,
}

impl<'t> Enclosing<'t> {
    /// Prepares the search in the loops of a recording.
    pub fn new(tables: &'t Tables) -> Enclosing<'t> {
        let mut files: HashMap<TextId, Vec<Placed>> = HashMap::new();
        for of in &tables.loops {
            if let Some(site) = tables.site(of.first) {
                let first = (site.line, site.column);
                files.entry(site.file).or_default().push((first, *of));
            }
        }
        Enclosing { tables, files }
    }

    /// Returns the loops around a place, the outermost first.
    pub fn around(&self, site: SiteId) -> Vec<Loop> {
        let Some(site) = self.tables.site(site) else {
            return Vec::new();
        };
        let at = (site.line, site.column);
        let loops = self.files.get(&site.file).into_iter().flatten();
        let around = loops.filter(|(first, of)| *first <= at && at <= of.last);
        around.map(|(_, of)| *of).collect()
    }
}

impl Estimate {
    /// Adds the user's loops to the call paths: an event in a loop is below the loop, which is below what is around it.
    pub fn with_loops(mut self, tables: &Tables) -> Estimate {
        if !tables.loops.is_empty() {
            insert(&mut self.profile, tables);
        }
        self
    }
}

fn insert(profile: &mut Profile, tables: &Tables) {
    let loops = Enclosing::new(tables);
    let mut around: HashMap<SiteId, Vec<Loop>> = HashMap::new();
    let mut of_site = |site| {
        let of = around.entry(site).or_insert_with(|| loops.around(site));
        of.clone()
    };
    let mut paths: Vec<Frame> = profile.paths.first().copied().into_iter().collect();
    let mut known: HashMap<Frame, PathId> = HashMap::new();
    let mut add = |frame: Frame| {
        *known.entry(frame).or_insert_with(|| {
            paths.push(frame);
            PathId(paths.len() as u32 - 1)
        })
    };
    // The number of each path with its loops. A parent that does not precede its path is an error in the file.
    let mut numbers = vec![PathId::ROOT];
    for (at, frame) in profile.paths.iter().enumerate().skip(1) {
        let outer = (frame.parent.0 as usize) < at;
        let outer = profile
            .frame(frame.parent)
            .filter(|_| outer)
            .map_or_else(Vec::new, |outer| of_site(outer.site));
        let mut parent = numbers
            .get(frame.parent.0 as usize)
            .copied()
            .unwrap_or(PathId::ROOT);
        let inner = of_site(frame.site);
        for of in inner.iter().filter(|of| !outer.contains(of)) {
            parent = add(Frame {
                parent,
                kind: of.kind,
                site: of.first,
            });
        }
        numbers.push(add(Frame { parent, ..*frame }));
    }
    for (key, _) in &mut profile.cells {
        if let Some(&number) = numbers.get(key.path.0 as usize) {
            key.path = number;
        }
    }
    profile.paths = paths;
}

#[cfg(test)]
mod tests {
    use super::super::compute;
    use super::super::estimate::estimate;
    use super::super::memory::Memory;
    use super::super::model::{Arg, Phase, Shared};
    use super::*;

    fn path(profile: &Profile, tables: &Tables, path: PathId) -> Vec<String> {
        let frames = profile.frames(path).into_iter();
        let text = |frame: Frame| {
            let line = tables.site(frame.site).map_or(0, |site| site.line);
            format!("{} {line}", tables.kind(frame.kind).name)
        };
        frames.map(text).collect()
    }

    fn get(m: &mut Memory, times: (u64, u64), site: SiteId) {
        let from = Shared {
            thread: 1,
            addr: 64,
            phase: Some(0),
        };
        let args = [Arg::Int(1), Arg::Unknown, Arg::Shared(from), Arg::Size(8)];
        m.pair(0, times, "UPC_GET", site, &args);
    }

    /// `main` has a `for` loop with a `upc_forall` in it, which has a `while` loop in it; another file has a loop at the
    /// same lines.
    fn recording() -> Memory {
        let mut m = Memory::new(2);
        m.add_loop(LoopEntry::While, "a.upc", (14, 9), (16, 9));
        m.add_loop(LoopEntry::For, "a.upc", (10, 5), (20, 5));
        m.add_loop(LoopEntry::Do, "b.upc", (10, 5), (20, 5));
        let main = m.site("a.upc", 8, 1, "");
        let forall = m.site("a.upc", 12, 5, "");
        let inner = m.site("a.upc", 15, 13, "x");
        let outer = m.site("a.upc", 11, 9, "y");
        let outside = m.site("a.upc", 20, 6, "z");
        let text = m.text("int main()");
        let main_is = [Arg::Text(text)];
        m.event(0, 0, "C_FUNC", Phase::Start, main, &main_is);
        get(&mut m, (100, 150), outer);
        m.event(0, 200, "UPC_FORALL", Phase::Start, forall, &[]);
        get(&mut m, (300, 400), inner);
        m.event(0, 500, "UPC_FORALL", Phase::End, forall, &[]);
        get(&mut m, (600, 630), outside);
        m.event(0, 1000, "C_FUNC", Phase::End, main, &main_is);
        m
    }

    #[test]
    fn loops_are_steps_of_paths() {
        let m = recording();
        let profile = compute::profile(&m);
        let before = estimate(&m, &profile);
        let after = before.clone().with_loops(&m.tables);
        let paths = |of: &Estimate| -> Vec<(String, u64)> {
            let cells = of.profile.cells.iter();
            let cells = cells.map(|(key, cell)| {
                let path = path(&of.profile, &m.tables, key.path);
                (path.join(" > "), cell.own)
            });
            cells.collect()
        };
        let mut found = paths(&after);
        found.sort();
        let main = "C_FUNC 8";
        let of = |path: &str, own| (format!("{main}{path}"), own);
        assert_eq!(
            found,
            [
                of("", 620),
                of(" > UPC_GET 20", 30),
                of(" > for loop 10 > UPC_FORALL 12", 200),
                of(
                    " > for loop 10 > UPC_FORALL 12 > while loop 14 > UPC_GET 15",
                    100
                ),
                of(" > for loop 10 > UPC_GET 11", 50),
            ]
        );
        let sum = |of: &Estimate| paths(of).iter().map(|(_, own)| own).sum::<u64>();
        assert_eq!((sum(&before), &before.errors), (sum(&after), &after.errors));
        assert_eq!(before.outside, after.outside);
    }

    #[test]
    fn a_recording_without_loops_stays_as_it_is() {
        let mut m = recording();
        m.tables.loops.clear();
        let before = estimate(&m, &compute::profile(&m));
        let paths = before.profile.paths.clone();
        assert_eq!(before.with_loops(&m.tables).profile.paths, paths);
    }
}
