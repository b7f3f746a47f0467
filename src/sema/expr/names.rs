//! Names, constants, string literals, THREADS.

use super::*;
use crate::headers;
use crate::sema::literal::{self, LitError, Number};
use crate::types::{ArrayLen, IntKind};

impl SymbolTable<'_> {
    pub(super) fn name_expr(&mut self, symbol: Symbol, span: Span) -> il::ExprId {
        self.note_name(symbol, span.lo, Role::Uses);
        match self.lookup(symbol) {
            Some(Entity::Object(id)) => self.object_expr(id, span),
            Some(Entity::Local(id)) => {
                let ty = self.body.locals[id].ty;
                self.make(ExprKind::Local(id), ty, span, &[])
            }
            Some(Entity::Enumerator { value, ty }) => {
                self.int_node(value as i64, QualType::plain(ty), span, true)
            }
            Some(Entity::FunctionName) => {
                let len = self
                    .function
                    .as_ref()
                    .map_or(0, |f| self.name(f.name).len()) as u64
                    + 1;
                let elem = QualType {
                    ty: Types::CHAR,
                    quals: Quals::CONST,
                    block: 0,
                };
                let ty = QualType::plain(self.types.array_of(elem, ArrayLen::Fixed(len)));
                self.make(ExprKind::Str, ty, span, &[])
            }
            Some(Entity::Reported) => self.poison(span),
            Some(Entity::Typedef(_)) => {
                let message = format!(
                    "`{}` is a type, but an expression is expected here",
                    self.name(symbol)
                );
                self.error(
                    code::BAD_OPERANDS,
                    span,
                    message,
                    "use an object of this type",
                );
                self.poison(span)
            }
            None if crate::sema::builtins::find(self.name(symbol)).is_some() => self.poison(span),
            None => {
                self.undeclared(symbol, span);
                self.poison(span)
            }
        }
    }

    /// Adds an expression that names an object or function.
    pub(super) fn object_expr(&mut self, id: il::ObjectId, span: Span) -> il::ExprId {
        let object = &self.objects[id];
        let ty = object.ty;
        let renamed = object.emit_name.is_some() || self.movable.contains(&id);
        if renamed {
            return self.push_expr(ExprKind::Object(id), ty, span, ExprFlags::default());
        }
        self.make(ExprKind::Object(id), ty, span, &[])
    }

    /// Reports an undeclared name, once for each function, with the nearest visible name.
    pub(super) fn undeclared(&mut self, symbol: Symbol, span: Span) {
        let header = headers::declaring(self.name(symbol));
        if !self.already_reported.names.insert(symbol)
            || header.is_some_and(|header| !self.already_reported.headers.insert(header))
        {
            self.excuse(span);
            return;
        }
        if self.excuse(span) {
            let message = format!("unknown type name `{}`", self.name(symbol));
            let help = self.unknown_type_help(self.name(symbol), self.parsed.stream.bytes(span));
            self.scopes.bind(symbol, Entity::Reported, span);
            return self.error(code::UNKNOWN_TYPE, span, message, help);
        }
        let name = self.name(symbol);
        let message = format!("`{name}` is not declared");
        let help = self.undeclared_help(name, self.parsed.stream.bytes(span));
        self.scopes.bind(symbol, Entity::Reported, span);
        self.error(code::UNDECLARED, span, message, help);
    }

    /// True for `unknown *name` at the start of a statement, which parses as a product but was meant to declare `name`.
    /// `name` is then not reported either.
    fn excuse(&mut self, span: Span) -> bool {
        use upcc_grammar::token::TokenKind::{
            Assign, Comma, Ident, LBrace, LBracket, RBrace, Semi, Star,
        };
        let kind = |i: u32| self.parsed.stream.tokens.get(i as usize).map(|t| t.kind);
        let before = span.lo.checked_sub(1).and_then(kind);
        let mut name = span.hi;
        while kind(name) == Some(Star) {
            name += 1;
        }
        let declares = matches!(before, Some(Semi | LBrace | RBrace))
            && name > span.hi
            && kind(name) == Some(Ident)
            && matches!(kind(name + 1), Some(Assign | Comma | LBracket | Semi));
        if declares {
            let declared = self.parsed.stream.tokens[name as usize].symbol;
            if self.lookup(declared).is_none() {
                self.scopes.bind(declared, Entity::Reported, span);
            }
        }
        declares
    }
}

impl Nodes<'_> {
    fn bad_constant(&mut self, span: Span, what: LitError) -> il::ExprId {
        self.error(
            code::BAD_LITERAL,
            span,
            what.text().to_string(),
            "correct its spelling",
        );
        self.poison(span)
    }

    pub(super) fn number_expr(&mut self, span: Span) -> il::ExprId {
        match literal::number(self.parsed.stream.token_text(span.lo)) {
            Ok(Number::Int {
                value,
                kind,
                imaginary: false,
                ..
            }) => {
                let ty = QualType::plain(Types::int_kind(kind));
                // An `__int128` constant may have more bits than an `Int` holds.
                if value <= i64::MAX as u128
                    || (value <= u64::MAX as u128 && kind == IntKind::ULong)
                {
                    return self.int_node(value as u64 as i64, ty, span, true);
                }
                self.make(ExprKind::Number, ty, span, &[])
            }
            Ok(Number::Int { kind, .. }) => {
                let ty = QualType::plain(self.types.intern(Type::ComplexInt(kind)));
                self.make(ExprKind::Number, ty, span, &[])
            }
            Ok(Number::Float {
                kind, imaginary, ..
            }) => {
                let ty = if imaginary {
                    self.types.intern(Type::Complex(kind))
                } else {
                    Types::float_kind(kind)
                };
                self.make(ExprKind::Number, QualType::plain(ty), span, &[])
            }
            Err(what) => self.bad_constant(span, what),
        }
    }

    pub(super) fn char_expr(&mut self, span: Span) -> il::ExprId {
        match literal::character(self.parsed.stream.token_text(span.lo), self.types.abi) {
            Ok((value, kind)) => {
                self.int_node(value, QualType::plain(Types::int_kind(kind)), span, true)
            }
            Err(what) => self.bad_constant(span, what),
        }
    }

    pub(super) fn string_expr(&mut self, span: Span) -> il::ExprId {
        match self.string_of(span) {
            Ok(literal) => {
                let elem = QualType::plain(Types::int_kind(literal.elem));
                let ty = QualType::plain(self.types.array_of(elem, ArrayLen::Fixed(literal.len)));
                self.make(ExprKind::Str, ty, span, &[])
            }
            Err(what) => self.bad_constant(span, what),
        }
    }

    /// Adds a constant in the static environment (where the preprocessor replaces the name), else a read of the
    /// runtime's value.
    pub(super) fn threads_expr(&mut self, span: Span) -> il::ExprId {
        let int = QualType::plain(Types::INT);
        match self.opts.static_threads {
            Some(n) => self.int_node(n.into(), int, span, false),
            None => self.push_expr(ExprKind::Threads, int, span, ExprFlags::default()),
        }
    }
}
