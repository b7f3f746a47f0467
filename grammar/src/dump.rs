//! Prints the AST as text, one node per line, children indented: `upcc --emit=ast`.
//!
//! Uses a work list instead of recursion, because the tree may be deeper than the stack.

use crate::ast::*;
use crate::parse::Parsed;
use std::fmt::Write;
use std::ops::Range;

/// A node to print.
enum Work {
    Item(Item),
    Function(FunctionDef),
    Stmt(StmtId),
    Expr(ExprId),
    Decl(DeclId),
    Specs(SpecsId),
    Declarator(DeclaratorId),
    TypeName(TypeNameId),
    Init(InitId),
    Asm(AsmId),
    Member(RecordId, usize),
    Field(FieldDeclarator),
    InitDeclarator(InitDeclarator),
    Param(Param),
    Designated(InitId, usize),
    /// A heading; its children are printed one level deeper.
    Text(String, Vec<Work>),
}

/// Prints the external declarations `items` (indices into `Ast::items`).
pub fn dump(parsed: &Parsed, items: Range<usize>) -> String {
    let mut printer = Printer {
        parsed,
        out: String::new(),
    };
    for &item in &parsed.ast.items[items] {
        let mut stack = vec![(0usize, Work::Item(item))];
        while let Some((depth, work)) = stack.pop() {
            let mut children = Vec::new();
            let line = printer.line(work, &mut children);
            let _ = writeln!(printer.out, "{:1$}{line}", "", 2 * depth);
            stack.extend(children.into_iter().rev().map(|child| (depth + 1, child)));
        }
    }
    printer.out
}

struct Printer<'a> {
    parsed: &'a Parsed,
    out: String,
}

impl Printer<'_> {
    fn ast(&self) -> &Ast {
        &self.parsed.ast
    }

    fn name(&self, symbol: crate::symbol::Symbol) -> &str {
        self.parsed.interner.name(symbol)
    }

    fn text(&self, span: Span) -> &str {
        self.parsed.stream.slice(span)
    }

    /// Formats the line of a node and appends the nodes it contains to `children`.
    fn line(&self, work: Work, children: &mut Vec<Work>) -> String {
        let ast = self.ast();
        match work {
            Work::Item(item) => match item.kind {
                ItemKind::Function(function) => self.function(function, children),
                ItemKind::Decl(id) => self.declaration(&ast[id], children),
                ItemKind::Asm(id) => format!("asm `{}`", self.text(ast[id].span)),
                ItemKind::Empty => "empty".to_string(),
            },
            Work::Function(function) => self.function(function, children),
            Work::Stmt(id) => self.stmt(&ast[id], children),
            Work::Expr(id) => self.expr(&ast[id], children),
            Work::Decl(id) => self.declaration(&ast[id], children),
            Work::Specs(id) => self.specs(&ast[id], children),
            Work::Declarator(id) => self.declarator(&ast[id], children),
            Work::TypeName(id) => {
                children.extend([
                    Work::Specs(ast[id].specs),
                    Work::Declarator(ast[id].declarator),
                ]);
                "type-name".to_string()
            }
            Work::Init(id) => self.init(id, children),
            Work::Asm(id) => {
                let operands =
                    |list: &[AsmOperand]| list.iter().map(|o| Work::Expr(o.value)).collect();
                let asm = &ast[id];
                children.push(Work::Text("outputs".into(), operands(&asm.outputs)));
                children.push(Work::Text("inputs".into(), operands(&asm.inputs)));
                format!("asm `{}`", self.text(asm.span))
            }
            Work::Member(record, index) => self.member(record, index, children),
            Work::Field(field) => {
                children.extend(field.declarator.map(Work::Declarator));
                children.extend(
                    field
                        .bits
                        .map(|e| Work::Text("width".into(), vec![Work::Expr(e)])),
                );
                "field".to_string()
            }
            Work::InitDeclarator(d) => {
                children.push(Work::Declarator(d.declarator));
                children.extend(d.init.map(Work::Init));
                match d.asm_label {
                    Some(label) => format!("init-declarator {}", self.text(label)),
                    None => "init-declarator".to_string(),
                }
            }
            Work::Param(p) => {
                children.extend([Work::Specs(p.specs), Work::Declarator(p.declarator)]);
                "parameter".to_string()
            }
            Work::Designated(list, index) => self.designated(list, index, children),
            Work::Text(text, below) => {
                children.extend(below);
                text
            }
        }
    }

    fn function(&self, function: FunctionDef, children: &mut Vec<Work>) -> String {
        children.extend([
            Work::Specs(function.specs),
            Work::Declarator(function.declarator),
        ]);
        children.extend((function.kr_decls.0..function.kr_decls.1).map(|i| Work::Decl(DeclId(i))));
        children.push(Work::Stmt(function.body));
        "function".to_string()
    }

    fn declaration(&self, decl: &Declaration, children: &mut Vec<Work>) -> String {
        match &decl.kind {
            DeclKind::Vars { specs, declarators } => {
                children.push(Work::Specs(*specs));
                children.extend(declarators.iter().map(|&d| Work::InitDeclarator(d)));
                "declaration".to_string()
            }
            DeclKind::StaticAssert(assert) => self.static_assert(assert, children),
        }
    }

    fn static_assert(&self, assert: &StaticAssert, children: &mut Vec<Work>) -> String {
        children.push(Work::Expr(assert.cond));
        match assert.message {
            Some(message) => format!("static-assert {}", self.text(message)),
            None => "static-assert".to_string(),
        }
    }

    fn specs(&self, specs: &Specs, children: &mut Vec<Work>) -> String {
        let mut line = "specifiers".to_string();
        for (bit, word) in [
            (storage::TYPEDEF, "typedef"),
            (storage::EXTERN, "extern"),
            (storage::STATIC, "static"),
            (storage::AUTO, "auto"),
            (storage::REGISTER, "register"),
            (storage::THREAD, "_Thread_local"),
            (storage::INLINE, "inline"),
            (storage::NORETURN, "_Noreturn"),
        ] {
            if specs.storage & bit != 0 {
                let _ = write!(line, " {word}");
            }
        }
        self.quals(&specs.quals, &mut line, children);
        for ty in &specs.types {
            self.type_spec(ty, &mut line, children);
        }
        for align in &specs.aligns {
            let operand = match *align {
                AlignSpec::Expr(e) => Work::Expr(e),
                AlignSpec::Type(t) => Work::TypeName(t),
            };
            children.push(Work::Text("_Alignas".into(), vec![operand]));
        }
        line
    }

    fn quals(&self, quals: &Quals, line: &mut String, children: &mut Vec<Work>) {
        for (bit, word) in [
            (qual::CONST, "const"),
            (qual::VOLATILE, "volatile"),
            (qual::RESTRICT, "restrict"),
            (qual::ATOMIC, "_Atomic"),
            (qual::SHARED, "shared"),
            (qual::STRICT, "strict"),
            (qual::RELAXED, "relaxed"),
        ] {
            if quals.bits & bit != 0 {
                let _ = write!(line, " {word}");
            }
        }
        for (layout, _) in &quals.layouts {
            match layout {
                Layout::Empty => line.push_str(" []"),
                Layout::Star => line.push_str(" [*]"),
                Layout::Expr(e) => children.push(Work::Text("layout".into(), vec![Work::Expr(*e)])),
            }
        }
    }

    fn type_spec(&self, ty: &TypeSpec, line: &mut String, children: &mut Vec<Work>) {
        match *ty {
            TypeSpec::Basic(basic) => drop(write!(line, " {basic:?}")),
            TypeSpec::Record(id) => {
                let record = &self.ast()[id];
                let tag = record.tag.map_or("", |t| self.name(t));
                let _ = write!(
                    line,
                    " {} {tag}",
                    if record.is_union { "union" } else { "struct" }
                );
                let members = record.members.as_ref().map_or(0, Vec::len);
                children.extend((0..members).map(|i| Work::Member(id, i)));
            }
            TypeSpec::Enum(id) => {
                let spec = &self.ast()[id];
                let _ = write!(line, " enum {}", spec.tag.map_or("", |t| self.name(t)));
                for item in spec.items.iter().flatten() {
                    let value = item.value.map(Work::Expr).into_iter().collect();
                    children.push(Work::Text(
                        format!("enumerator {}", self.name(item.name)),
                        value,
                    ));
                }
            }
            TypeSpec::Name(name, _) => drop(write!(line, " {}", self.name(name))),
            TypeSpec::TypeofExpr(e) => {
                children.push(Work::Text("typeof".into(), vec![Work::Expr(e)]))
            }
            TypeSpec::TypeofType(t) => {
                children.push(Work::Text("typeof".into(), vec![Work::TypeName(t)]))
            }
            TypeSpec::Atomic(t) => {
                children.push(Work::Text("_Atomic".into(), vec![Work::TypeName(t)]))
            }
        }
    }

    fn member(&self, record: RecordId, index: usize, children: &mut Vec<Work>) -> String {
        match self.ast()[record]
            .members
            .as_ref()
            .and_then(|m| m.get(index))
        {
            Some(Member::Fields {
                specs, declarators, ..
            }) => {
                children.push(Work::Specs(*specs));
                children.extend(declarators.iter().map(|&d| Work::Field(d)));
                "member".to_string()
            }
            Some(Member::StaticAssert(assert)) => self.static_assert(assert, children),
            None => "member".to_string(),
        }
    }

    fn declarator(&self, declarator: &Declarator, children: &mut Vec<Work>) -> String {
        let mut line = format!(
            "declarator {}",
            declarator.name.map_or("(abstract)", |n| self.name(n))
        );
        for derived in &declarator.derived {
            match derived {
                Derived::Pointer(quals) => {
                    line.push_str(": *");
                    self.quals(quals, &mut line, children);
                }
                Derived::Array {
                    size,
                    quals,
                    is_static,
                    ..
                } => {
                    line.push_str(if *is_static { ": [static]" } else { ": []" });
                    self.quals(quals, &mut line, children);
                    match size {
                        ArraySize::None => {}
                        ArraySize::Star => line.push_str(" *"),
                        ArraySize::Expr(e) => {
                            children.push(Work::Text("size".into(), vec![Work::Expr(*e)]))
                        }
                    }
                }
                Derived::Function {
                    params: Params::Prototype { params, variadic },
                    ..
                } => {
                    line.push_str(if *variadic { ": (...)" } else { ": ()" });
                    children.extend(params.iter().map(|&p| Work::Param(p)));
                }
                Derived::Function {
                    params: Params::Names(names),
                    ..
                } => {
                    let names: Vec<&str> = names.iter().map(|&(n, _)| self.name(n)).collect();
                    let _ = write!(line, ": ({})", names.join(", "));
                }
            }
        }
        line
    }

    fn init(&self, id: InitId, children: &mut Vec<Work>) -> String {
        match &self.ast()[id].kind {
            InitKind::Expr(e) => children.push(Work::Expr(*e)),
            InitKind::List(items) => {
                children.extend((0..items.len()).map(|i| Work::Designated(id, i)))
            }
        }
        "initializer".to_string()
    }

    fn designated(&self, list: InitId, index: usize, children: &mut Vec<Work>) -> String {
        let mut line = "item".to_string();
        let InitKind::List(items) = &self.ast()[list].kind else {
            return line;
        };
        for designator in &items[index].designators {
            match *designator {
                Designator::Index(e) => {
                    children.push(Work::Text("index".into(), vec![Work::Expr(e)]))
                }
                Designator::Range(a, b) => children.push(Work::Text(
                    "range".into(),
                    vec![Work::Expr(a), Work::Expr(b)],
                )),
                Designator::Field(name, _) => drop(write!(line, " .{}", self.name(name))),
            }
        }
        children.push(Work::Init(items[index].value));
        line
    }

    fn expr(&self, expr: &Expr, children: &mut Vec<Work>) -> String {
        let one = |children: &mut Vec<Work>, e| children.push(Work::Expr(e));
        match expr.kind {
            ExprKind::Name(name) => format!("name {}", self.name(name)),
            ExprKind::Number => format!("number {}", self.text(expr.span)),
            ExprKind::Char => format!("char {}", self.text(expr.span)),
            ExprKind::Str => format!("string {}", self.text(expr.span)),
            ExprKind::Threads => "THREADS".to_string(),
            ExprKind::MyThread => "MYTHREAD".to_string(),
            ExprKind::LabelAddr(label) => format!("label-address {}", self.name(label)),
            ExprKind::BuiltinWithTypes(name) => {
                format!("builtin {} `{}`", self.name(name), self.text(expr.span))
            }
            ExprKind::Paren(e) => {
                one(children, e);
                "paren".to_string()
            }
            ExprKind::Unary(op, e) => {
                one(children, e);
                format!("unary {op:?}")
            }
            ExprKind::Binary(op, a, b) => {
                children.extend([Work::Expr(a), Work::Expr(b)]);
                format!("binary {op:?}")
            }
            ExprKind::Assign(op, a, b) => {
                children.extend([Work::Expr(a), Work::Expr(b)]);
                op.map_or("assign".to_string(), |op| format!("assign {op:?}"))
            }
            ExprKind::Cond(c, a, b) => {
                children.push(Work::Expr(c));
                children.extend(a.map(Work::Expr));
                one(children, b);
                "conditional".to_string()
            }
            ExprKind::Comma(a, b) => {
                children.extend([Work::Expr(a), Work::Expr(b)]);
                "comma".to_string()
            }
            ExprKind::Index(a, b) => {
                children.extend([Work::Expr(a), Work::Expr(b)]);
                "index".to_string()
            }
            ExprKind::Call(f, args) => {
                one(children, f);
                children.extend(self.ast().expr_list(args).iter().map(|&e| Work::Expr(e)));
                "call".to_string()
            }
            ExprKind::Member(e, name) => {
                one(children, e);
                format!("member .{}", self.name(name))
            }
            ExprKind::Arrow(e, name) => {
                one(children, e);
                format!("member ->{}", self.name(name))
            }
            ExprKind::Cast(t, e) => {
                children.extend([Work::TypeName(t), Work::Expr(e)]);
                "cast".to_string()
            }
            ExprKind::CompoundLit(t, init) => {
                children.extend([Work::TypeName(t), Work::Init(init)]);
                "compound-literal".to_string()
            }
            ExprKind::SizeExpr(op, e) => {
                one(children, e);
                format!("{op:?}")
            }
            ExprKind::SizeType(op, t) => {
                children.push(Work::TypeName(t));
                format!("{op:?}")
            }
            ExprKind::StmtExpr(s) => {
                children.push(Work::Stmt(s));
                "statement-expression".to_string()
            }
            ExprKind::Generic(control, assocs) => {
                one(children, control);
                for (ty, e) in self.ast().generic_assocs(assocs) {
                    let mut below: Vec<Work> = ty.map(Work::TypeName).into_iter().collect();
                    below.push(Work::Expr(e));
                    children.push(Work::Text(
                        if ty.is_some() {
                            "association"
                        } else {
                            "default"
                        }
                        .into(),
                        below,
                    ));
                }
                "generic".to_string()
            }
            ExprKind::VaArg(e, t) => {
                children.extend([Work::Expr(e), Work::TypeName(t)]);
                "va-arg".to_string()
            }
            ExprKind::Offsetof(t, e) => {
                children.extend([Work::TypeName(t), Work::Expr(e)]);
                "offsetof".to_string()
            }
            ExprKind::TypesCompatible(a, b) => {
                children.extend([Work::TypeName(a), Work::TypeName(b)]);
                "types-compatible".to_string()
            }
            ExprKind::ConvertVector(e, t) => {
                children.extend([Work::Expr(e), Work::TypeName(t)]);
                "convert-vector".to_string()
            }
        }
    }

    fn stmt(&self, stmt: &Stmt, children: &mut Vec<Work>) -> String {
        let clause = |what: &str, e: Option<ExprId>| {
            Work::Text(what.into(), e.map(Work::Expr).into_iter().collect())
        };
        let init = |init: ForInit| match init {
            ForInit::None => Work::Text("init".into(), Vec::new()),
            ForInit::Expr(e) => Work::Text("init".into(), vec![Work::Expr(e)]),
            ForInit::Decl(d) => Work::Text("init".into(), vec![Work::Decl(d)]),
        };
        match &stmt.kind {
            StmtKind::Compound(block) => {
                children.extend(block.items.iter().map(|&s| Work::Stmt(s)));
                let labels: Vec<&str> = block.local_labels.iter().map(|&l| self.name(l)).collect();
                if labels.is_empty() {
                    "block".to_string()
                } else {
                    format!("block __label__ {}", labels.join(", "))
                }
            }
            StmtKind::Expr(None) => "null".to_string(),
            StmtKind::Expr(Some(e)) => {
                children.push(Work::Expr(*e));
                "expression".to_string()
            }
            StmtKind::If(c, a, b) => {
                children.extend([Work::Expr(*c), Work::Stmt(*a)]);
                children.extend(b.map(|b| Work::Text("else".into(), vec![Work::Stmt(b)])));
                "if".to_string()
            }
            StmtKind::Switch(c, s) => {
                children.extend([Work::Expr(*c), Work::Stmt(*s)]);
                "switch".to_string()
            }
            StmtKind::While(c, s) => {
                children.extend([Work::Expr(*c), Work::Stmt(*s)]);
                "while".to_string()
            }
            StmtKind::DoWhile(s, c) => {
                children.extend([Work::Stmt(*s), Work::Expr(*c)]);
                "do-while".to_string()
            }
            StmtKind::For {
                init: i,
                cond,
                step,
                body,
            } => {
                children.extend([
                    init(*i),
                    clause("condition", *cond),
                    clause("step", *step),
                    Work::Stmt(*body),
                ]);
                "for".to_string()
            }
            StmtKind::Forall {
                init: i,
                cond,
                step,
                affinity,
                body,
            } => {
                children.extend([init(*i), clause("condition", *cond), clause("step", *step)]);
                children.push(match *affinity {
                    Affinity::None => Work::Text("affinity".into(), Vec::new()),
                    Affinity::Continue => Work::Text("affinity continue".into(), Vec::new()),
                    Affinity::Expr(e) => clause("affinity", Some(e)),
                });
                children.push(Work::Stmt(*body));
                "upc_forall".to_string()
            }
            StmtKind::Label(name, s) => {
                children.push(Work::Stmt(*s));
                format!("label {}", self.name(*name))
            }
            StmtKind::Case(e, s) => {
                children.extend([Work::Expr(*e), Work::Stmt(*s)]);
                "case".to_string()
            }
            StmtKind::CaseRange(a, b, s) => {
                children.extend([Work::Expr(*a), Work::Expr(*b), Work::Stmt(*s)]);
                "case-range".to_string()
            }
            StmtKind::Default(s) => {
                children.push(Work::Stmt(*s));
                "default".to_string()
            }
            StmtKind::Goto(name) => format!("goto {}", self.name(*name)),
            StmtKind::GotoExpr(e) => {
                children.push(Work::Expr(*e));
                "goto *".to_string()
            }
            StmtKind::Break => "break".to_string(),
            StmtKind::Continue => "continue".to_string(),
            StmtKind::Return(e) => {
                children.extend(e.map(Work::Expr));
                "return".to_string()
            }
            StmtKind::Asm(asm) => {
                children.push(Work::Asm(*asm));
                "asm".to_string()
            }
            StmtKind::Decl(d) => {
                children.push(Work::Decl(*d));
                "declare".to_string()
            }
            StmtKind::Sync(kind, e) => {
                children.extend(e.map(Work::Expr));
                match kind {
                    SyncKind::Notify => "upc_notify",
                    SyncKind::Wait => "upc_wait",
                    SyncKind::Barrier => "upc_barrier",
                }
                .to_string()
            }
            StmtKind::Fence => "upc_fence".to_string(),
            StmtKind::NestedFunction(function) => {
                children.push(Work::Function(**function));
                "nested-function".to_string()
            }
            StmtKind::Error => "error".to_string(),
        }
    }
}
