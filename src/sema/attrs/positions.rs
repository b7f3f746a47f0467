//! Checks attributes that name parameters by their numbers against the function's type.

use super::arguments::{Subject, Suspect};
use super::scan::{Arguments, Form};
use crate::sema::Sema;
use crate::sema::formats::Format;
use crate::types::{FuncType, QualType, Quals};

/// What an attribute says about a function by its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Positions {
    /// `format (archetype, string, first)`
    Format,
    /// `format_arg (string)`
    FormatArg,
    /// `access (mode, pointer, size)`
    Access,
    /// No arguments: the result is a pointer.
    Result,
}

/// Why an attribute does not fit a function: message and help.
type Misfit = (String, &'static str);

/// The kind of format without the prefix of the library.
fn plain_kind(kind: &str) -> &str {
    let kind = kind.trim_matches('_');
    kind.strip_prefix("gnu_").unwrap_or(kind)
}

/// The format that the arguments of the attribute describe.
fn format_of(forms: [Option<Form<'_>>; 3]) -> Option<Format> {
    let [
        Some(Form::Name(kind)),
        Some(Form::Integer(string)),
        Some(Form::Integer(first)),
    ] = forms
    else {
        return None;
    };
    Format::of_attribute(plain_kind(kind), string, first)
}

impl Sema<'_> {
    /// Checks an attribute on a function, or a pointer to a function, of this type.
    pub(super) fn check_positions(&mut self, suspect: Suspect, which: Positions, on: Subject) {
        let ty = on.ty;
        let target = self.types.pointee(ty).unwrap_or(ty);
        let Some(function) = self.types.function(target) else {
            return;
        };
        if !function.prototype && which != Positions::Result {
            return;
        }
        let (start, end) = suspect.args();
        let text = &self.parsed.stream.text;
        let form = |at: usize| {
            let argument = Arguments::of(text, (start, end)).nth(at)?;
            Some(Form::of(&text[argument]))
        };
        let forms = [form(0), form(1), form(2)];
        let misfit = match which {
            Positions::Format => self.format_misfit(function, forms),
            Positions::FormatArg => self.string_misfit(function, forms[0]),
            Positions::Access => self.access_misfit(function, forms),
            Positions::Result => self.result_misfit(function),
        };
        if let Some((message, help)) = misfit {
            return self.report(suspect, message, help.to_owned());
        }
        if which == Positions::Format
            && self.types.is_function(ty)
            && let Some(name) = on.name
            && let Some(format) = format_of(forms)
        {
            self.formats.insert(name, format);
        }
    }

    fn format_misfit(&self, function: &FuncType, forms: [Option<Form<'_>>; 3]) -> Option<Misfit> {
        const KNOWN: [&str; 4] = ["printf", "scanf", "strfmon", "strftime"];
        let [Some(Form::Name(kind)), string, first] = forms else {
            return None;
        };
        let kind = plain_kind(kind);
        let (Some(Form::Integer(at)), Some(Form::Integer(first))) = (string, first) else {
            return None;
        };
        let count = function.params.len() as i128;
        if !KNOWN.contains(&kind) || !(1..=count).contains(&at) {
            return None;
        }
        if let Some(misfit) = self.string_misfit(function, string) {
            return Some(misfit);
        }
        let ellipsis = function.variadic && first == count + 1;
        if kind == "strftime" && first != 0 {
            let message =
                "a strftime format has no arguments: the third number must be 0".to_owned();
            return Some((message, "write 0"));
        }
        if first != 0 && !ellipsis {
            let message = match function.variadic {
                true => format!(
                    "the arguments of the format begin with number {}, not {first}",
                    count + 1
                ),
                false => {
                    format!("parameter {first} is not `...`, as the arguments of a format are")
                }
            };
            let help = "the last number is that of `...`; it is 0 for functions with a `va_list`";
            return Some((message, help));
        }
        None
    }

    /// Checks that the parameter of this number can be a string. gcc only warns of numbers that are too large.
    fn string_misfit(&self, function: &FuncType, at: Option<Form<'_>>) -> Option<Misfit> {
        let (at, param) = parameter(function, at)?;
        let other = self.types.is_arithmetic(param) || self.types.is_record(param);
        other.then(|| {
            let message = format!("parameter {at} is not a string, but `{}`", self.show(param));
            (message, "parameters are numbered from 1")
        })
    }

    fn access_misfit(&self, function: &FuncType, forms: [Option<Form<'_>>; 3]) -> Option<Misfit> {
        let [Some(Form::Name(mode)), pointer, size] = forms else {
            return None;
        };
        let count = function.params.len();
        let help = "parameters are numbered from 1";
        let Some(at) = pointer else {
            let message = "attribute `access` needs the number of a parameter".to_owned();
            return Some((message, help));
        };
        for form in [Some(at), size].into_iter().flatten() {
            let Form::Integer(at) = form else { continue };
            if at < 1 || at > count as i128 && !function.variadic {
                let message = format!("the function has no parameter {at}: it has {count}");
                return Some((message, help));
            }
        }
        if let Some((at, param)) = parameter(function, pointer) {
            let target = self.types.pointee(param);
            let scalar = self.types.is_arithmetic(param) || self.types.is_record(param);
            if target.is_none() && scalar {
                let message = format!(
                    "parameter {at} is not a pointer, but `{}`",
                    self.show(param)
                );
                return Some((message, help));
            }
            let writes = matches!(mode.trim_matches('_'), "write_only" | "read_write");
            let constant = |target: QualType| self.types.resolve(target).quals.has(Quals::CONST);
            if writes && target.is_some_and(constant) {
                let message = format!(
                    "parameter {at} is `{}`, which cannot be written through",
                    self.show(param)
                );
                return Some((message, "write `read_only`, or remove `const`"));
            }
        }
        let (at, param) = parameter(function, size)?;
        let other = !self.types.is_integer(param) && !self.types.is_unknown(param);
        other.then(|| {
            let message = format!("parameter {at} is not a size, but `{}`", self.show(param));
            (message, help)
        })
    }

    fn result_misfit(&self, function: &FuncType) -> Option<Misfit> {
        let other = self.types.is_arithmetic(function.ret) || self.types.is_record(function.ret);
        (other || self.types.is_void(function.ret)).then(|| {
            let message = format!(
                "the function does not return a pointer, but `{}`",
                self.show(function.ret)
            );
            (message, "remove `returns_nonnull`")
        })
    }
}

/// The parameter that an argument numbers, and its number.
fn parameter(function: &FuncType, at: Option<Form<'_>>) -> Option<(i128, QualType)> {
    let Some(Form::Integer(at)) = at else {
        return None;
    };
    let index = usize::try_from(at).ok()?.checked_sub(1)?;
    Some((at, *function.params.get(index)?))
}
