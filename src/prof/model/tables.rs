//! The tables of a recording: what ids refer to.

use super::{Kind, KindId, ObjectId, Shared, Site, SiteId, TextId};
use std::collections::BTreeMap;

/// A static shared object, as reported by `GASP_BUPC_STATIC_SHARED`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Object {
    /// Its name in the program.
    pub name: TextId,
    /// Its type as declared.
    pub type_name: TextId,
    /// The address of its first byte, the same on every thread.
    pub addr: u64,
    /// Its size on each thread in bytes.
    pub bytes_per_thread: u64,
    /// The size of an element in bytes.
    pub elem_bytes: u64,
    /// The number of its blocks on all threads.
    pub blocks: u64,
    /// The size of a block in bytes.
    pub block_bytes: u64,
}

impl Object {
    /// True if its part on each thread is one block, or less.
    pub fn has_one_block(&self) -> bool {
        self.bytes_per_thread <= self.block_bytes
    }
}

/// A loop of the user.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Where it begins.
    pub first: SiteId,
    /// Line and column of its last token.
    pub last: (u32, u32),
    /// `for loop`, `while loop` or `do loop`: a kind of which there are no events, so that a path can have it as a step.
    pub kind: KindId,
}

/// The tables that ids refer to.
#[derive(Clone, Default, Debug)]
pub struct Tables {
    /// Texts without duplicates.
    pub texts: Vec<String>,
    /// Places; the first stands for "no place".
    pub sites: Vec<Site>,
    /// Kinds of events: those of the table, then the user's.
    pub kinds: Vec<Kind>,
    /// Static shared objects ordered by address.
    pub objects: Vec<Object>,
    /// The user's loops; those around others come before them.
    pub loops: Vec<Loop>,
    /// What the compiler does with the reference at a place, a file, line and column, in code that raises no events.
    pub remarks: BTreeMap<(TextId, u32, u32), TextId>,
}

impl Tables {
    /// Returns the text of an id; empty for an undefined id, which a damaged file may contain.
    pub fn text(&self, id: TextId) -> &str {
        self.texts.get(id.0 as usize).map_or("", String::as_str)
    }

    /// Returns the place; `None` if there is none.
    pub fn site(&self, id: SiteId) -> Option<&Site> {
        (id != SiteId::NONE)
            .then(|| self.sites.get(id.0 as usize))
            .flatten()
    }

    /// Returns the kind of an id from this recording.
    pub fn kind(&self, id: KindId) -> &Kind {
        &self.kinds[id.0 as usize]
    }

    /// Returns the kind of that name.
    pub fn kind_named(&self, name: &str) -> Option<KindId> {
        let at = self.kinds.iter().position(|kind| kind.name == name)?;
        Some(KindId(at as u32))
    }

    /// Returns what the compiler does with a reference in code that raises no events, if it says so.
    pub fn remark(&self, id: SiteId) -> Option<&str> {
        let site = self.site(id)?;
        let remark = self.remarks.get(&(site.file, site.line, site.column))?;
        Some(self.text(*remark))
    }

    /// Returns the column of an access whose line has other accesses, too.
    pub fn column(&self, id: SiteId) -> Option<u32> {
        let site = self.site(id).filter(|site| site.name.is_some())?;
        let is_beside = |other: &Site| {
            (other.file, other.line) == (site.file, site.line)
                && other.column != site.column
                && other.name.is_some()
        };
        self.sites
            .iter()
            .any(is_beside)
            .then_some(site.column)
            .filter(|&column| column > 0)
    }

    /// Returns the static shared object that contains this byte.
    pub fn object_at(&self, place: Shared) -> Option<ObjectId> {
        let behind = self.objects.partition_point(|o| o.addr <= place.addr);
        let at = behind.checked_sub(1)?;
        let object = &self.objects[at];
        (place.addr - object.addr < object.bytes_per_thread).then_some(ObjectId(at as u32))
    }
}
