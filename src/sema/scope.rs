//! Names and linkage: the meaning of an identifier at the current position. A lookup takes one index: each symbol heads
//! a chain of its visible bindings, innermost first.

use crate::il::{LocalId, ObjectId};
use crate::types::{EnumId, RecordId, TypeId, TypedefId};
use upcc_grammar::ast::Span;
use upcc_grammar::symbol::Symbol;

/// The entity that an ordinary identifier names.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Entity {
    /// Static storage, or a function.
    Object(ObjectId),
    /// Automatic storage.
    Local(LocalId),
    Typedef(TypedefId),
    /// An enumeration constant and its type (`int`, or the enumeration's if `int` cannot hold it).
    Enumerator {
        value: i128,
        ty: TypeId,
    },
    /// `__func__` and its GNU synonyms, inside a function.
    FunctionName,
    /// A name already reported as undeclared: it has type `Unknown` and is not reported again.
    Reported,
}

/// The entity that a tag names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tag {
    Record(RecordId),
    Enum(EnumId),
}

/// A binding of a name or a tag in one scope.
#[derive(Clone, Copy, Debug)]
pub struct Binding<T> {
    pub entity: T,
    /// Depth of the scope; 0 is file scope.
    pub depth: u32,
    /// Tokens of the declarator or tag.
    pub span: Span,
    symbol: Symbol,
    /// The binding it hides.
    outer: u32,
}

const NONE: u32 = u32::MAX;

/// The bindings of one name space, as a stack: leaving a scope pops the bindings it pushed.
struct Space<T> {
    heads: Vec<u32>,
    bindings: Vec<Binding<T>>,
}

impl<T: Copy> Space<T> {
    fn new(symbols: usize) -> Self {
        Space {
            heads: vec![NONE; symbols],
            bindings: Vec::new(),
        }
    }

    fn get(&self, symbol: Symbol) -> Option<&Binding<T>> {
        // A symbol interned after the table was created has no binding.
        let head = *self.heads.get(symbol.0 as usize)?;
        self.bindings.get(head as usize)
    }

    fn bind(&mut self, symbol: Symbol, entity: T, depth: u32, span: Span) {
        let at = symbol.0 as usize;
        if at >= self.heads.len() {
            self.heads.resize(at + 1, NONE);
        }
        let outer = self.heads[at];
        if let Some(old) = self.bindings.get_mut(outer as usize)
            && old.depth == depth
        {
            (old.entity, old.span) = (entity, span);
            return;
        }
        self.heads[at] = self.bindings.len() as u32;
        self.bindings.push(Binding {
            entity,
            depth,
            span,
            symbol,
            outer,
        });
    }

    fn leave(&mut self, depth: u32) {
        while let Some(last) = self.bindings.pop_if(|b| b.depth >= depth) {
            self.heads[last.symbol.0 as usize] = last.outer;
        }
    }
}

/// All open scopes.
pub struct Scopes {
    names: Space<Entity>,
    tags: Space<Tag>,
    depth: u32,
    /// By symbol: the object with linkage of that name, wherever it was declared (C11 6.2.2p2: there is one for the
    /// whole unit).
    linked: Vec<u32>,
}

impl Scopes {
    /// Creates the file scope, for names `0..symbols`.
    pub fn new(symbols: usize) -> Scopes {
        Scopes {
            names: Space::new(symbols),
            tags: Space::new(symbols),
            depth: 0,
            linked: vec![NONE; symbols],
        }
    }

    /// Enters a scope (block, prototype, function).
    pub fn push(&mut self) {
        self.depth += 1;
    }

    /// Leaves the innermost scope.
    pub fn pop(&mut self) {
        self.names.leave(self.depth);
        self.tags.leave(self.depth);
        self.depth -= 1;
    }

    /// Depth of the innermost scope; 0 at file scope.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Returns the visible binding of a name.
    pub fn lookup(&self, symbol: Symbol) -> Option<&Binding<Entity>> {
        self.names.get(symbol)
    }

    /// Returns the binding of a name in the innermost scope itself.
    pub fn lookup_here(&self, symbol: Symbol) -> Option<&Binding<Entity>> {
        self.names.get(symbol).filter(|b| b.depth == self.depth)
    }

    /// Binds a name in the innermost scope, and replaces its binding there.
    pub fn bind(&mut self, symbol: Symbol, entity: Entity, span: Span) {
        self.names.bind(symbol, entity, self.depth, span);
    }

    /// Returns the visible binding of a tag.
    pub fn lookup_tag(&self, symbol: Symbol) -> Option<&Binding<Tag>> {
        self.tags.get(symbol)
    }

    /// Returns the binding of a tag in the innermost scope itself.
    pub fn lookup_tag_here(&self, symbol: Symbol) -> Option<&Binding<Tag>> {
        self.tags.get(symbol).filter(|b| b.depth == self.depth)
    }

    /// Binds a tag in the innermost scope.
    pub fn bind_tag(&mut self, symbol: Symbol, tag: Tag, span: Span) {
        self.tags.bind(symbol, tag, self.depth, span);
    }

    /// Returns the object with linkage of this name.
    pub fn linked(&self, symbol: Symbol) -> Option<ObjectId> {
        self.linked
            .get(symbol.0 as usize)
            .filter(|&&id| id != NONE)
            .map(|&id| ObjectId(id))
    }

    /// Records the object with linkage of this name.
    pub fn link(&mut self, symbol: Symbol, object: ObjectId) {
        let at = symbol.0 as usize;
        if at >= self.linked.len() {
            self.linked.resize(at + 1, NONE);
        }
        self.linked[at] = object.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_bindings_hide_and_leave() {
        let (a, span) = (Symbol(0), Span::default());
        let mut s = Scopes::new(1);
        s.bind(a, Entity::Reported, span);
        s.push();
        assert!(s.lookup_here(a).is_none());
        s.bind(a, Entity::FunctionName, span);
        s.bind(a, Entity::Local(LocalId(3)), span);
        assert_eq!(
            s.lookup(a).map(|b| b.entity),
            Some(Entity::Local(LocalId(3)))
        );
        s.pop();
        assert_eq!(
            s.lookup(a).map(|b| (b.entity, b.depth)),
            Some((Entity::Reported, 0))
        );
        // A symbol beyond the end of the table.
        assert!(s.lookup(Symbol(9)).is_none());
        s.bind(Symbol(9), Entity::Reported, span);
        assert!(s.lookup(Symbol(9)).is_some());
    }
}
