//! Writes runtime operations, as their table says ([`crate::il::operations`]).

use super::Emitter;
use super::expr::Prec;
use crate::diag;
use crate::il::operations::{Direction, Form, TypeArg};
use crate::il::{ExprList, RtOp};
use crate::types::{QualType, TypeId};
use upcc_grammar::ast::Span;

/// The type argument of an operation.
#[derive(Clone, Copy)]
pub(super) struct AccessedType {
    pub(super) ty: TypeId,
    /// For operations on a bit-field: the index in `Body::paths` of the path to it.
    pub(super) field: u32,
    /// The place may lack the type's alignment.
    pub(super) unaligned: bool,
    /// A record is written and its value is used.
    pub(super) kept: bool,
}

/// True for reads of anything but bit-fields.
fn reads_whole(op: RtOp) -> bool {
    matches!(op, RtOp::Access(access) if access.direction == Direction::Get && !access.bits)
}

impl Emitter<'_> {
    /// Writes arguments of a macro, in parentheses where commas in braces would split them.
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

    /// Writes an operation, inside the macro that marks an unusual access.
    pub(super) fn wrapped_op(
        &mut self,
        op: RtOp,
        args: ExprList,
        of: Option<AccessedType>,
        span: Span,
    ) {
        let Some(of) = of.filter(|of| of.kept || of.unaligned) else {
            return self.runtime_op(op, args, of, span);
        };
        // A line marker must not appear among the arguments of a macro.
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
    fn runtime_op(&mut self, op: RtOp, args: ExprList, of: Option<AccessedType>, span: Span) {
        let row = op.row();
        self.out.put(&row.spelling);
        if row.form == Form::Name {
            return;
        }
        if let RtOp::Site(site) = op {
            return self.out.put(&format!("({})", site.0));
        }
        // A line marker must not appear among the arguments of a macro.
        self.out.flat += 1;
        self.out.put("(");
        let (leading, values) = args.split_at(row.leading as u32);
        if leading.len > 0 {
            self.macro_args(leading);
            self.out.put(", ");
        }
        match row.type_arg {
            TypeArg::None => {}
            TypeArg::Accessed | TypeArg::Record => {
                let of = diag::known(of, span, "an access to no type");
                self.accessed_type(of, row.type_arg);
            }
        }
        if of.is_some_and(|of| of.kept) {
            self.macro_args(values.split_at(values.len - 1).0);
            self.out.put(", upcr_kept");
        } else {
            self.macro_args(values);
        }
        if row.form == Form::Quoted {
            let text = self.out.stream.slice(span);
            self.out.put(", ");
            let literal = string_literal(text);
            self.out.put(&literal);
        }
        self.out.put(")");
        self.out.flat -= 1;
    }

    /// The type argument, and the member if it is the record of a bit-field, each with a comma after it.
    fn accessed_type(&mut self, of: AccessedType, type_arg: TypeArg) {
        match of.unaligned {
            true => self.out.put("upcr_unaligned"),
            false => {
                let name = self.type_name(of.ty);
                self.out.put(&name);
            }
        }
        self.out.put(", ");
        if type_arg == TypeArg::Record {
            let path = self.bit_field_path(of.ty, of.field);
            self.out.put(&path);
            self.out.put(", ");
        }
    }

    /// `a.b.bits`
    fn bit_field_path(&self, record: TypeId, path: u32) -> String {
        let mut ty = QualType::plain(record);
        let mut names = Vec::new();
        for &index in &self.body.paths[path as usize] {
            let name = self.field_name(ty, index);
            if !name.is_empty() {
                names.push(name);
            }
            ty = self.member_of(ty, index).ty;
        }
        names.join(".")
    }
}

/// Characters of an expression that a message shows.
const SHOWN: usize = 60;
/// Bytes of its text that are read, line markers between its tokens among them.
const READ: usize = 4096;

/// Returns a C string literal that shows an expression on one line, cut to the capacity of a message.
pub(super) fn string_literal(text: &str) -> String {
    // Expressions nest, so the length read for each is bounded.
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
    let shown: String = text.chars().take(SHOWN).collect();
    let end = if cut || shown.len() < text.len() {
        "..."
    } else {
        ""
    };
    c_string(&format!("{shown}{end}"))
}

/// Returns a C string literal for a text.
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
