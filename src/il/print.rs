//! `--emit=il`: prints the IL as text, one statement per line, with types after the nodes where they change.
//!
//! Expressions are S-expressions: `(load p)` reads a place, `(strict ...)` marks a strict access, `(verbatim ...)`
//! quotes text that UPC does not touch.

use super::{
    Affinity, Body, Decl, DeclGroup, ExprFlags, ExprId, ExprKind, ForInit, InitId, InitKind,
    ItemKind, LocalId, Module, ObjectId, PathElem, Scope, StmtId, StmtKind,
};
use crate::ids::TiVec;
use std::fmt::Write;
use upcc_grammar::Parsed;
use upcc_grammar::ast::Span;

/// Prints the items of a module that are not from system headers.
pub fn print(module: &Module, parsed: &Parsed) -> String {
    let mut p = Printer {
        module,
        parsed,
        body: &EMPTY,
        out: String::new(),
        depth: 0,
    };
    for item in &module.items {
        let generated = matches!(item.kind, ItemKind::Generated(_));
        if !generated && parsed.in_system_header(item.span) {
            continue;
        }
        p.body = &item.body;
        match &item.kind {
            ItemKind::Text => p.line(&format!("text {}", p.quote(item.span))),
            _ if item.verbatim => p.line(&format!("verbatim {}", p.head(item.span))),
            ItemKind::Decl(group) => p.group(group),
            ItemKind::Function(f) | ItemKind::Generated(f) => {
                let name = p.object(f.object);
                let ty = p.ty(module.objects[f.object].ty);
                let params: Vec<String> = f
                    .params
                    .iter()
                    .map(|&l| format!("{}: {}", p.local(l), p.ty(p.body.local(l).ty)))
                    .collect();
                p.line(&format!("function {name}: {ty} ({})", params.join(", ")));
                p.nested(f.root);
            }
        }
    }
    p.out
}

static EMPTY: Body = Body {
    exprs: TiVec::new(),
    stmts: TiVec::new(),
    locals: TiVec::new(),
    roles: Vec::new(),
    inits: TiVec::new(),
    lists: Vec::new(),
    vlas: Vec::new(),
    lengths: Vec::new(),
    param_lengths: Vec::new(),
    paths: Vec::new(),
    nested: TiVec::new(),
};

struct Printer<'a> {
    module: &'a Module,
    parsed: &'a Parsed,
    body: &'a Body,
    out: String,
    depth: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.out, "{:1$}{text}", "", self.depth * 2);
    }

    fn nested(&mut self, id: StmtId) {
        self.depth += 1;
        stacker::maybe_grow(64 * 1024, 4 << 20, || self.stmt(id));
        self.depth -= 1;
    }

    fn name(&self, symbol: upcc_grammar::symbol::Symbol) -> &str {
        self.parsed.interner.name(symbol)
    }

    fn object(&self, id: ObjectId) -> String {
        let o = &self.module.objects[id];
        o.emit_name
            .clone()
            .unwrap_or_else(|| self.name(o.name).to_string())
    }

    fn local(&self, id: LocalId) -> String {
        match self.body.local(id).name {
            Some(name) => self.name(name).to_string(),
            None => format!("%{}", id.0),
        }
    }

    fn ty(&self, ty: crate::types::QualType) -> String {
        self.module.types.display(ty, &self.parsed.interner)
    }

    /// The text of a token range on one line.
    fn quote(&self, span: Span) -> String {
        let text = self.parsed.stream.slice(span);
        let lines = text.lines().filter(|l| !l.starts_with('#'));
        let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
        format!("`{}`", words.join(" "))
    }

    /// The first words of a verbatim item.
    fn head(&self, span: Span) -> String {
        let end = span.hi.min(span.lo + 8);
        let dots = if end < span.hi { " ..." } else { "" };
        format!("{}{dots}", self.quote(Span { hi: end, ..span }))
    }

    fn group(&mut self, group: &DeclGroup) {
        if group.verbatim {
            return self.line(&format!("verbatim {}", self.quote(group.span)));
        }
        for tag in &group.tags {
            self.line(&format!("tag {tag:?}"));
        }
        for decl in &group.decls {
            let text = match decl {
                Decl::Local { local, init, .. } => {
                    let ty = self.ty(self.body.local(*local).ty);
                    format!("local {}: {ty}{}", self.local(*local), self.equals(*init))
                }
                Decl::Object {
                    object, init, ty, ..
                } => {
                    let ty = self.ty(*ty);
                    format!(
                        "object {}: {ty}{}",
                        self.object(*object),
                        self.equals(*init)
                    )
                }
                Decl::Typedef { typedef, .. } => {
                    let t = self.module.types.typedef(*typedef);
                    format!("typedef {} = {}", self.name(t.name), self.ty(t.target))
                }
                Decl::StaticAssert => "static_assert".to_string(),
                Decl::Length { local, value } => {
                    format!("length {} = {}", self.local(*local), self.expr(*value))
                }
                Decl::Shared {
                    object,
                    def,
                    bytes,
                    align,
                } => format!("shared {def:?} {} {bytes} {align}", self.object(*object)),
            };
            self.line(&text);
        }
    }

    fn equals(&self, init: Option<InitId>) -> String {
        init.map_or(String::new(), |i| format!(" = {}", self.init(i)))
    }

    fn init(&self, id: InitId) -> String {
        let init = self.body.init(id);
        match &init.kind {
            InitKind::Expr(e) => self.expr(*e),
            InitKind::List(items) => {
                let items: Vec<String> = items
                    .iter()
                    .map(|(path, i)| format!("{} = {}", path_text(path), self.init(*i)))
                    .collect();
                format!("{{{}}}", items.join(", "))
            }
        }
    }

    fn stmt(&mut self, id: StmtId) {
        let stmt = self.body.stmt(id);
        let compound = matches!(stmt.kind, StmtKind::Compound(_));
        if stmt.verbatim && !compound && stmt.span.lo < stmt.span.hi {
            return self.line(&format!("verbatim {}", self.quote(stmt.span)));
        }
        match &stmt.kind {
            StmtKind::Compound(block) => {
                self.line("{");
                block.items.iter().for_each(|&s| self.nested(s));
                self.line("}");
            }
            StmtKind::Null => self.line(";"),
            StmtKind::Nested(id) => {
                let function = self.body.nested(*id);
                let name = self.object(function.object);
                let ty = self.ty(self.module.objects[function.object].ty);
                self.line(&format!("nested function {name}: {ty}"));
                self.nested(function.root);
            }
            StmtKind::Expr(e) => self.line(&self.expr(*e)),
            StmtKind::If(c, a, b) => {
                self.line(&format!("if {}", self.expr(*c)));
                self.nested(*a);
                if let Some(b) = b {
                    self.line("else");
                    self.nested(*b);
                }
            }
            StmtKind::Switch(e, s) => self.headed("switch", *e, *s),
            StmtKind::While(e, s) => self.headed("while", *e, *s),
            StmtKind::DoWhile(s, e) => {
                self.line("do");
                self.nested(*s);
                self.line(&format!("while {}", self.expr(*e)));
            }
            StmtKind::For {
                init,
                cond,
                step,
                body,
            } => self.clauses("for", init, [*cond, *step], "", *body),
            StmtKind::Forall {
                init,
                cond,
                step,
                affinity,
                body,
            } => {
                let affinity = match affinity {
                    Affinity::All => "all".to_string(),
                    Affinity::Int(e) | Affinity::Pts(e) => self.expr(*e),
                };
                self.clauses("forall", init, [*cond, *step], &affinity, *body);
            }
            StmtKind::Label(name, s) => {
                self.line(&format!("{}:", self.name(*name)));
                self.nested(*s);
            }
            StmtKind::Case(lo, hi, s) => {
                let hi = hi.map_or(String::new(), |e| format!(" ... {}", self.expr(e)));
                self.line(&format!("case {}{hi}:", self.expr(*lo)));
                self.nested(*s);
            }
            StmtKind::Default(s) => {
                self.line("default:");
                self.nested(*s);
            }
            StmtKind::Goto(label) => self.line(&format!("goto {}", self.name(*label))),
            StmtKind::GotoExpr(e) => self.line(&format!("goto *{}", self.expr(*e))),
            StmtKind::Break => self.line("break"),
            StmtKind::Continue => self.line("continue"),
            StmtKind::Return(e) => {
                let e = e.map_or(String::new(), |e| format!(" {}", self.expr(e)));
                self.line(&format!("return{e}"));
            }
            StmtKind::Asm { outputs, inputs } => {
                let operands = |list: &[super::AsmOperand]| {
                    let list: Vec<String> = list.iter().map(|o| self.expr(o.value)).collect();
                    list.join(", ")
                };
                let text = format!("asm ({}) ({})", operands(outputs), operands(inputs));
                self.line(&text);
            }
            StmtKind::Decl(group) => self.group(group),
            StmtKind::Sync(kind, e) => {
                let e = e.map_or(String::new(), |e| format!(" {}", self.expr(e)));
                self.line(&format!("{}{e}", format!("{kind:?}").to_lowercase()));
            }
            StmtKind::Fence => self.line("fence"),
            StmtKind::Scope(scope) => {
                let (word, number) = match scope {
                    Scope::Function(site) => ("Function", site.0),
                    Scope::Forall(site) => ("Forall", site.0),
                    Scope::RaceOk(token) => ("RaceOk", *token),
                    Scope::RaceOkEnd(token) => ("RaceOkEnd", *token),
                };
                self.line(&format!("scope {word} {number}"));
            }
        }
    }

    fn headed(&mut self, head: &str, e: ExprId, s: StmtId) {
        self.line(&format!("{head} {}", self.expr(e)));
        self.nested(s);
    }

    fn clauses(
        &mut self,
        head: &str,
        init: &ForInit,
        clauses: [Option<ExprId>; 2],
        affinity: &str,
        body: StmtId,
    ) {
        self.line(head);
        self.depth += 1;
        match init {
            ForInit::None => {}
            ForInit::Expr(e) => self.line(&format!("init {}", self.expr(*e))),
            ForInit::Decl(group) => self.group(group),
        }
        for (name, clause) in ["cond", "step"].into_iter().zip(clauses) {
            if let Some(e) = clause {
                self.line(&format!("{name} {}", self.expr(e)));
            }
        }
        if !affinity.is_empty() {
            self.line(&format!("affinity {affinity}"));
        }
        self.depth -= 1;
        self.nested(body);
    }

    fn expr(&self, id: ExprId) -> String {
        stacker::maybe_grow(64 * 1024, 4 << 20, || self.expr_text(id))
    }

    fn expr_text(&self, id: ExprId) -> String {
        let e = self.body.expr(id);
        if e.flags.has(ExprFlags::VERBATIM) && e.span.lo < e.span.hi {
            return self.quote(e.span);
        }
        let x = |id| self.expr(id);
        let ty = || self.ty(e.ty);
        let text = match e.kind {
            ExprKind::Local(l) => self.local(l),
            ExprKind::Object(o) => self.object(o),
            ExprKind::Deref(p) => format!("(* {})", x(p)),
            ExprKind::Field(r, i) => format!("(. {} {i})", x(r)),
            ExprKind::Str | ExprKind::Number | ExprKind::Opaque => self.quote(e.span),
            ExprKind::CompoundLit(i) => format!("(literal {} {})", ty(), self.init(i)),
            ExprKind::RealPlace(p) => format!("(real {})", x(p)),
            ExprKind::ImagPlace(p) => format!("(imag {})", x(p)),
            ExprKind::Int(n) => n.to_string(),
            ExprKind::Load(p) => format!("(load {})", x(p)),
            ExprKind::AddrOf(p) => format!("(& {})", x(p)),
            ExprKind::Decay(p) => format!("(decay {})", x(p)),
            ExprKind::Unary(op, a) => format!("({op:?} {})", x(a)),
            ExprKind::Binary(op, a, b) => format!("({op:?} {} {})", x(a), x(b)),
            ExprKind::PtrAdd { ptr, index, negate } => {
                let op = if negate { "ptr-" } else { "ptr+" };
                format!("({op} {} {})", x(ptr), x(index))
            }
            ExprKind::PtrDiff(a, b) => format!("(ptrdiff {} {})", x(a), x(b)),
            ExprKind::Assign { place, value } => format!("(= {} {})", x(place), x(value)),
            ExprKind::AssignOp {
                op, place, value, ..
            } => format!("({op:?}= {} {})", x(place), x(value)),
            ExprKind::IncDec { place, post, dec } => {
                let op = if dec { "--" } else { "++" };
                let side = if post { "post" } else { "pre" };
                format!("({side}{op} {})", x(place))
            }
            ExprKind::Cond(c, a, b) => format!("(? {} {} {})", x(c), x(a), x(b)),
            ExprKind::CondElvis(a, b) => format!("(?: {} {})", x(a), x(b)),
            ExprKind::Comma(a, b) => format!("(, {} {})", x(a), x(b)),
            ExprKind::Call(f, args) => format!("(call {}{})", x(f), self.list(args)),
            ExprKind::Cast { value, implicit } => {
                let word = if implicit { "to" } else { "cast" };
                format!("({word} {} {})", ty(), x(value))
            }
            ExprKind::SizePerThread(n) => format!("(threads* {n})"),
            ExprKind::SizeofPlace(p) => format!("(sizeof {})", x(p)),
            ExprKind::StmtExpr(s) => {
                let mut inner = Printer {
                    out: String::new(),
                    depth: self.depth + 2,
                    ..*self
                };
                inner.stmt(s);
                format!("(stmts\n{}{:2$})", inner.out, "", self.depth * 2)
            }
            ExprKind::LabelAddr(l) => format!("(label {})", self.name(l)),
            ExprKind::VaArg(a) => format!("(va_arg {} {})", ty(), x(a)),
            ExprKind::Threads => "THREADS".into(),
            ExprKind::MyThread => "MYTHREAD".into(),
            ExprKind::Rt {
                op, args, ty_arg, ..
            } => {
                let of = ty_arg.map_or(String::new(), |t| {
                    format!(" {}", self.ty(crate::types::QualType::plain(t)))
                });
                format!("(rt {op}{of}{})", self.list(args))
            }
        };
        if e.flags.has(ExprFlags::STRICT) {
            return format!("(strict {text})");
        }
        let unaligned = e.flags.has(ExprFlags::UNALIGNED);
        match (e.flags.has(ExprFlags::KEPT), unaligned) {
            (true, true) => return format!("(kept (unaligned {text}))"),
            (true, false) => return format!("(kept {text})"),
            (false, true) => return format!("(unaligned {text})"),
            (false, false) => {}
        }
        text
    }

    fn list(&self, list: super::ExprList) -> String {
        self.body
            .list(list)
            .iter()
            .map(|&a| format!(" {}", self.expr(a)))
            .collect()
    }
}

fn path_text(path: &[PathElem]) -> String {
    path.iter()
        .map(|step| match step {
            PathElem::Field(i) => format!(".{i}"),
            PathElem::Index(n) => format!("[{n}]"),
            PathElem::Range(a, b) => format!("[{a} ... {b}]"),
        })
        .collect()
}
