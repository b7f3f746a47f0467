//! How runtime operations are written: the names of runtime-c/include/upcr/README.md.

use super::Emitter;
use super::expr::Prec;
use crate::events::CALLS;
use crate::il::{ExprList, RtOp};
use crate::types::{QualType, TypeId};
use upcc_grammar::ast::Span;

/// The arguments of an operation, apart from its values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A name without parentheses.
    Name,
    /// A function of its values.
    Call,
    /// A macro with a type before the values.
    Typed,
    /// A macro with a type and a member before the values.
    Bits,
    /// A macro with the text of the expression behind the values.
    Told,
    /// A macro with the site and whether local accesses count in front of what `Typed` and `Bits` have.
    InstrumentedTyped,
    InstrumentedBits,
    /// The address of a site.
    Site,
}

/// The type argument of an operation.
#[derive(Clone, Copy)]
pub(super) struct TypeArg {
    pub(super) ty: TypeId,
    /// Of operations on a bit-field: the index in `Body::paths` of the way to it.
    pub(super) field: u32,
    /// The place need not have the type's alignment.
    pub(super) unaligned: bool,
    /// A record is written, whose value is used.
    pub(super) kept: bool,
}

/// True for reads of anything but bit-fields.
fn reads_whole(op: RtOp) -> bool {
    matches!(
        op,
        RtOp::Get
            | RtOp::Get0
            | RtOp::GetStrict
            | RtOp::InstGet
            | RtOp::InstGet0
            | RtOp::InstGetStrict
    )
}

/// Spelling of an operation.
pub(super) fn spelling(op: RtOp) -> (&'static str, Form) {
    match op {
        RtOp::Null => ("UPCR_NULL", Form::Name),
        RtOp::Static => ("UPCR_STATIC", Form::Call),
        RtOp::IsNull => ("upcr_is_null", Form::Call),
        RtOp::Eq => ("upcr_eq", Form::Call),
        RtOp::Threadof => ("upcr_threadof", Form::Call),
        RtOp::Phaseof => ("upcr_phaseof", Form::Call),
        RtOp::Addrfield => ("upcr_addrfield", Form::Call),
        RtOp::Resetphase => ("upcr_resetphase", Form::Call),
        RtOp::Add0 => ("upcr_add0", Form::Call),
        RtOp::Add1 => ("upcr_add1", Form::Call),
        RtOp::AddB => ("upcr_addb", Form::Call),
        RtOp::At1 => ("upcr_at1", Form::Call),
        RtOp::AtB => ("upcr_atb", Form::Call),
        RtOp::AtB0 => ("upcr_atb0", Form::Call),
        RtOp::Diff0 => ("upcr_diff0", Form::Call),
        RtOp::Diff1 => ("upcr_diff1", Form::Call),
        RtOp::DiffB => ("upcr_diffb", Form::Call),
        RtOp::Field => ("upcr_field", Form::Call),
        RtOp::Local => ("upcr_local", Form::Call),
        RtOp::LocalNn => ("upcr_local_nn", Form::Call),
        RtOp::Get => ("UPCR_GET", Form::Typed),
        RtOp::Put => ("UPCR_PUT", Form::Typed),
        RtOp::Get0 => ("UPCR_GET0", Form::Typed),
        RtOp::Put0 => ("UPCR_PUT0", Form::Typed),
        RtOp::GetStrict => ("UPCR_GET_STRICT", Form::Typed),
        RtOp::PutStrict => ("UPCR_PUT_STRICT", Form::Typed),
        RtOp::GetBits => ("UPCR_GET_BITS", Form::Bits),
        RtOp::PutBits => ("UPCR_PUT_BITS", Form::Bits),
        RtOp::GetBitsStrict => ("UPCR_GET_BITS_STRICT", Form::Bits),
        RtOp::PutBitsStrict => ("UPCR_PUT_BITS_STRICT", Form::Bits),
        RtOp::Notify => ("upcr_notify", Form::Call),
        RtOp::Wait => ("upcr_wait", Form::Call),
        RtOp::Barrier => ("upcr_barrier", Form::Call),
        RtOp::Fence => ("upcr_fence", Form::Call),
        RtOp::ForallDepth => ("upcr_forall_depth", Form::Name),
        RtOp::Threads => ("UPCR_THREADS", Form::Name),
        RtOp::MyThread => ("UPCR_MYTHREAD", Form::Name),
        RtOp::ForallSkip => ("upcr_forall_skip", Form::Call),
        RtOp::FloorDiv => ("upcr_floor_div", Form::Call),
        RtOp::Index => ("upcr_index", Form::Told),
        RtOp::WithPhase => ("upcr_with_phase", Form::Call),
        RtOp::Site(_) => ("UPCR_SITE", Form::Site),
        RtOp::InstOn => ("upcr_inst_on", Form::Name),
        RtOp::InstBudget => ("upcr_inst_budget", Form::Call),
        RtOp::InstConsume => ("upcr_inst_consume", Form::Call),
        RtOp::InstGet => ("UPCR_INST_GET", Form::InstrumentedTyped),
        RtOp::InstPut => ("UPCR_INST_PUT", Form::InstrumentedTyped),
        RtOp::InstGet0 => ("UPCR_INST_GET0", Form::InstrumentedTyped),
        RtOp::InstPut0 => ("UPCR_INST_PUT0", Form::InstrumentedTyped),
        RtOp::InstGetStrict => ("UPCR_INST_GET_STRICT", Form::InstrumentedTyped),
        RtOp::InstPutStrict => ("UPCR_INST_PUT_STRICT", Form::InstrumentedTyped),
        RtOp::InstGetBits => ("UPCR_INST_GET_BITS", Form::InstrumentedBits),
        RtOp::InstPutBits => ("UPCR_INST_PUT_BITS", Form::InstrumentedBits),
        RtOp::InstGetBitsStrict => ("UPCR_INST_GET_BITS_STRICT", Form::InstrumentedBits),
        RtOp::InstPutBitsStrict => ("UPCR_INST_PUT_BITS_STRICT", Form::InstrumentedBits),
        RtOp::InstNotify => ("upcr_inst_notify", Form::Call),
        RtOp::InstWait => ("upcr_inst_wait", Form::Call),
        RtOp::InstBarrier => ("upcr_inst_barrier", Form::Call),
        RtOp::InstFence => ("upcr_inst_fence", Form::Call),
        RtOp::InstCall(index) => (CALLS[usize::from(index)].instrumented, Form::Call),
    }
}

impl Emitter<'_> {
    /// Arguments of a macro: commas in braces would part them.
    fn macro_args(&mut self, args: ExprList) {
        let body = self.body;
        for (i, &arg) in body.list(args).iter().enumerate() {
            if i > 0 {
                self.out.put(", ");
            }
            let (start, literals) = (self.out.text.len(), self.out.literals);
            self.expr(arg, Prec::Assign);
            if self.out.literals != literals {
                self.out.text.insert(start, '(');
                self.out.put(")");
            }
        }
    }

    /// An operation, in what says of an access that it is not an ordinary one.
    pub(super) fn wrapped_op(&mut self, op: RtOp, args: ExprList, of: Option<TypeArg>, span: Span) {
        let Some(of) = of.filter(|of| of.kept || of.unaligned) else {
            return self.runtime_op(op, args, of, span);
        };
        // No line marker may stand among the arguments of a macro.
        self.out.flat += 1;
        let ty = self.type_name(of.ty);
        if of.kept {
            self.out.put(&format!("UPCR_KEPT({ty}, "));
            self.macro_args(args.split_at(args.len - 1).1);
            self.out.put(", ");
        }
        if of.unaligned {
            let wrapper = if reads_whole(op) {
                "UPCR_UNALIGNED_GET"
            } else {
                "UPCR_UNALIGNED"
            };
            self.out.put(&format!("{wrapper}({ty}, "));
        }
        self.runtime_op(op, args, Some(of), span);
        for _ in 0..u8::from(of.unaligned) + u8::from(of.kept) {
            self.out.put(")");
        }
        self.out.flat -= 1;
    }

    /// An operation with its arguments.
    fn runtime_op(&mut self, op: RtOp, args: ExprList, of: Option<TypeArg>, span: Span) {
        let (name, form) = spelling(op);
        self.out.put(name);
        match (form, op) {
            (Form::Name, _) => return,
            (Form::Site, RtOp::Site(site)) => return self.out.put(&format!("({})", site.0)),
            _ => {}
        }
        // No line marker may stand among the arguments of a macro.
        self.out.flat += 1;
        self.out.put("(");
        let mut values = args;
        if matches!(form, Form::InstrumentedTyped | Form::InstrumentedBits) {
            let (watch, rest) = args.split_at(2);
            self.macro_args(watch);
            self.out.put(", ");
            values = rest;
        }
        let typed = matches!(
            form,
            Form::Typed | Form::Bits | Form::InstrumentedTyped | Form::InstrumentedBits
        );
        if let (true, Some(of)) = (typed, of) {
            if of.unaligned {
                self.out.put("upcr_unaligned");
            } else {
                let name = self.type_name(of.ty);
                self.out.put(&name);
            }
            self.out.put(", ");
            if matches!(form, Form::Bits | Form::InstrumentedBits) {
                let path = self.bit_field_path(of.ty, of.field);
                self.out.put(&path);
                self.out.put(", ");
            }
        }
        if of.is_some_and(|of| of.kept) {
            self.macro_args(values.split_at(values.len - 1).0);
            self.out.put(", upcr_kept");
        } else {
            self.macro_args(values);
        }
        if form == Form::Told {
            let text = self.out.stream.slice(span);
            self.out.put(", ");
            let literal = string_literal(text);
            self.out.put(&literal);
        }
        self.out.put(")");
        self.out.flat -= 1;
    }

    /// `a.b.bits`
    fn bit_field_path(&self, record: TypeId, path: u32) -> String {
        let types = &self.module.types;
        let mut ty = QualType::plain(record);
        let mut names = Vec::new();
        for &index in &self.body.paths[path as usize] {
            let name = self.field_name(ty, index);
            if !name.is_empty() {
                names.push(name);
            }
            let field = types
                .record_id(ty)
                .and_then(|id| types.record(id).body.as_ref())
                .and_then(|b| b.fields.get(index as usize));
            ty = field.map_or(ty, |f| f.ty);
        }
        names.join(".")
    }
}

/// Characters of an expression that a message shows.
const TOLD: usize = 60;
/// Bytes of its text that are read, line markers between its tokens among them.
const READ: usize = 4096;

/// A C string literal that shows an expression: on one line, no longer than a message has room for.
pub(super) fn string_literal(text: &str) -> String {
    // Expressions in expressions: each is read for a bounded length.
    let mut read = text.len().min(READ);
    while !text.is_char_boundary(read) {
        read -= 1;
    }
    let cut = read < text.len();
    let text = &text[..read];
    let words: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .flat_map(str::split_whitespace)
        .collect();
    let text = words.join(" ");
    let shown: String = text.chars().take(TOLD).collect();
    let end = if cut || shown.len() < text.len() {
        "..."
    } else {
        ""
    };
    c_string(&format!("{shown}{end}"))
}

/// A C string literal of a text.
pub(super) fn c_string(text: &str) -> String {
    let mut literal = String::from("\"");
    for c in text.chars() {
        match c {
            // Two question marks would begin a trigraph.
            '\\' | '"' | '?' => literal.extend(['\\', c]),
            _ if c.is_ascii_control() => literal.push_str(&format!("\\{:03o}", u32::from(c))),
            _ => literal.push(c),
        }
    }
    literal.push('"');
    literal
}
