//! Expressions: verbatim ones are copied from their tokens, others printed from the IL with the parentheses that
//! precedence requires or that silence `-Wparentheses`.

use super::Emitter;
use super::rt;
use crate::diag;
use crate::il::{Expr, ExprFlags, ExprId, ExprKind, ExprList, UnOp};
use crate::types::{Field, IntKind, QualType, Type};
use upcc_grammar::ast::{BinOp, Span};
use upcc_grammar::lex::Token;
use upcc_grammar::token::TokenKind;

/// Precedence levels (C11 6.5), from the loosest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Prec {
    Comma,
    Assign,
    Cond,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Relation,
    Shift,
    Sum,
    Product,
    Unary,
    Postfix,
    Primary,
}

impl Prec {
    /// The next tighter level, for the right operand of a left-associative operator.
    fn tighter(self) -> Prec {
        match self {
            Prec::Comma => Prec::Assign,
            Prec::Assign => Prec::Cond,
            Prec::Cond => Prec::Or,
            Prec::Or => Prec::And,
            Prec::And => Prec::BitOr,
            Prec::BitOr => Prec::BitXor,
            Prec::BitXor => Prec::BitAnd,
            Prec::BitAnd => Prec::Equality,
            Prec::Equality => Prec::Relation,
            Prec::Relation => Prec::Shift,
            Prec::Shift => Prec::Sum,
            Prec::Sum => Prec::Product,
            Prec::Product => Prec::Unary,
            Prec::Unary => Prec::Postfix,
            Prec::Postfix | Prec::Primary => Prec::Primary,
        }
    }
}

/// The spelling and precedence of a binary operator.
fn operator(op: BinOp) -> (&'static str, Prec) {
    match op {
        BinOp::Mul => ("*", Prec::Product),
        BinOp::Div => ("/", Prec::Product),
        BinOp::Rem => ("%", Prec::Product),
        BinOp::Add => ("+", Prec::Sum),
        BinOp::Sub => ("-", Prec::Sum),
        BinOp::Shl => ("<<", Prec::Shift),
        BinOp::Shr => (">>", Prec::Shift),
        BinOp::Lt => ("<", Prec::Relation),
        BinOp::Gt => (">", Prec::Relation),
        BinOp::Le => ("<=", Prec::Relation),
        BinOp::Ge => (">=", Prec::Relation),
        BinOp::Eq => ("==", Prec::Equality),
        BinOp::Ne => ("!=", Prec::Equality),
        BinOp::BitAnd => ("&", Prec::BitAnd),
        BinOp::BitXor => ("^", Prec::BitXor),
        BinOp::BitOr => ("|", Prec::BitOr),
        BinOp::And => ("&&", Prec::And),
        BinOp::Or => ("||", Prec::Or),
    }
}

/// True if gcc warns without parentheses around `inner` as operand of `outer`, though C does not need them.
fn is_confusing(outer: BinOp, inner: BinOp) -> bool {
    use Prec::*;
    let (outer_prec, inner_prec) = (operator(outer).1, operator(inner).1);
    match outer_prec {
        Or => inner_prec == And,
        BitAnd | BitXor | BitOr => inner_prec != outer_prec && inner_prec < Product,
        Shift => inner_prec == Sum,
        Relation | Equality => {
            matches!(inner_prec, Relation | Equality)
        }
        Comma | Assign | Cond | And | Sum | Product | Unary | Postfix | Primary => false,
    }
}

impl Emitter<'_> {
    /// Writes an expression into a string, on one line.
    pub(super) fn expr_aside(&mut self, id: ExprId) -> String {
        let before = self.out.aside_begin();
        self.expr(id, Prec::Assign);
        self.out.aside_end(before)
    }

    /// Writes a controlling expression, without its parentheses.
    pub(super) fn condition(&mut self, id: ExprId) {
        let inner = self.skip(id);
        let assigns = matches!(
            self.body.expr(inner).kind,
            ExprKind::Assign { .. } | ExprKind::AssignOp { .. }
        );
        let prec = if assigns { Prec::Primary } else { Prec::Comma };
        self.expr(id, prec);
    }

    /// Skips the reads and conversions that C performs implicitly.
    fn skip(&self, mut id: ExprId) -> ExprId {
        loop {
            let e = self.body.expr(id);
            if let ExprKind::Load(inner)
            | ExprKind::Decay(inner)
            | ExprKind::Cast {
                value: inner,
                implicit: true,
            } = e.kind
            {
                id = inner
            } else {
                return id;
            }
        }
    }

    /// Writes an expression, in parentheses if its precedence is lower than `min`.
    pub(super) fn expr(&mut self, id: ExprId, min: Prec) {
        stacker::maybe_grow(64 * 1024, 4 << 20, || {
            if self.copied(id, min) {
                return;
            }
            let inner = self.skip(id);
            if inner != id && self.copied(inner, min) {
                return;
            }
            let e = *self.body.expr(inner);
            let paren = self.precedence(&e) < min;
            if paren {
                self.out.put("(");
            }
            self.node(inner, &e);
            if paren {
                self.out.put(")");
            }
        });
    }

    /// Copies a verbatim expression. Returns false if it is not verbatim, or has no text.
    fn copied(&mut self, id: ExprId, min: Prec) -> bool {
        let e = self.body.expr(id);
        let always = matches!(e.kind, ExprKind::Opaque | ExprKind::Number | ExprKind::Str);
        if !(always || self.is_copied(e.flags.has(ExprFlags::VERBATIM))) || e.span.hi <= e.span.lo {
            return false;
        }
        let span = e.span;
        let paren = self.token_precedence(id) < min;
        if paren {
            self.out.put("(");
        }
        let bytes = self.out.stream.bytes(span);
        let text = &self.out.stream.text[bytes.start as usize..bytes.end as usize];
        self.out.literals += u32::from(text.contains('{'));
        self.out.copy(bytes, None);
        if paren {
            self.out.put(")");
        }
        true
    }

    /// Precedence of an expression as the user wrote it. Its kind is not enough: `&*p` is `p`, `*(a + i)` is `a[i]`.
    fn token_precedence(&self, id: ExprId) -> Prec {
        let span = self.body.expr(id).span;
        let tokens = &self.out.stream.tokens[span.lo as usize..span.hi as usize];
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
            return Prec::Primary;
        };
        if tokens.len() == 1 || first.kind == TokenKind::Str || is_parenthesised(tokens) {
            return Prec::Primary;
        }
        let e = self.body.expr(self.skip(id));
        if let ExprKind::Opaque | ExprKind::Int(_) | ExprKind::SizePerThread(_) = e.kind {
            // `sizeof (x)`, `__builtin_offsetof(...)`, or any other form.
            if first.symbol != Token::NO_SYMBOL && is_parenthesised(&tokens[1..]) {
                Prec::Unary
            } else {
                Prec::Comma
            }
        } else if matches!(e.kind, ExprKind::Deref(_)) && last.kind == TokenKind::RBracket {
            Prec::Postfix
        } else if is_prefix_operator(first.kind) {
            self.precedence(e).min(Prec::Unary)
        } else {
            self.precedence(e)
        }
    }

    fn precedence(&self, e: &Expr) -> Prec {
        match e.kind {
            ExprKind::Local(_)
            | ExprKind::Object(_)
            | ExprKind::Str
            | ExprKind::Number
            | ExprKind::Opaque
            | ExprKind::Threads
            | ExprKind::MyThread
            | ExprKind::SizePerThread(_)
            | ExprKind::StmtExpr(_)
            | ExprKind::VaArg(_)
            | ExprKind::Rt { .. } => Prec::Primary,
            ExprKind::Int(n) => {
                if n < 0 {
                    Prec::Unary
                } else {
                    Prec::Primary
                }
            }
            ExprKind::Field(..) | ExprKind::CompoundLit(_) | ExprKind::Call(..) => Prec::Postfix,
            ExprKind::Deref(p) => {
                if self.as_subscript(p).is_some() {
                    Prec::Postfix
                } else {
                    Prec::Unary
                }
            }
            ExprKind::IncDec { post: true, .. } => Prec::Postfix,
            ExprKind::IncDec { post: false, .. }
            | ExprKind::RealPlace(_)
            | ExprKind::ImagPlace(_)
            | ExprKind::AddrOf(_)
            | ExprKind::Unary(..)
            | ExprKind::SizeofPlace(_)
            | ExprKind::LabelAddr(_)
            | ExprKind::Cast { .. } => Prec::Unary,
            ExprKind::Binary(op, ..) => operator(op).1,
            ExprKind::PtrAdd { .. } | ExprKind::PtrDiff(..) => Prec::Sum,
            ExprKind::Cond(..) | ExprKind::CondElvis(..) => Prec::Cond,
            ExprKind::Assign { .. } | ExprKind::AssignOp { .. } => Prec::Assign,
            ExprKind::Comma(..) => Prec::Comma,
            // `skip` passes through these.
            ExprKind::Load(_) | ExprKind::Decay(_) => Prec::Primary,
        }
    }

    /// The pointer and index of `p[i]`.
    fn as_subscript(&self, pointer: ExprId) -> Option<(ExprId, ExprId)> {
        if let ExprKind::PtrAdd {
            ptr,
            index,
            negate: false,
        } = self.body.expr(pointer).kind
        {
            Some((ptr, index))
        } else {
            None
        }
    }

    fn node(&mut self, id: ExprId, e: &Expr) {
        match e.kind {
            ExprKind::Local(local) => {
                let name = self.local_name(local);
                self.out.put(&name);
            }
            ExprKind::Object(object) => {
                let name = self.object_name(object);
                self.out.put(&name);
            }
            ExprKind::Int(n) => {
                let text = self.int_text(n, e.ty);
                self.out.put(&text);
            }
            ExprKind::Deref(p) => self.deref(p),
            ExprKind::Field(record, index) => self.field(record, index),
            ExprKind::CompoundLit(init) => {
                let ty = self.body.init(init).ty;
                let name = self.declare(ty, "");
                self.out.put(&format!("({name})"));
                self.out.literals += 1;
                self.init_braced(init);
            }
            ExprKind::RealPlace(x) => self.prefix("__real__ ", x),
            ExprKind::ImagPlace(x) => self.prefix("__imag__ ", x),
            ExprKind::AddrOf(x) => self.prefix("&", x),
            ExprKind::Unary(op, x) => self.prefix(unary(op), x),
            ExprKind::SizeofPlace(x) => {
                self.out.put("sizeof(");
                self.expr(x, Prec::Comma);
                self.out.put(")");
            }
            ExprKind::Binary(op, a, b) => self.binary(op, a, b),
            ExprKind::PtrAdd { ptr, index, negate } => {
                let op = if negate { BinOp::Sub } else { BinOp::Add };
                self.binary(op, ptr, index);
            }
            ExprKind::PtrDiff(a, b) => self.binary(BinOp::Sub, a, b),
            ExprKind::Assign { place, value } => self.assignment(place, "=", value),
            ExprKind::AssignOp {
                op, place, value, ..
            } => self.assignment(place, &format!("{}=", operator(op).0), value),
            ExprKind::IncDec { place, post, dec } => {
                let op = if dec { "--" } else { "++" };
                if post {
                    self.expr(place, Prec::Postfix);
                    self.out.put(op);
                } else {
                    self.prefix(op, place);
                }
            }
            ExprKind::Cond(c, a, b) => {
                self.expr(c, Prec::Or);
                self.out.put(" ? ");
                self.expr(a, Prec::Assign);
                self.out.put(" : ");
                self.expr(b, Prec::Cond);
            }
            ExprKind::CondElvis(a, b) => {
                self.expr(a, Prec::Or);
                self.out.put(" ?: ");
                self.expr(b, Prec::Cond);
            }
            ExprKind::Comma(a, b) => {
                self.expr(a, Prec::Comma);
                self.out.put(", ");
                self.expr(b, Prec::Assign);
            }
            ExprKind::Call(callee, args) => {
                self.expr(callee, Prec::Postfix);
                self.out.put("(");
                self.args(args);
                self.out.put(")");
            }
            ExprKind::Cast { value, .. } => {
                let name = self.declare(e.ty, "");
                self.out.put(&format!("({name})"));
                self.expr(value, Prec::Unary);
            }
            ExprKind::StmtExpr(stmt) => {
                self.out.put("({");
                self.stmt_expr(stmt);
                self.out.put(" })");
            }
            ExprKind::LabelAddr(label) => {
                self.out.put("&&");
                self.out.put(self.names.name(label));
            }
            ExprKind::VaArg(list) => {
                let name = self.declare(e.ty, "");
                self.out.put("__builtin_va_arg(");
                self.expr(list, Prec::Assign);
                self.out.put(&format!(", {name})"));
            }
            ExprKind::Rt {
                op,
                args,
                ty_arg,
                field,
            } => {
                let of = ty_arg.map(|ty| rt::AccessedType {
                    ty,
                    field,
                    unaligned: e.flags.has(ExprFlags::UNALIGNED),
                    kept: e.flags.has(ExprFlags::KEPT),
                });
                self.wrapped_op(op, args, of, e.span);
            }
            ExprKind::Threads => self.out.put("UPCR_THREADS"),
            ExprKind::MyThread => self.out.put("UPCR_MYTHREAD"),
            ExprKind::SizePerThread(n) => self.out.put(&format!("({n}UL * UPCR_THREADS)")),
            ExprKind::Load(inner) | ExprKind::Decay(inner) => self.expr(inner, Prec::Primary),
            // Without tokens there is no text to print.
            ExprKind::Opaque | ExprKind::Number | ExprKind::Str => {
                diag::ice(e.span, &format!("expression {id:?} without text"))
            }
        }
    }

    fn prefix(&mut self, op: &str, operand: ExprId) {
        self.out.put(op);
        let at = self.out.text.len();
        self.expr(operand, Prec::Unary);
        // `- -x`, `& &&label`: the two operators would merge.
        if op.len() == 1 && self.out.text[at..].starts_with(op) {
            self.out.text.insert(at, ' ');
        }
    }

    fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId) {
        let (text, prec) = operator(op);
        self.operand(op, a, prec);
        self.out.put(" ");
        self.out.put(text);
        self.out.put(" ");
        self.operand(op, b, prec.tighter());
    }

    fn operand(&mut self, op: BinOp, id: ExprId, min: Prec) {
        use ExprKind::*;
        let inner = match self.body.expr(self.skip(id)).kind {
            Binary(inner, ..) => Some(inner),
            PtrAdd { .. } | PtrDiff(..) => Some(BinOp::Add),
            Local(_) | Object(_) | Deref(_) | Field(..) | Str | CompoundLit(_) | RealPlace(_)
            | ImagPlace(_) | Int(_) | Number | Load(_) | AddrOf(_) | Decay(_) | Unary(..)
            | Cond(..) | CondElvis(..) | Comma(..) | Call(..) | SizePerThread(_)
            | SizeofPlace(_) | StmtExpr(_) | LabelAddr(_) | VaArg(_) | Opaque | Threads
            | MyThread => None,
            Assign { .. } | AssignOp { .. } | IncDec { .. } => None,
            Cast { .. } | Rt { .. } => None,
        };
        let confusing = inner.is_some_and(|inner| is_confusing(op, inner));
        self.expr(id, if confusing { Prec::Unary } else { min });
    }

    fn assignment(&mut self, place: ExprId, op: &str, value: ExprId) {
        self.expr(place, Prec::Unary);
        self.out.put(" ");
        self.out.put(op);
        self.out.put(" ");
        self.expr(value, Prec::Assign);
    }

    fn deref(&mut self, pointer: ExprId) {
        match self.as_subscript(pointer) {
            Some((ptr, index)) => {
                self.expr(ptr, Prec::Postfix);
                self.out.put("[");
                self.expr(index, Prec::Comma);
                self.out.put("]");
            }
            None => self.prefix("*", pointer),
        }
    }

    /// Writes `record.member` or `pointer->member`; unnamed records on the path have no text.
    fn field(&mut self, record: ExprId, index: u32) {
        let name = self.field_name(self.body.expr(record).ty, index);
        let mut record = record;
        while let ExprKind::Field(outer, i) = self.body.expr(record).kind {
            if !self.field_name(self.body.expr(outer).ty, i).is_empty() {
                break;
            }
            record = outer;
        }
        if let ExprKind::Deref(pointer) = self.body.expr(record).kind
            && self.as_subscript(pointer).is_none()
        {
            self.expr(pointer, Prec::Postfix);
            self.out.put("->");
        } else {
            self.expr(record, Prec::Postfix);
            self.out.put(".");
        }
        self.out.put(&name);
    }

    /// The name of a member; empty for an unnamed one.
    pub(super) fn field_name(&self, record: QualType, index: u32) -> String {
        let name = self.member_of(record, index).name;
        name.map(|name| self.names.name(name).to_string())
            .unwrap_or_default()
    }

    /// Returns the member that a `Field` or a designator names.
    pub(super) fn member_of(&self, record: QualType, index: u32) -> &Field {
        let types = &self.module.types;
        let id = types.record_id(record);
        let body = id.and_then(|id| types.record(id).body.as_ref());
        let field = body.and_then(|body| body.fields.get(index as usize));
        let at = id.map(|id| types.record(id).span);
        diag::known(
            field,
            at.unwrap_or(Span { lo: 0, hi: 0 }),
            "a member of no record",
        )
    }

    fn args(&mut self, args: ExprList) {
        let body = self.body;
        for (i, &arg) in body.list(args).iter().enumerate() {
            if i > 0 {
                self.out.put(", ");
            }
            self.expr(arg, Prec::Assign);
        }
    }

    /// The text of an integer constant of a type.
    fn int_text(&self, n: i64, ty: QualType) -> String {
        let types = &self.module.types;
        let Type::Int(kind) = *types.kind(ty) else {
            return n.to_string();
        };
        match kind {
            IntKind::Long | IntKind::LongLong if n == i64::MIN => {
                format!("(-{}L - 1)", i64::MAX)
            }
            IntKind::Int if n == i64::from(i32::MIN) => format!("(-{} - 1)", i32::MAX),
            IntKind::UInt => format!("{}U", n as u32),
            IntKind::Long => format!("{n}L"),
            IntKind::LongLong => format!("{n}LL"),
            IntKind::ULong => format!("{}UL", n as u64),
            IntKind::ULongLong => format!("{}ULL", n as u64),
            IntKind::Int128 | IntKind::UInt128 => format!("(({}){n})", kind.name()),
            IntKind::Bool
            | IntKind::Char
            | IntKind::UnsignedPlainChar
            | IntKind::SChar
            | IntKind::UChar
            | IntKind::Short
            | IntKind::UShort
            | IntKind::Int => n.to_string(),
        }
    }
}

/// True for tokens enclosed in one pair of parentheses.
fn is_parenthesised(tokens: &[Token]) -> bool {
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
        return false;
    };
    if first.kind != TokenKind::LParen || last.kind != TokenKind::RParen {
        return false;
    }
    let mut depth = 0u32;
    tokens[..tokens.len() - 1].iter().all(|token| {
        if token.kind == TokenKind::LParen {
            depth += 1;
        } else if token.kind == TokenKind::RParen {
            depth = depth.saturating_sub(1);
        }
        depth > 0
    })
}

fn is_prefix_operator(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Amp
            | TokenKind::AmpAmp
            | TokenKind::Star
            | TokenKind::Plus
            | TokenKind::Minus
            | TokenKind::Tilde
            | TokenKind::Bang
            | TokenKind::PlusPlus
            | TokenKind::MinusMinus
    )
}

fn unary(op: UnOp) -> &'static str {
    match op {
        UnOp::Plus => "+",
        UnOp::Neg => "-",
        UnOp::BitNot => "~",
        UnOp::Not => "!",
        UnOp::Real => "__real__ ",
        UnOp::Imag => "__imag__ ",
    }
}
