//! Initialisers (C11 6.7.9): resolves brace elision and designators into paths, and converts every leaf.
//!
//! A braced list is read with a stack of [`Frame`]s, one for each aggregate between the list's own object and the place
//! of the next item. Each item moves the stack by amortised constant work, so a list of any shape is read in linear
//! time.

use super::*;
use crate::diag::codes;
use crate::il::{InitId, InitKind, PathElem};
use crate::types::{ArrayLen, IntKind, Type};
use frames::{Frame, Shape, add_item};
use upcc_grammar::ast::{Designator, InitItem};

mod frames;

/// Why the elements of a flexible array member cannot be initialised: the object has no storage for them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NoElements {
    Automatic,
    CompoundLiteral,
    /// The structure is itself a member or an element.
    Nested,
}

/// What an initialiser is for.
#[derive(Clone, Copy)]
pub(super) struct Initialised {
    /// It has static storage.
    pub fixed: bool,
    /// `None`: its initialiser gives it storage for the elements of a flexible array member.
    pub no_elements: Option<NoElements>,
}

impl Initialised {
    pub const STATIC: Initialised = Initialised {
        fixed: true,
        no_elements: None,
    };
    pub const AUTOMATIC: Initialised = Initialised {
        fixed: false,
        no_elements: Some(NoElements::Automatic),
    };
}

impl<'a> Sema<'a> {
    /// Analyses an initialiser for an object of type `ty`. Also returns that type, completed if the initialiser
    /// determines the number of elements.
    pub(super) fn initializer(
        &mut self,
        id: ast::InitId,
        ty: QualType,
        what: Initialised,
    ) -> (InitId, QualType) {
        let target = self.types.resolve(ty);
        let outer = std::mem::replace(&mut self.initialised, what);
        let (init, len) = self.init_value(id, target);
        self.initialised = outer;
        let complete = match (self.types.array(ty), len) {
            (Some((elem, ArrayLen::Incomplete)), Some(len)) => {
                QualType::plain(self.types.array_of(elem, ArrayLen::Fixed(len)))
            }
            _ => ty,
        };
        self.body.inits[init].ty = complete;
        (init, complete)
    }

    /// Analyses an initialiser for a (sub)object. Also returns the number of elements it gives an array.
    fn init_value(&mut self, id: ast::InitId, ty: QualType) -> (InitId, Option<u64>) {
        let ast = self.ast;
        let init = &ast[id];
        match &init.kind {
            &ast::InitKind::Expr(e) => self.init_expr(e, ty, init.span),
            ast::InitKind::List(items) => deep(|| self.init_list(items, ty, init.span)),
        }
    }

    fn init_expr(&mut self, e: ast::ExprId, ty: QualType, span: Span) -> (InitId, Option<u64>) {
        if let Some(len) = self.string_for(e, ty) {
            return (self.string_init(e, ty, span), Some(len));
        }
        let value = self.expr(e);
        if self.types.is_array(ty) {
            return self.array_from_value(value, ty, span);
        }
        (self.converted(value, ty, span), None)
    }

    /// Builds a leaf: the value converted to the type it initialises.
    fn converted(&mut self, value: il::ExprId, ty: QualType, span: Span) -> InitId {
        let value = self.assign_convert(value, ty, AssignContext::Init);
        let verbatim =
            self.body.exprs[value].flags.has(il::ExprFlags::VERBATIM) && !self.types.has_shared(ty);
        // A value that is not verbatim is stored when the program starts.
        if self.initialised.fixed && verbatim {
            self.check_static(value);
        }
        self.body
            .push_init(InitKind::Expr(value), ty, span, verbatim)
    }

    fn string_init(&mut self, e: ast::ExprId, ty: QualType, span: Span) -> InitId {
        let value = self.expr(e);
        let verbatim = !self.types.has_shared(ty);
        self.body
            .push_init(InitKind::Expr(value), ty, span, verbatim)
    }

    // ---- braced lists

    fn init_list(
        &mut self,
        items: &'a [InitItem],
        ty: QualType,
        span: Span,
    ) -> (InitId, Option<u64>) {
        if let [item] = items
            && item.designators.is_empty()
            && let ast::InitKind::Expr(e) = self.ast[item.value].kind
            && let Some(len) = self.string_for(e, ty)
        {
            return (self.string_init(e, ty, span), Some(len));
        }
        match self.shape(ty) {
            Some(shape) => {
                let ((list, len), touched) = self.watching(|s| s.aggregate(items, shape));
                let verbatim = !touched && !self.types.has_shared(ty);
                let init = self
                    .body
                    .push_init(InitKind::List(list), ty, span, verbatim);
                (init, Some(len))
            }
            None => (self.braced_scalar(items, ty, span), None),
        }
    }

    /// Analyses a scalar in braces (C11 6.7.9p11). `{}` is zero (C23), which older C compilers do not accept: it is
    /// not copied.
    fn braced_scalar(&mut self, items: &'a [InitItem], ty: QualType, span: Span) -> InitId {
        let Some((first, rest)) = items.split_first() else {
            self.touched = true;
            return self
                .body
                .push_init(InitKind::List(Vec::new()), ty, span, false);
        };
        let unknown = self.types.is_unknown(ty);
        if let Some(&designator) = first.designators.first()
            && !unknown
        {
            let message = format!("designator in the initialiser of `{}`", self.show(ty));
            let at = self.designator_span(designator);
            self.error(codes::BAD_DESIGNATOR, at, message, "remove the designator");
        }
        let (init, _) = self.init_value(first.value, ty);
        for item in rest {
            if !unknown {
                let span = self.ast[item.value].span;
                self.excess(span);
            }
            self.discard(item.value);
        }
        init
    }

    /// Reads the items of a list. Returns the leaves with their paths, and the number of elements given to an array.
    fn aggregate(
        &mut self,
        items: &'a [InitItem],
        shape: Shape,
    ) -> (Vec<(Vec<PathElem>, InitId)>, u64) {
        let mut stack = vec![Frame::of_list(shape, QualType::plain(Types::UNKNOWN))];
        let mut designated = false;
        let mut len = 0;
        let mut excess_reported = false;
        for item in items {
            let place = if item.designators.is_empty() {
                self.advance(&mut stack)
            } else {
                self.close_to(1, &mut stack);
                designated = true;
                match self.designate(&item.designators, &mut stack) {
                    Some(place) => Some(place),
                    None => {
                        self.discard(item.value);
                        self.close_to(1, &mut stack);
                        continue;
                    }
                }
            };
            let Some(place) = place else {
                if !std::mem::replace(&mut excess_reported, true) {
                    let span = self.ast[item.value].span;
                    self.excess(span);
                }
                self.discard(item.value);
                continue;
            };
            // What a designator has initialised before must not be overridden by a list.
            if let Some(init) = self.fill(item.value, place, !designated, &mut stack) {
                add_item(&mut stack, init, self.ast[item.value].span);
            }
            if let Some(root) = stack.first() {
                len = len.max(root.next);
            }
        }
        self.close_to(1, &mut stack);
        let list = stack.pop().and_then(|root| root.list);
        (list.map_or(Vec::new(), |list| list.items), len)
    }

    /// Fills the current place of the stack, and descends into aggregates that the item does not fill as a whole.
    /// `fresh`: these may have lists of their own.
    fn fill(
        &mut self,
        value: ast::InitId,
        place: QualType,
        fresh: bool,
        stack: &mut Vec<Frame>,
    ) -> Option<InitId> {
        let ast = self.ast;
        let init = &ast[value];
        let empty = matches!(&init.kind, ast::InitKind::List(items) if items.is_empty());
        if !empty {
            self.enter_member(place, stack.len(), init.span);
        }
        let e = match init.kind {
            ast::InitKind::List(_) => {
                let target = self.types.resolve(place);
                let outer = self.initialised.no_elements;
                self.initialised.no_elements = outer.or(Some(NoElements::Nested));
                let init = self.init_value(value, target).0;
                self.initialised.no_elements = outer;
                return Some(init);
            }
            ast::InitKind::Expr(e) => e,
        };
        let mut place = self.types.resolve(place);
        let mut evaluated = None;
        loop {
            if self.string_for(e, place).is_some() {
                return Some(self.string_init(e, place, init.span));
            }
            let Some(shape) = self.shape(place) else {
                break;
            };
            let value = *evaluated.get_or_insert_with(|| self.expr(e));
            let given = self.body.exprs[value].ty;
            let whole = self.types.is_unknown(given)
                || !self.types.is_array(place) && self.types.compatible_unqualified(given, place);
            if whole {
                break;
            }
            let mut frame = match fresh {
                true => Frame::of_list(shape, place),
                false => Frame::new(shape),
            };
            let Some((at, ty, next)) = self.subobject(shape, 0) else {
                // An aggregate without members takes no initialiser; gcc drops the item.
                self.excess(init.span);
                return None;
            };
            (frame.at, frame.next) = (at, next);
            stack.push(frame);
            self.enter_member(ty, stack.len(), init.span);
            place = self.types.resolve(ty);
        }
        let value = evaluated.unwrap_or_else(|| self.expr(e));
        Some(self.converted(value, place, init.span))
    }

    // ---- flexible array members

    /// Must be called when an item initialises a subobject of the `depth`th aggregate of a list, or a part of it.
    /// Checks that a flexible array member has storage for the elements: only a whole object with static storage has.
    fn enter_member(&mut self, member: QualType, depth: usize, span: Span) {
        if !matches!(self.types.array(member), Some((_, ArrayLen::Incomplete))) {
            return;
        }
        let nested = (depth > 1).then_some(NoElements::Nested);
        let (why, help) = match self.initialised.no_elements.or(nested) {
            None => return,
            Some(NoElements::Automatic) => (
                "of an automatic variable",
                "declare the variable `static`, or allocate the structure with space for the elements and assign them",
            ),
            Some(NoElements::CompoundLiteral) => (
                "of a compound literal",
                "initialise a variable with static storage, or allocate the structure with space for the elements",
            ),
            Some(NoElements::Nested) => (
                "of a structure that is itself a member or an element",
                "give the array a size, or make the structure an object of its own",
            ),
        };
        let message = format!("a flexible array member {why} has no storage for elements");
        self.error(codes::FLEXIBLE_ELEMENTS, span, message, help);
    }

    // ---- designators

    /// Follows designators from the list's own object. Leaves the stack at the place they name, and returns its type.
    fn designate(
        &mut self,
        designators: &[Designator],
        stack: &mut Vec<Frame>,
    ) -> Option<QualType> {
        let mut place: Option<QualType> = None;
        for &designator in designators {
            if let Some(ty) = place {
                let at = self.designator_span(designator);
                self.enter_member(ty, stack.len(), at);
                match self.shape(ty) {
                    Some(shape) => stack.push(Frame::new(shape)),
                    None => {
                        self.bad_designator(designator, ty);
                        return None;
                    }
                }
            }
            place = Some(match designator {
                Designator::Index(e) => self.designate_elements(designator, e, e, stack)?,
                Designator::Range(a, b) => self.designate_elements(designator, a, b, stack)?,
                Designator::Field(name, token) => self.designate_member(name, token, stack)?,
            });
        }
        place
    }

    fn designate_elements(
        &mut self,
        designator: Designator,
        low: ast::ExprId,
        high: ast::ExprId,
        stack: &mut [Frame],
    ) -> Option<QualType> {
        let first = self.folded(low, "the index of a designator")?;
        let last = if low == high {
            first
        } else {
            self.folded(high, "the index of a designator")?
        };
        let top = stack.last_mut()?;
        let Shape::Elements(elem, count) = top.shape else {
            let at = self.designator_span(designator);
            let message = "an index cannot designate a member of a structure or union";
            self.error(
                codes::BAD_DESIGNATOR,
                at,
                message,
                "name a member: `.member = `",
            );
            return None;
        };
        let limit = i128::from(count.unwrap_or(i64::MAX as u64));
        if first < 0 || last < first || last >= limit {
            let at = self.designator_span(designator);
            let message =
                format!("the designator is outside the array, which has {limit} elements");
            self.error(
                codes::BAD_DESIGNATOR,
                at,
                message,
                "use an index within the array",
            );
            return None;
        }
        top.at = if first == last {
            PathElem::Index(first as u64)
        } else {
            PathElem::Range(first as u64, last as u64)
        };
        top.next = last as u64 + 1;
        Some(elem)
    }

    /// Checks an item that initialises nothing.
    fn discard(&mut self, id: ast::InitId) {
        let ast = self.ast;
        match &ast[id].kind {
            &ast::InitKind::Expr(e) => {
                self.expr(e);
            }
            ast::InitKind::List(items) => {
                for item in items {
                    deep(|| self.discard(item.value));
                }
            }
        }
    }
}

impl Nodes<'_> {
    /// The way out where one value stands as the initialiser of an array.
    fn instead_of_one_value(&self, value: il::Expr) -> String {
        let text = self.short_text(value.span).unwrap_or_default();
        let quoted = text
            .strip_prefix('\'')
            .and_then(|text| text.strip_suffix('\''));
        match quoted {
            Some(letters) if letters.chars().count() > 1 && !letters.starts_with('\\') => {
                format!("a string stands in double quotes: `\"{letters}\"`")
            }
            _ if self.types.is_array(value.ty) && self.types.is_shared(value.ty) => {
                "copy the elements behind the declaration, with upc_memget or in a loop".to_owned()
            }
            _ if self.types.is_array(value.ty) => {
                "copy the elements behind the declaration, with memcpy or in a loop".to_owned()
            }
            _ => "write `{ ... }`".to_owned(),
        }
    }

    /// Initialises an array by a compound literal of its type (GNU).
    fn array_from_value(
        &mut self,
        value: il::ExprId,
        ty: QualType,
        span: Span,
    ) -> (InitId, Option<u64>) {
        let node = self.body.exprs[value];
        let literal = matches!(node.kind, il::ExprKind::CompoundLit(_) | il::ExprKind::Str);
        let whole = literal && self.types.is_array(node.ty) || self.types.is_unknown(node.ty);
        if !whole {
            let message = format!(
                "an array of type `{}` needs an initialiser in braces",
                self.show(ty)
            );
            let help = self.instead_of_one_value(node);
            self.error(codes::BAD_INITIALIZER, span, message, help);
        } else if matches!(node.kind, il::ExprKind::Str) {
            let message = format!(
                "a string literal of `{}` cannot initialise `{}`",
                self.show(node.ty),
                self.show(ty)
            );
            let help = "use the prefix (none, `L`, `u`, `U`) that matches the type of the elements";
            self.error(codes::BAD_INITIALIZER, span, message, help);
        }
        let len = match self.types.array(node.ty) {
            Some((_, ArrayLen::Fixed(n))) => Some(n),
            _ => None,
        };
        let verbatim = node.flags.has(il::ExprFlags::VERBATIM);
        let init = self
            .body
            .push_init(InitKind::Expr(value), ty, span, verbatim);
        (init, len)
    }

    // ---- items without a subobject

    fn excess(&mut self, span: Span) {
        let message = "this initialiser has no element or member to initialise";
        let help = "remove it, or make the object larger";
        self.warn(codes::EXCESS_INITIALIZERS, span, message, help);
        // The item is removed from the C compiler's list, so the C compiler does not report it.
        self.touched = true;
    }
}

impl Context<'_> {
    /// Checks that an array of variable length has no initialiser (C11 6.7.9p3), except `{}` (C23, GNU).
    pub(super) fn check_variable_init(&mut self, id: ast::InitId, ty: QualType) {
        let empty = matches!(&self.ast[id].kind, ast::InitKind::List(items) if items.is_empty());
        if self.is_variable(ty) && !empty {
            let message = "a variable length array cannot have an initialiser";
            let help = "use a constant size, or assign the elements";
            self.error(codes::BAD_VLA, self.ast[id].span, message, help);
        }
    }

    // ---- strings

    /// Number of elements of a string literal that initialises an array of type `ty`; `None` if it does not.
    fn string_for(&mut self, e: ast::ExprId, ty: QualType) -> Option<u64> {
        let (elem, _) = self.types.array(ty)?;
        let Type::Int(elem) = *self.types.kind(elem) else {
            return None;
        };
        let literal = self.string_literal(e)?;
        let narrow = elem.size() == 1 && elem != IntKind::Bool;
        let fits = if literal.elem.size() == 1 {
            narrow
        } else {
            literal.elem.size() == elem.size() && !narrow
        };
        fits.then_some(literal.len)
    }

    fn designate_member(
        &mut self,
        name: Symbol,
        token: u32,
        stack: &mut Vec<Frame>,
    ) -> Option<QualType> {
        let at = record::token_span(token);
        let (Shape::Struct(id) | Shape::Union(id)) = stack.last()?.shape else {
            let message = format!(
                "`.{}` cannot designate an element of an array",
                self.name(name)
            );
            self.error(
                codes::BAD_DESIGNATOR,
                at,
                message,
                "write an index: `[n] = `",
            );
            return None;
        };
        let Some(path) = self.lookup_member(id, name) else {
            let message = format!("no member `{}` to initialise", self.name(name));
            let help = self.member_help(id, self.name(name), self.parsed.stream.bytes(at));
            self.error(codes::BAD_DESIGNATOR, at, message, help);
            return None;
        };
        let mut place = None;
        self.note_member(id, &path, token, None);
        for step in path {
            if let Some(ty) = place {
                stack.push(Frame::new(self.shape(ty)?));
            }
            let top = stack.last_mut()?;
            let (Shape::Struct(id) | Shape::Union(id)) = top.shape else {
                return None; // `lookup_member` goes through records only.
            };
            (top.at, top.next) = (PathElem::Field(step), u64::from(step) + 1);
            let body = self.types.record(id).body.as_ref()?;
            place = Some(body.fields[step as usize].ty);
        }
        place
    }

    fn designator_span(&self, designator: Designator) -> Span {
        match designator {
            Designator::Index(e) => self.ast[e].span,
            Designator::Range(a, b) => self.ast[a].span.to(self.ast[b].span),
            Designator::Field(_, token) => record::token_span(token),
        }
    }

    fn bad_designator(&mut self, designator: Designator, ty: QualType) {
        let at = self.designator_span(designator);
        if !self.types.is_unknown(ty) {
            let message = format!(
                "designator into `{}`, which has no members or elements",
                self.show(ty)
            );
            self.error(codes::BAD_DESIGNATOR, at, message, "remove the designator");
        }
    }
}
