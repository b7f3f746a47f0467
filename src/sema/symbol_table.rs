//! What is declared: scopes, objects, tags, and the function that is being defined.

use super::decl::Definition;
use super::formats::Format;
use super::{Entity, Nodes, Scopes, il};
use crate::ids::TiVec;
use crate::types::{QualType, RecordId};
use hashbrown::{HashMap, HashSet};
use std::ops::{Deref, DerefMut};
use upcc_grammar::symbol::Symbol;

/// The function whose body is being analysed.
pub struct FunctionCx {
    pub object: il::ObjectId,
    pub name: Symbol,
    pub ret: QualType,
    pub variadic: bool,
}

/// Names and objects. Its functions look names up, add objects and compare declarations; they walk no AST.
pub struct SymbolTable<'a> {
    pub(super) nodes: Nodes<'a>,
    pub scopes: Scopes,
    pub objects: TiVec<il::ObjectId, il::Object>,
    pub function: Option<FunctionCx>,
    /// Number of objects hoisted and untagged records named so far, which numbers their names.
    pub(super) names_made: u32,
    /// Records, enumerations and tags that the current declaration has defined.
    pub(super) tags: Vec<il::TagDef>,
    /// Records whose members are being read, inner ones last.
    pub(super) defining: Vec<RecordId>,
    /// The extent to which each object is defined, parallel to `objects`.
    pub(super) definitions: TiVec<il::ObjectId, Definition>,
    pub(super) thread_locals: HashSet<il::ObjectId>,
    /// Static objects of blocks that `lower` may rename.
    pub(super) movable: HashSet<il::ObjectId>,
    /// The functions with attribute `format`.
    pub(super) formats: HashMap<Symbol, Format>,
    /// Becomes [`il::Module::library`].
    pub(super) library: Vec<il::ObjectId>,
    pub(super) already_reported: AlreadyReported,
}

/// Errors that have been reported once and are not reported again.
#[derive(Default)]
pub(super) struct AlreadyReported {
    /// Incomplete types.
    pub(super) records: HashSet<RecordId>,
    /// Tags whose definition a syntax error may have cost.
    pub(super) tags: HashSet<Symbol>,
    /// Undeclared names of the current function.
    pub(super) names: HashSet<Symbol>,
    /// Missing headers: each is reported once, whatever number of names it declares.
    pub(super) headers: HashSet<String>,
}

impl<'a> Deref for SymbolTable<'a> {
    type Target = Nodes<'a>;

    fn deref(&self) -> &Nodes<'a> {
        &self.nodes
    }
}

impl DerefMut for SymbolTable<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.nodes
    }
}

impl<'a> SymbolTable<'a> {
    pub(super) fn new(nodes: Nodes<'a>) -> SymbolTable<'a> {
        let scopes = Scopes::new(nodes.parsed.interner.len());
        SymbolTable {
            nodes,
            scopes,
            objects: TiVec::new(),
            function: None,
            names_made: 0,
            tags: Vec::new(),
            defining: Vec::new(),
            definitions: TiVec::new(),
            thread_locals: HashSet::new(),
            movable: HashSet::new(),
            formats: HashMap::new(),
            library: Vec::new(),
            already_reported: AlreadyReported::default(),
        }
    }
}

impl SymbolTable<'_> {
    /// Returns the current meaning of a name.
    pub fn lookup(&self, symbol: Symbol) -> Option<Entity> {
        self.scopes.lookup(symbol).map(|b| b.entity)
    }
}
