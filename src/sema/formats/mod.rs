//! Checks the arguments of `printf`, `scanf` and functions like them against the format (C11 7.21.6): those of the C
//! library, and those with the attribute `format`. The C compiler, which has the same warning, would show the types of
//! translated text; it does not report these.
//!
//! Only formats that are string literals are checked, or a choice of literals.

mod parse;
mod want;

use super::report::code;
use super::{Context, SymbolTable, il};
use crate::diag::{Certainty, Edit, Help};
use crate::il::ExprKind;
use crate::types::{IntKind, QualType};
use parse::{Conversion, Number, Piece, pieces};
use std::ops::Range;
use upcc_grammar::ast::Span;
use upcc_grammar::symbol::Symbol;
use want::{Misuse, Want, wanted};

/// Which rules a format follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    Printf,
    Scanf,
    Strftime,
}

/// The format of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    pub family: Family,
    /// The number of the parameter that is the format, from 1.
    pub string: u32,
    /// The number of the first argument that it is about; 0: they are elsewhere, as in a `va_list`.
    pub first: u32,
}

/// The functions of the C library, for which headers need no attribute.
const LIBRARY: &[(&str, Family, u32, u32)] = &[
    ("printf", Family::Printf, 1, 2),
    ("fprintf", Family::Printf, 2, 3),
    ("sprintf", Family::Printf, 2, 3),
    ("snprintf", Family::Printf, 3, 4),
    ("dprintf", Family::Printf, 2, 3),
    ("asprintf", Family::Printf, 2, 3),
    ("syslog", Family::Printf, 2, 3),
    ("vprintf", Family::Printf, 1, 0),
    ("vfprintf", Family::Printf, 2, 0),
    ("vsprintf", Family::Printf, 2, 0),
    ("vsnprintf", Family::Printf, 3, 0),
    ("vdprintf", Family::Printf, 2, 0),
    ("vasprintf", Family::Printf, 2, 0),
    ("scanf", Family::Scanf, 1, 2),
    ("fscanf", Family::Scanf, 2, 3),
    ("sscanf", Family::Scanf, 2, 3),
    ("vscanf", Family::Scanf, 1, 0),
    ("vfscanf", Family::Scanf, 2, 0),
    ("vsscanf", Family::Scanf, 2, 0),
    ("strftime", Family::Strftime, 3, 0),
];

impl Format {
    /// The format of a function of the C library.
    fn of_library(name: &str) -> Option<Format> {
        let row = LIBRARY.iter().find(|(known, ..)| *known == name);
        row.map(|&(_, family, string, first)| Format {
            family,
            string,
            first,
        })
    }

    /// The format that the attribute `format (kind, string, first)` describes.
    pub(super) fn of_attribute(kind: &str, string: i128, first: i128) -> Option<Format> {
        let family = match kind {
            "printf" => Family::Printf,
            "scanf" => Family::Scanf,
            "strftime" => Family::Strftime,
            _ => return None,
        };
        Some(Format {
            family,
            string: u32::try_from(string).ok()?,
            first: u32::try_from(first).ok()?,
        })
    }
}

/// A function that a call names, and its format.
#[derive(Clone, Copy, Debug)]
pub struct Called {
    name: Symbol,
    format: Format,
    /// The function is one of a system header.
    library: bool,
}

/// A call whose format is checked.
struct Call<'c> {
    called: Called,
    arguments: &'c [il::ExprId],
}

/// The arguments that a format has used so far.
#[derive(Default)]
struct Used {
    /// The number of those that it has taken in turn.
    in_turn: usize,
    /// It names arguments by their numbers.
    numbered: bool,
}

impl SymbolTable<'_> {
    /// The format of the function that a call names.
    pub(super) fn format_of(&self, function: il::ExprId, name: Symbol) -> Option<Called> {
        let ExprKind::Decay(place) = self.node(function).kind else {
            return None;
        };
        let ExprKind::Object(object) = self.node(place).kind else {
            return None;
        };
        let known = self.formats.get(&name).copied();
        let format = known.or_else(|| Format::of_library(self.name(name)))?;
        Some(Called {
            name,
            format,
            library: self.parsed.in_system_header(self.objects[object].span),
        })
    }

    /// Checks the arguments of a call.
    pub(super) fn check_format(&mut self, called: Called, arguments: &[il::ExprId]) {
        let call = Call { called, arguments };
        let string = (called.format.string as usize).checked_sub(1);
        let Some(&string) = string.and_then(|at| arguments.get(at)) else {
            return;
        };
        let mut literals = Vec::new();
        self.literals(string, &mut literals);
        let only = literals.len() == 1;
        for literal in literals {
            self.check_literal(&call, literal, only);
        }
    }
}

impl super::Nodes<'_> {
    /// The string literals among which an expression chooses.
    fn literals(&self, e: il::ExprId, found: &mut Vec<Span>) {
        let node = self.node(e);
        match node.kind {
            ExprKind::Cast { value, .. } => self.literals(value, found),
            ExprKind::Decay(place) if matches!(self.node(place).kind, ExprKind::Str) => {
                found.push(self.node(place).span);
            }
            ExprKind::Cond(_, a, b) => {
                self.literals(a, found);
                self.literals(b, found);
            }
            _ => {}
        }
    }

    fn check_literal(&mut self, call: &Call<'_>, literal: Span, only: bool) {
        let stream = &self.parsed.stream;
        let tokens = (literal.lo..literal.hi).map(|token| {
            let start = stream.bytes(Span {
                lo: token,
                hi: token + 1,
            });
            (stream.token_text(token), start.start)
        });
        let Some(letters) = parse::letters(tokens) else {
            return;
        };
        let mut used = Used::default();
        for piece in pieces(&letters, call.called.format.family) {
            let checked = match piece {
                Piece::Conversion(conversion) => {
                    self.check_conversion(call, &conversion, &mut used)
                }
                Piece::Unfinished(bytes) => {
                    let message = "this `%` is not followed by a conversion";
                    self.diags
                        .report(code::FORMAT, bytes, message)
                        .help("write `%%` for a percent sign");
                    None
                }
            };
            if checked.is_none() {
                return;
            }
        }
        let first = call.called.format.first as usize;
        if let Some(first) = first.checked_sub(1)
            && only
            && !used.numbered
            && let Some(&extra) = call.arguments.get(first + used.in_turn)
        {
            self.unused_argument(call, first + used.in_turn + 1, extra, literal);
        }
    }

    fn unused_argument(&mut self, call: &Call<'_>, number: usize, extra: il::ExprId, at: Span) {
        let stream = &self.parsed.stream;
        let (bytes, format) = (stream.bytes(self.node(extra).span), stream.bytes(at));
        let message = format!(
            "the format of `{}` has no conversion for argument {number}",
            self.name(call.called.name)
        );
        self.diags
            .report(code::FORMAT_EXTRA, bytes, message)
            .label(format, "the format")
            .help("add a conversion to the format, or remove the argument");
    }

    /// Checks one conversion. `None`: nothing is known about what follows.
    fn check_conversion(
        &mut self,
        call: &Call<'_>,
        conversion: &Conversion,
        used: &mut Used,
    ) -> Option<()> {
        for (number, what) in [
            (conversion.width, "field width"),
            (conversion.precision, "precision"),
        ] {
            if let Number::Argument(position) = number {
                self.check_star(call, conversion, position, what, used)?;
            }
        }
        let want = match wanted(conversion, call.called.format.family) {
            Ok(want) => want.filter(|_| !conversion.suppressed),
            Err(misuse) => {
                self.misuse(call, conversion, &misuse);
                // What an unknown conversion takes is unknown.
                if misuse == Misuse::Unknown {
                    return None;
                }
                if !conversion.suppressed {
                    self.argument(call, conversion, conversion.position, used)?;
                }
                return Some(());
            }
        };
        let Some(want) = want else { return Some(()) };
        let Some((number, e)) = self.argument(call, conversion, conversion.position, used)? else {
            return Some(());
        };
        self.check_argument(call, conversion, want, (number, e));
        Some(())
    }

    /// The next argument, or the one at a position. `Some(None)`: the arguments are elsewhere. `None`: there is none,
    /// which is reported.
    fn argument(
        &mut self,
        call: &Call<'_>,
        conversion: &Conversion,
        position: Option<u32>,
        used: &mut Used,
    ) -> Option<Option<(usize, il::ExprId)>> {
        let Some(first) = (call.called.format.first as usize).checked_sub(1) else {
            return Some(None);
        };
        let at = match position {
            Some(position) => {
                used.numbered = true;
                first + (position as usize).checked_sub(1)?
            }
            None => {
                used.in_turn += 1;
                first + used.in_turn - 1
            }
        };
        if let Some(&e) = call.arguments.get(at) {
            return Some(Some((at + 1, e)));
        }
        let message = format!("`{}` has no argument", conversion.text);
        let bytes = conversion.bytes.clone();
        self.diags
            .report(code::FORMAT, bytes, message)
            .help("add the argument, or remove the conversion from the format");
        None
    }

    /// Checks the argument of a `*`.
    fn check_star(
        &mut self,
        call: &Call<'_>,
        conversion: &Conversion,
        position: Option<u32>,
        what: &str,
        used: &mut Used,
    ) -> Option<()> {
        let Some((_, e)) = self.argument(call, conversion, position, used)? else {
            return Some(());
        };
        let given = self.given(e);
        if !self.types.is_unknown(given) && !self.prints(Want::Int(IntKind::Int), self.ty(e)) {
            let message = format!(
                "the {what} `*` of `{}` takes `int`, but its argument is {}",
                conversion.text,
                self.quoted(given)
            );
            let cast = "cast the argument to `int`".into();
            self.mismatch(conversion.bytes.clone(), message, e, cast);
        }
        Some(())
    }

    fn check_argument(
        &mut self,
        call: &Call<'_>,
        conversion: &Conversion,
        want: Want,
        (number, e): (usize, il::ExprId),
    ) {
        let (given, promoted) = (self.given(e), self.ty(e));
        // `lint` reports pointers-to-shared that the C library gets.
        let reported = call.called.library && self.types.is_pts(promoted);
        if self.types.is_unknown(promoted) || reported {
            return;
        }
        let scanf = call.called.format.family == Family::Scanf;
        let right = match scanf {
            true => self.scans(want, promoted, conversion.allocates),
            false => self.prints(want, promoted),
        };
        if right {
            return;
        }
        let pointee = match want {
            Want::Text | Want::Wide => true,
            Want::Int(_) | Want::Float(_) | Want::Pointer | Want::Count(_) => scanf,
        };
        let name = self.want_name(want, conversion);
        let takes = match pointee {
            true if name.ends_with('*') || conversion.allocates => format!("{} *", name.trim_end()),
            true => format!("{name} *"),
            false => name,
        };
        let message = format!(
            "`{}` takes `{takes}`, but argument {number} of `{}` is {}",
            conversion.text,
            self.name(call.called.name),
            self.quoted(given)
        );
        let help = match scanf {
            true => self.scan_help(conversion, want, e),
            false => self.print_help(conversion, want, given),
        };
        self.mismatch(conversion.bytes.clone(), message, e, help);
    }

    fn mismatch(&mut self, bytes: Range<u32>, message: String, e: il::ExprId, help: Help) {
        let argument = self.parsed.stream.bytes(self.node(e).span);
        let given = self.show(self.given(e));
        self.diags
            .report(code::FORMAT, bytes, message)
            .label(argument, format!("`{given}`"))
            .help(help);
    }

    /// The type of an argument before the default argument promotions.
    fn given(&self, e: il::ExprId) -> QualType {
        match self.node(e).kind {
            ExprKind::Cast {
                value,
                implicit: true,
            } => self.ty(value),
            _ => self.ty(e),
        }
    }

    /// What to write instead of a conversion of `printf`.
    fn print_help(&self, conversion: &Conversion, want: Want, given: QualType) -> Help {
        let same = match want {
            Want::Int(_) => self.types.is_integer(given),
            Want::Float(_) => {
                matches!(self.types.kind(given), crate::types::Type::Float(_))
            }
            Want::Text | Want::Wide | Want::Pointer | Want::Count(_) => false,
        };
        let fitting = self.fitting(conversion, given);
        match fitting.filter(|fitting| *fitting != conversion.text) {
            Some(fitting) => written(conversion, fitting, same),
            None if self.types.is_pts(given) => "a pointer-to-shared has no conversion: show its upc_threadof, upc_phaseof and upc_addrfield".into(),
            None if self.types.is_record(given) => "print its members one by one".into(),
            None if self.types.is_pointer(given) => "write `*` in front of the argument for the value that it points to, or `%p` for the pointer".into(),
            None => "pass a value of the right type".into(),
        }
    }

    /// What to write instead of a conversion of `scanf`, or of its argument.
    fn scan_help(&self, conversion: &Conversion, want: Want, e: il::ExprId) -> Help {
        let node = self.node(e);
        let bytes = self.parsed.stream.bytes(node.span);
        let number = matches!(want, Want::Int(_) | Want::Float(_));
        let Some(to) = self.types.pointee(node.ty) else {
            let value = self.given(e);
            let fits = match want {
                Want::Int(kind) => self
                    .types
                    .int_kind_of(value)
                    .is_some_and(|given| want::unsigned(given) == want::unsigned(kind)),
                Want::Float(kind) => *self.types.kind(value) == crate::types::Type::Float(kind),
                Want::Text | Want::Wide | Want::Pointer | Want::Count(_) => false,
            };
            let words = "pass the address of the object: write `&` in front of it";
            let place = self.is_loaded(e);
            let certainty = match fits && place {
                true => Certainty::Certain,
                false => Certainty::Maybe,
            };
            let text = "&".to_owned();
            return match place && number {
                true => Help::edit(words, Edit::Before { bytes, text }, certainty),
                false => "pass the address of an object".into(),
            };
        };
        if let Some((elem, _)) = self.types.array(to)
            && self
                .types
                .int_kind_of(elem)
                .is_some_and(|kind| want == Want::Text && want::unsigned(kind) == IntKind::UChar)
        {
            return "remove the `&`: the name of an array is its address".into();
        }
        if self.types.is_pts(node.ty) {
            return "read into a private variable, and assign its value to the shared object"
                .into();
        }
        let same = match want {
            Want::Int(_) => self.types.is_integer(to),
            Want::Float(_) => matches!(self.types.kind(to), crate::types::Type::Float(_)),
            Want::Text | Want::Wide | Want::Pointer | Want::Count(_) => false,
        };
        match self.fitting_scan(conversion, to) {
            Some(fitting) if fitting != conversion.text => written(conversion, fitting, same),
            Some(_) | None => "pass the address of an object of the right type".into(),
        }
    }

    /// Whether an argument is the value of an object.
    fn is_loaded(&self, e: il::ExprId) -> bool {
        match self.node(e).kind {
            ExprKind::Load(_) => true,
            ExprKind::Cast {
                value,
                implicit: true,
            } => matches!(self.node(value).kind, ExprKind::Load(_)),
            _ => false,
        }
    }
}

impl Context<'_> {
    fn misuse(&mut self, call: &Call<'_>, conversion: &Conversion, misuse: &Misuse) {
        let text = &conversion.text;
        let function = match call.called.format.family {
            Family::Printf => "printf",
            Family::Scanf => "scanf",
            Family::Strftime => "strftime",
        };
        let (message, help) = match misuse {
            Misuse::Unknown => (
                format!("`{text}` is not a conversion of {function}"),
                "write `%%` for a percent sign",
            ),
            Misuse::Length => (
                format!(
                    "`{}` has no such length modifier: `{text}`",
                    conversion.letter
                ),
                "remove the letters between `%` and the conversion",
            ),
            Misuse::Flag(flag) => (
                format!("the flag `{flag}` has no meaning in `{text}`"),
                "remove the flag; write `%%` for a percent sign",
            ),
            Misuse::Precision => (
                format!("a precision has no meaning in `{text}`"),
                "remove the precision",
            ),
        };
        let bytes = conversion.bytes.clone();
        self.diags.report(code::FORMAT, bytes, message).help(help);
    }
}

/// The suggestion to write another conversion. `same`: for the same kind of value, so that nothing else is meant.
fn written(conversion: &Conversion, fitting: String, same: bool) -> Help {
    let words = format!("write `{fitting}`");
    let certainty = match same {
        true => Certainty::Certain,
        false => Certainty::Maybe,
    };
    let bytes = conversion.bytes.clone();
    // The literals of a conversion may be several, as in `"%" PRId64`.
    match bytes.len() == conversion.text.len() {
        true => Help::replace(words, bytes, fitting, certainty),
        false => words.into(),
    }
}
