//! Compatible and composite types (C11 6.2.7, UPC 6.5.1.1p9: the block size is part of the type).

use super::*;

impl Types {
    /// True if two types are compatible, including qualifiers and block sizes. `Unknown` is compatible with every type.
    pub fn compatible(&self, a: QualType, b: QualType) -> bool {
        let (a, b) = (self.canon_qt(a), self.canon_qt(b));
        if a == b || self.is_unknown(a) || self.is_unknown(b) {
            return true;
        }
        a.quals == b.quals && a.block == b.block && self.same_shape(a.ty, b.ty)
    }

    /// True if the types are compatible without their own qualifiers (those of pointer targets count).
    pub fn compatible_unqualified(&self, a: QualType, b: QualType) -> bool {
        let (a, b) = (self.canon_qt(a).bare(), self.canon_qt(b).bare());
        self.compatible(a, b)
    }

    /// A key that compatible types of known size share: their depth in pointers and arrays, and the type below those.
    /// All functions share one type.
    pub fn compatibility_class(&self, mut qt: QualType) -> (u32, TypeId) {
        let mut depth = 0;
        loop {
            let ty = self.canon(qt.ty).ty;
            qt = match *self.get(ty) {
                Type::Pointer(to) | Type::Array(to, _) => to,
                Type::Function(_) => return (depth, Types::VOID),
                Type::Enum(id) => {
                    let int = self.enumeration(id).int;
                    return (depth, int.map_or(ty, Types::int_kind));
                }
                _ => return (depth, ty),
            };
            depth += 1;
        }
    }

    /// True for two function types whose calls have the same meaning for a caller that converts arguments: both have
    /// the same number of parameters, and each parameter, and the result, have the same representation except for the
    /// width of integers.
    pub fn same_calls(&self, a: QualType, b: QualType) -> bool {
        let (Some(f), Some(g)) = (self.function(a), self.function(b)) else {
            return false;
        };
        let params = || f.params.iter().zip(&g.params);
        let known = f.prototype && g.prototype;
        let lists = f.variadic == g.variadic
            && f.params.len() == g.params.len()
            && params().all(|(&p, &q)| self.convertible(p, q));
        self.convertible(f.ret, g.ret) && (!known || lists)
    }

    /// True if both are integers, both pointers-to-shared, both other pointers, or compatible.
    fn convertible(&self, a: QualType, b: QualType) -> bool {
        let both = |is: &dyn Fn(QualType) -> bool| is(a) && is(b);
        both(&|t| self.is_integer(t))
            || both(&|t| self.is_pts(t))
            || both(&|t| self.is_pointer(t) && !self.is_pts(t))
            || self.compatible_unqualified(a, b)
    }

    fn same_shape(&self, a: TypeId, b: TypeId) -> bool {
        if a == b {
            return true;
        }
        match (self.get(a), self.get(b)) {
            (&Type::Pointer(x), &Type::Pointer(y)) => self.compatible(x, y),
            (&Type::Array(x, n), &Type::Array(y, m)) => {
                extents_agree(n, m) && self.compatible(x, y)
            }
            (Type::Function(f), Type::Function(g)) => self.functions_agree(f, g),
            (&Type::Enum(e), &Type::Int(k)) | (&Type::Int(k), &Type::Enum(e)) => {
                self.enumeration(e).int.is_none_or(|int| int == k)
            }
            (&Type::Vector(x, n), &Type::Vector(y, m)) => n == m && self.same_shape(x, y),
            _ => false,
        }
    }

    fn functions_agree(&self, f: &FuncType, g: &FuncType) -> bool {
        if !self.compatible(f.ret, g.ret) {
            return false;
        }
        match (f.prototype, g.prototype) {
            (true, true) => {
                f.variadic == g.variadic
                    && f.params.len() == g.params.len()
                    && f.params
                        .iter()
                        .zip(&g.params)
                        .all(|(&p, &q)| self.compatible_unqualified(p, q) || self.transparent(p, q))
            }
            (true, false) => self.agrees_with_old_style(f, g),
            (false, true) => self.agrees_with_old_style(g, f),
            (false, false) => true,
        }
    }

    /// Whether a prototype agrees with `()` or an identifier list (C11 6.7.6.3p15). `params` holds the parameters of a
    /// K&R definition.
    fn agrees_with_old_style(&self, prototype: &FuncType, old: &FuncType) -> bool {
        if old.params.is_empty() {
            return !prototype.variadic
                && prototype.params.iter().all(|&p| self.is_own_promotion(p));
        }
        // As gcc, accept a prototype with unpromoted parameters before the K&R definition.
        prototype.params.len() == old.params.len()
    }

    /// False for the types that the default argument promotions change.
    fn is_own_promotion(&self, qt: QualType) -> bool {
        match *self.kind(qt) {
            Type::Int(kind) => kind.size() >= IntKind::Int.size(),
            Type::Float(kind) => kind != FloatKind::Float,
            _ => true,
        }
    }

    /// gcc treats a transparent union and one of its members as compatible parameters.
    fn transparent(&self, p: QualType, q: QualType) -> bool {
        let member = |union: QualType, other: QualType| {
            let Some(id) = self.record_id(union) else {
                return false;
            };
            let record = self.record(id);
            record.body.as_ref().is_some_and(|body| {
                let mut members = body.fields.iter();
                body.transparent && members.any(|f| self.compatible_unqualified(f.ty, other))
            })
        };
        member(p, q) || member(q, p)
    }

    /// Returns the composite of two compatible types (C11 6.2.7p3): the known extent, the prototype. Sugar of `a` is
    /// kept where `b` adds nothing.
    pub fn composite(&mut self, a: QualType, b: QualType) -> QualType {
        if a.ty == b.ty || self.canon_qt(a) == self.canon_qt(b) {
            return a;
        }
        let (ra, rb) = (self.resolve(a), self.resolve(b));
        match (self.get(ra.ty).clone(), self.get(rb.ty).clone()) {
            (Type::Pointer(x), Type::Pointer(y)) => {
                let to = self.composite(x, y);
                if to == x {
                    a
                } else {
                    QualType {
                        ty: self.pointer_to(to),
                        ..ra
                    }
                }
            }
            (Type::Array(x, n), Type::Array(y, m)) => {
                let elem = self.composite(x, y);
                let len = if matches!(n, ArrayLen::Incomplete | ArrayLen::Variable(_))
                    && m != ArrayLen::Incomplete
                {
                    m
                } else {
                    n
                };
                if elem == x && len == n {
                    a
                } else {
                    QualType {
                        ty: self.array_of(elem, len),
                        ..ra
                    }
                }
            }
            (Type::Function(f), Type::Function(g)) => {
                let ty = match (f.prototype, g.prototype) {
                    (true, true) => {
                        let ret = self.composite(f.ret, g.ret);
                        let params = f
                            .params
                            .iter()
                            .zip(&g.params)
                            .map(|(&p, &q)| self.composite(p, q))
                            .collect();
                        self.intern(Type::Function(FuncType { ret, params, ..f }))
                    }
                    (false, true) => self.intern(Type::Function(FuncType { ret: f.ret, ..g })),
                    (true, false) => return a,
                    (false, false) if f.params.is_empty() => {
                        self.intern(Type::Function(FuncType { ret: f.ret, ..g }))
                    }
                    (false, false) => return a,
                };
                QualType { ty, ..ra }
            }
            _ => a,
        }
    }
}

fn extents_agree(n: ArrayLen, m: ArrayLen) -> bool {
    match (n, m) {
        (ArrayLen::Incomplete | ArrayLen::Variable(_), _)
        | (_, ArrayLen::Incomplete | ArrayLen::Variable(_)) => true,
        (
            ArrayLen::Fixed(_) | ArrayLen::PerThread(_),
            ArrayLen::Fixed(_) | ArrayLen::PerThread(_),
        ) => n == m,
    }
}
