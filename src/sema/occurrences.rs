//! Occurrences of names: which token declares, defines or uses which entity. Sema records them at the places where it
//! resolves a name, if [`super::analyse_named`] asks for them. Tools read them: nothing else in the compiler does.
//!
//! An expression may be analysed more than once (`typeof`, sizes). [`Occurrences::finish`] leaves one occurrence for
//! each token.

use super::{Binding, Context, Entity, SymbolTable, Tag};
use crate::il::ObjectId;
use crate::types::{EnumId, QualType, RecordId, TypedefId, Types};
use upcc_grammar::ast::Span;
use upcc_grammar::symbol::Symbol;

/// The entity that a name designates. Entities without an id that lasts as long as the unit are identified by the token
/// that declares them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Named {
    /// Static storage, or a function.
    Object(ObjectId),
    /// Automatic storage, parameters included.
    Local(u32),
    Typedef(TypedefId),
    Enumerator(u32),
    Record(RecordId),
    Enum(EnumId),
    /// A member of a structure or union, by its number.
    Member(RecordId, u32),
    /// By the first token that names it in its function.
    Label(u32),
}

/// What an occurrence of a name does. Later ones prevail where one token has several.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Role {
    Uses,
    Declares,
    Defines,
}

/// A token that names an entity.
#[derive(Clone, Copy, Debug)]
pub struct Occurrence {
    pub token: u32,
    pub named: Named,
    pub role: Role,
    /// The type at this place: a member of a shared structure is shared.
    pub ty: QualType,
}

/// The occurrences of a unit.
#[derive(Debug, Default)]
pub struct Occurrences {
    list: Vec<Occurrence>,
    /// False: nothing is recorded.
    wanted: bool,
}

impl Occurrences {
    /// Returns a list that records.
    pub(super) fn wanted() -> Occurrences {
        Occurrences {
            list: Vec::new(),
            wanted: true,
        }
    }

    /// Records that a token names an entity.
    pub(super) fn add(&mut self, token: u32, named: Named, role: Role, ty: QualType) {
        if self.wanted {
            self.list.push(Occurrence {
                token,
                named,
                role,
                ty,
            });
        }
    }

    /// Sets the type of the declaration at a token, which its initialiser has completed.
    pub(super) fn complete(&mut self, token: u32, ty: QualType) {
        let mut last = self.list.iter_mut().rev();
        if let Some(found) = last.find(|o| o.token == token && o.role != Role::Uses) {
            found.ty = ty;
        }
    }

    /// Sorts by token, and keeps one occurrence for each: the last of those with the strongest role.
    pub(super) fn finish(mut self) -> Vec<Occurrence> {
        self.list.sort_by_key(|o| (o.token, o.role));
        let mut kept: Vec<Occurrence> = Vec::with_capacity(self.list.len());
        for occurrence in self.list {
            match kept.last_mut() {
                Some(last) if last.token == occurrence.token => *last = occurrence,
                _ => kept.push(occurrence),
            }
        }
        kept
    }
}

/// The entity that a binding designates; `None` if no declaration of the user's stands behind it.
fn designated(binding: &Binding<Entity>) -> Option<Named> {
    match binding.entity {
        Entity::Object(id) => Some(Named::Object(id)),
        Entity::Local(_) => Some(Named::Local(binding.span.lo)),
        Entity::Typedef(id) => Some(Named::Typedef(id)),
        Entity::Enumerator { .. } => Some(Named::Enumerator(binding.span.lo)),
        Entity::FunctionName | Entity::Reported => None,
    }
}

impl SymbolTable<'_> {
    /// Binds a name in the innermost scope, and records this as a declaration.
    pub(super) fn bind(&mut self, name: Symbol, entity: Entity, span: Span) {
        self.scopes.bind(name, entity, span);
        self.note_name(name, span.lo, Role::Declares);
    }

    /// Records the current meaning of a name at a token.
    pub(super) fn note_name(&mut self, name: Symbol, token: u32, role: Role) {
        if !self.occurrences.wanted {
            return;
        }
        let Some(binding) = self.scopes.lookup(name).copied() else {
            return;
        };
        let Some(named) = designated(&binding) else {
            return;
        };
        let ty = match binding.entity {
            Entity::Object(id) => self.objects[id].ty,
            Entity::Local(id) => self.body.locals[id].ty,
            Entity::Typedef(id) => self.types.typedef(id).target,
            Entity::Enumerator { ty, .. } => QualType::plain(ty),
            Entity::FunctionName | Entity::Reported => return,
        };
        self.occurrences.add(token, named, role, ty);
    }

    /// Records a tag at its token.
    pub(super) fn note_tag(&mut self, tag: Tag, token: u32, defines: bool) {
        let named = match tag {
            Tag::Record(id) => Named::Record(id),
            Tag::Enum(id) => Named::Enum(id),
        };
        let role = if defines { Role::Defines } else { Role::Uses };
        let ty = QualType::plain(Types::UNKNOWN);
        self.occurrences.add(token, named, role, ty);
    }
}

impl Context<'_> {
    /// Records a member that `path` leads to from `record`, at its token. `ty`: its type at this place, if that may
    /// differ from the declared one.
    pub(super) fn note_member(
        &mut self,
        record: RecordId,
        path: &[u32],
        token: u32,
        ty: Option<QualType>,
    ) {
        let mut found = None;
        let mut inner = Some(record);
        for &step in path {
            let Some(id) = inner else { return };
            let body = self.types.record(id).body.as_ref();
            let Some(field) = body.and_then(|body| body.fields.get(step as usize)) else {
                return;
            };
            found = Some((Named::Member(id, step), field.ty));
            inner = self.types.record_id(field.ty);
        }
        if let Some((named, declared)) = found {
            let ty = ty.unwrap_or(declared);
            self.occurrences.add(token, named, Role::Uses, ty);
        }
    }
}
