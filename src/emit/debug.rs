//! The additions of `-g` for debuggers: names that lead from pointers-to-shared to their targets, and the types of
//! shared objects.
//!
//! To the C compiler, every pointer-to-shared is an `upcr_pts_t` and a shared object is an untyped symbol. In debug
//! builds a pointer-to-shared has a typedef name (`upcc_pts_4_int`). Objects of size zero, which leave nothing but
//! debug information, record the type and the block size of its target; shared objects have the same. `runtime-c/gdb`
//! reads them; the macros are in `upcr/dwarf.h`.

use super::Emitter;
use crate::il::{Item, ItemKind, Linkage, ObjectId};
use crate::types::{ArrayLen, QualType, Type, Types};
use hashbrown::{HashMap, HashSet};
use siphasher::sip::SipHasher24;
use std::fmt::Write;
use std::hash::Hasher as _;

/// The descriptions written so far.
pub(super) struct Debug {
    /// The name for each declaration of a target and block size; names are unique.
    pointers: HashMap<(String, u32), String>,
    taken: HashSet<String>,
    objects: HashSet<ObjectId>,
    /// Declarations to insert before the current item.
    pending: String,
    /// First token of the current item: a type declared from this token on is not visible before the item.
    item_start: u32,
    /// True if tags of the current item have file scope.
    at_file_scope: bool,
    /// A hash of the unit's text, taken to be unique in the program. It distinguishes objects of internal linkage.
    unit: u32,
}

/// The C declaration of a target, and the dimension, from 0, that is a multiple of THREADS.
struct Target {
    declaration: String,
    per_thread: Option<u32>,
}

/// Maximum length of the part of a name that comes from a type.
const LONGEST_NAME: usize = 48;

impl Debug {
    /// `text` is the text of the translation unit.
    pub(super) fn new(text: &str) -> Debug {
        let mut hasher = SipHasher24::new();
        hasher.write(text.as_bytes());
        Debug {
            pointers: HashMap::new(),
            taken: HashSet::new(),
            objects: HashSet::new(),
            pending: String::new(),
            item_start: 0,
            at_file_scope: false,
            // The number is used as an array extent in C, so it must not be 0.
            unit: (hasher.finish() as u32 >> 2) + 1,
        }
    }

    /// Creates a new name for a target, from its block size and the letters of its type's spelling.
    fn name(&mut self, declaration: &str, block: u32) -> String {
        let words = declaration
            .replace("upcc_target", "")
            .replace('*', " p ")
            .replace(['(', ')'], " ");
        let words: Vec<&str> = words
            .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .filter(|word| !word.is_empty())
            .collect();
        let mut stem = words.join("_");
        stem.truncate(LONGEST_NAME);
        let mut name = format!("{block}_{stem}");
        let mut number = 1;
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{block}_{stem}_{number}");
        }
        name
    }
}

impl Emitter<'_> {
    /// Must be called before an item is written.
    pub(super) fn debug_begin(&mut self, item: &Item) {
        if let Some(debug) = &mut self.debug {
            debug.item_start = item.span.lo;
            debug.at_file_scope = match item.kind {
                ItemKind::Decl(_) => item.span.lo < item.span.hi,
                ItemKind::Function(_) | ItemKind::Text | ItemKind::Generated(_) => false,
            };
        }
    }

    /// Must be called after an item has been written from byte `start` of the text on. Inserts the declarations that
    /// the item needs before it, on its first line.
    pub(super) fn debug_end(&mut self, start: usize) {
        let Some(debug) = &mut self.debug else { return };
        if debug.pending.is_empty() {
            return;
        }
        let pending = std::mem::take(&mut debug.pending);
        let text = &mut self.out.text;
        let mut at = start.min(text.len());
        while text[at..].starts_with(['\n', '#']) {
            at = text[at..].find('\n').map_or(text.len(), |end| at + end + 1);
        }
        text.insert_str(at, &pending);
    }

    /// Returns the name of the type of pointers to `to`, a shared type.
    pub(super) fn pointer_name(&mut self, to: QualType) -> String {
        const UNTYPED: &str = "upcr_pts_t";
        if self.debug.is_none() {
            return UNTYPED.to_owned();
        }
        let Some((_, block)) = self.module.types.shared_elem(to) else {
            return UNTYPED.to_owned();
        };
        let Some(target) = self.target(to, false) else {
            return UNTYPED.to_owned();
        };
        let Some(debug) = &mut self.debug else {
            return UNTYPED.to_owned();
        };
        let key = (target.declaration, block);
        if let Some(name) = debug.pointers.get(&key) {
            return format!("upcc_pts_{name}");
        }
        let name = debug.name(&key.0, block);
        // Writing to a String cannot fail.
        let _ = write!(
            debug.pending,
            "UPCR_DEBUG_POINTER({name}, {block}, {}, {}); ",
            dimension(target.per_thread),
            key.0
        );
        let full = format!("upcc_pts_{name}");
        debug.pointers.insert(key, name);
        full
    }

    /// Returns the declaration of a shared object's symbol.
    pub(super) fn shared_symbol(&mut self, id: ObjectId) -> String {
        let name = self.object_name(id);
        let untyped = format!("UPCR_SHARED_EXTERN({name});");
        let object = &self.module.objects[id];
        let types = &self.module.types;
        let Some((_, block)) = types.shared_elem(object.ty) else {
            return untyped;
        };
        let (ty, extents) = (object.ty, extents(types, object.ty));
        let described = match &self.debug {
            None => return untyped,
            Some(debug) => debug.objects.contains(&id),
        };
        let Some(extents) = extents else {
            return untyped;
        };
        if described {
            return format!("UPCR_DEBUG_EXTERN({name}, {extents});");
        }
        let Some(target) = self.target(ty, true) else {
            return untyped;
        };
        if let Some(debug) = &mut self.debug {
            debug.objects.insert(id);
        }
        let dimension = dimension(target.per_thread);
        let unit = self.debug_unit(id);
        format!(
            "UPCR_DEBUG_OBJECT({name}, {extents}, {block}, {dimension}, {unit}, {});",
            target.declaration
        )
    }

    /// Returns the text that follows the definition of a shared object; empty without `-g`.
    pub(super) fn debug_place(&self, id: ObjectId) -> String {
        if self.debug.is_none() {
            return String::new();
        }
        let (name, unit) = (self.object_name(id), self.debug_unit(id));
        format!(" UPCR_DEBUG_PLACE({name}, {unit});")
    }

    /// 0 for an object of external linkage, else the number of this unit.
    fn debug_unit(&self, id: ObjectId) -> u32 {
        match (&self.debug, self.module.objects[id].linkage) {
            (None, _) | (_, Linkage::External) => 0,
            (Some(debug), Linkage::Internal | Linkage::None) => debug.unit,
        }
    }

    /// Declares `upcc_target` as a pointer to a shared type. Returns `None` if the type cannot be written at file scope
    /// before the current item (`here`: after the tags that the item defines).
    fn target(&mut self, to: QualType, here: bool) -> Option<Target> {
        let types = &self.module.types;
        let mut dimensions = String::new();
        let mut per_thread = None;
        let mut elem = types.resolve(to);
        let mut number = 0;
        while let Some((inner, len)) = types.array(elem) {
            // Writing to a String cannot fail.
            let _ = match len {
                ArrayLen::Fixed(n) => write!(dimensions, "[{n}]"),
                ArrayLen::PerThread(n) => {
                    per_thread = Some(number);
                    write!(dimensions, "[{n}]")
                }
                ArrayLen::Incomplete => write!(dimensions, "[]"),
                ArrayLen::Variable(_) => return None,
            };
            number += 1;
            elem = types.resolve(inner);
        }
        let declarator = if dimensions.is_empty() {
            "*upcc_target".to_owned()
        } else {
            format!("(*upcc_target){dimensions}")
        };
        let elem = QualType {
            quals: elem.quals.without(crate::types::Quals::SHARED),
            block: 0,
            ..elem
        };
        let forward = self.sayable(elem, here)?;
        // Typedef names declared inside functions are not visible at file scope.
        let canonical = std::mem::replace(&mut self.canonical, true);
        let declaration = self.declare(elem, &declarator);
        self.canonical = canonical;
        if let (Some(debug), Some(forward)) = (&mut self.debug, forward) {
            let line = format!("{forward}; ");
            if !debug.pending.contains(&line) {
                debug.pending.push_str(&line);
            }
        }
        Some(Target {
            declaration,
            per_thread,
        })
    }

    /// Whether a type can be written before the current item: `None` if not, else the tag to declare first, if one is
    /// needed.
    fn sayable(&self, qt: QualType, here: bool) -> Option<Option<String>> {
        let debug = self.debug.as_ref()?;
        let types = &self.module.types;
        let qt = types.canon_qt(qt);
        match types.get(qt.ty) {
            Type::Pointer(to) if types.is_shared(*to) => Some(None),
            Type::Pointer(to) => self.sayable(*to, here),
            Type::Array(elem, ArrayLen::Fixed(_) | ArrayLen::Incomplete) => {
                self.sayable(*elem, here)
            }
            Type::Array(_, ArrayLen::PerThread(_) | ArrayLen::Variable(_)) => None,
            Type::Function(f) => {
                let mut tag = self.sayable(f.ret, here)?;
                for &param in &f.params {
                    tag = tag.or(self.sayable(param, here)?);
                }
                Some(tag)
            }
            Type::Record(id) => {
                let record = types.record(*id);
                if record.span.lo < debug.item_start || here && debug.at_file_scope {
                    return Some(None);
                }
                let keyword = super::types::keyword(record.is_union);
                let tag = record.tag.filter(|_| debug.at_file_scope)?;
                Some(Some(format!("{keyword} {}", self.names.name(tag))))
            }
            Type::Enum(id) => {
                let before = types.enumeration(*id).span.lo < debug.item_start;
                (before || here && debug.at_file_scope).then_some(None)
            }
            Type::Void
            | Type::Int(_)
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::Vector(..)
            | Type::VaList => Some(None),
            // Canonical types contain no typedefs.
            Type::Typedef(_) | Type::Unknown => None,
        }
    }
}

/// The extents of the C array that represents a shared object, one byte per element. `None`: C has no such type.
fn extents(types: &Types, qt: QualType) -> Option<String> {
    let mut text = String::new();
    let mut elem = types.resolve(qt);
    while let Some((inner, len)) = types.array(elem) {
        match len {
            ArrayLen::Fixed(n) => {
                // Writing to a String cannot fail.
                let _ = write!(text, "[{n}]");
            }
            ArrayLen::PerThread(_) | ArrayLen::Incomplete if text.is_empty() => text.push_str("[]"),
            ArrayLen::PerThread(_) | ArrayLen::Incomplete | ArrayLen::Variable(_) => return None,
        }
        elem = types.resolve(inner);
    }
    Some(text)
}

/// Encodes a dimension for the macros: 0 for none.
fn dimension(per_thread: Option<u32>) -> u32 {
    per_thread.map_or(0, |number| number + 1)
}
