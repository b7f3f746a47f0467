//! Checks attributes against the table: number and kind of their arguments, and what they stand on.
//!
//! The texts of all attributes are examined once, before the analysis. What may be wrong is remembered as a suspect;
//! most units have none. A declaration then reports those of its suspects that are wrong on it.

use super::modes::is_mode;
use super::positions::Positions;
use super::scan::{Arguments, Form};
use super::table::{ANY_NUMBER, Argument, Places, Row};
use super::{in_brackets, in_tag};
use crate::diag::{Help, codes};
use crate::sema::hints::{UsedAs, include_help, meant};
use crate::sema::{Context, Entity, Sema};
use crate::types::{QualType, Types};
use std::ops::Range;
use upcc_grammar::ast::{self, Span};
use upcc_grammar::symbol::Symbol;
use upcc_grammar::token::KEYWORDS;

/// An attribute that is wrong on some declarations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Suspect {
    /// Index of the token it precedes.
    before: u32,
    row: &'static Row,
    /// Where it is wrong.
    on: Places,
    problem: Problem,
    /// The bytes to show.
    bytes: (u32, u32),
}

impl Suspect {
    /// The bytes of its arguments, if its problem is their relation to the function.
    pub(super) fn args(&self) -> (u32, u32) {
        self.bytes
    }
}

/// What attributes stand on.
#[derive(Clone, Copy, Debug)]
pub(in crate::sema) struct Subject {
    pub place: Places,
    /// The type of a function or variable.
    pub ty: QualType,
    /// Its name.
    pub name: Option<Symbol>,
}

impl From<Places> for Subject {
    fn from(place: Places) -> Subject {
        let ty = QualType::plain(Types::UNKNOWN);
        let name = None;
        Subject { place, ty, name }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Problem {
    /// There are this many arguments.
    Number(usize),
    /// The argument is of another kind.
    Kind,
    /// The argument must name a function.
    Function,
    /// The argument must be declared.
    Undeclared,
    /// The argument must name something that the unit defines.
    Symbol,
    /// The attribute is refused.
    Place,
    /// The arguments must fit the function.
    Positions(Positions),
}

/// The attributes of a unit that may be wrong.
#[derive(Debug)]
pub(in crate::sema) struct Suspects {
    /// The C compiler is gcc. Others are known to refuse only some of what gcc refuses.
    gcc: bool,
    /// In the order of their tokens.
    list: Vec<Suspect>,
    /// The bytes of the names, with quotation marks, of which declarations are aliases.
    targets: Vec<(u32, u32)>,
    /// There are none before the tokens between these two: those of the suspects around the last declaration without
    /// any. Most declarations of a header lie between the same suspects.
    gap: (u32, u32),
}

impl Suspects {
    /// No suspects so far in this preprocessed text.
    pub(super) fn new(text: &str) -> Suspects {
        Suspects {
            gcc: is_of_gcc(text),
            list: Vec::new(),
            targets: Vec::new(),
            gap: (0, 0),
        }
    }

    /// Whether gcc compiles the unit.
    pub(super) fn gcc(&self) -> bool {
        self.gcc
    }

    /// Examines the attribute whose name and arguments stand at these bytes. Returns whether it has as many arguments
    /// as it needs.
    pub(super) fn examine(
        &mut self,
        text: &str,
        before: u32,
        row: &'static Row,
        name: Range<usize>,
        args: (u32, u32),
    ) -> bool {
        let mut number = 0;
        for argument in Arguments::of(text, args) {
            if argument.is_empty() {
                // The C compiler reports the syntax error.
                return false;
            }
            number += 1;
        }
        let name = (name.start as u32, name.end as u32);
        let most = match row.most {
            ANY_NUMBER => usize::MAX,
            most => usize::from(most),
        };
        if number < usize::from(row.least) || number > most {
            if self.gcc || row.clang {
                let bytes = (name.0, if args.1 == 0 { name.1 } else { args.1 + 1 });
                self.suspect(before, row, Places::ALL, Problem::Number(number), bytes);
            }
            return false;
        }
        if !self.gcc {
            return true;
        }
        if row.refused != Places::NONE && !row.idle(text, args) {
            self.suspect(before, row, row.refused, Problem::Place, name);
        }
        if let Some(which) = row.positions {
            let bytes = if args.1 == 0 { name } else { args };
            self.suspect(before, row, FUNCTIONS, Problem::Positions(which), bytes);
        }
        for (at, argument) in Arguments::of(text, args).enumerate() {
            let form = Form::of(&text[argument.clone()]);
            if let Some((problem, on)) = row.doubt(at, form) {
                let bytes = (argument.start as u32, argument.end as u32);
                self.suspect(before, row, on, problem, bytes);
            }
        }
        true
    }

    fn suspect(
        &mut self,
        before: u32,
        row: &'static Row,
        on: Places,
        problem: Problem,
        bytes: (u32, u32),
    ) {
        self.list.push(Suspect {
            before,
            row,
            on,
            problem,
            bytes,
        });
    }

    /// How many have been found.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The indices of those before one of the tokens `lo..=hi`.
    fn within(&mut self, lo: u32, hi: u32) -> Range<usize> {
        if self.gap.0 < lo && hi < self.gap.1 {
            return 0..0;
        }
        let from = self.list.partition_point(|s| s.before < lo);
        let rest = &self.list[from..];
        let to = from + rest.partition_point(|s| s.before <= hi);
        if from == to {
            let before = from.checked_sub(1).map_or(0, |at| self.list[at].before);
            let after = self.list.get(from).map_or(u32::MAX, |s| s.before);
            self.gap = (before, after);
        }
        from..to
    }

    /// Whether there are none before one of the tokens `lo..=hi`.
    fn none(&mut self, lo: u32, hi: u32) -> bool {
        self.list.is_empty() || self.within(lo, hi).is_empty()
    }
}

/// What has a function type, or points to it.
const FUNCTIONS: Places = Places::FUNCTIONS.or(Places::FUNCTION_POINTER);

/// Whether gcc has preprocessed the text: it calls the place of macros from options `<command-line>`, clang
/// `<command line>`.
fn is_of_gcc(text: &str) -> bool {
    let markers = text.lines().take_while(|line| line.starts_with('#'));
    markers
        .take(8)
        .any(|line| line.contains("\"<command-line>\""))
}

impl Row {
    /// What is wrong with an argument of this form, and where; `None` if nothing is, or nobody knows.
    fn doubt(&self, at: usize, form: Form<'_>) -> Option<(Problem, Places)> {
        let first = at == 0;
        let constant = matches!(form, Form::Text(_) | Form::Integer(_) | Form::Floating);
        let text = matches!(form, Form::Text(_) | Form::Other);
        let wrong = match self.argument {
            Argument::Names => false,
            Argument::Text | Argument::Weak => !text,
            Argument::FirstText => first && !text,
            Argument::Symbol if matches!(form, Form::Text(Some(_))) => {
                return Some((Problem::Symbol, self.on));
            }
            Argument::Symbol => !text,
            Argument::TextOf(words) => match form {
                Form::Text(Some(word)) => !words.contains(&word),
                _ => !text,
            },
            Argument::Version => match form {
                Form::Text(Some(name)) => !name.contains('@'),
                _ => !text,
            },
            Argument::WordOf(words) if first => match form {
                Form::Name(word) => !words.contains(&word.trim_matches('_')),
                _ => constant,
            },
            Argument::Mode => matches!(form, Form::Name(name) if !is_mode(name)),
            Argument::Function if first => match form {
                Form::Name(_) => return Some((Problem::Function, self.on)),
                _ => constant,
            },
            Argument::Deallocator if first => match form {
                Form::Name(_) => return Some((Problem::Function, Places::ALL | self.on)),
                _ => constant,
            },
            Argument::PowerOfTwo => match form {
                Form::Integer(n) => n < 0 || n.count_ones() > 1,
                Form::Name(_) | Form::Other => false,
                Form::Text(_) | Form::Floating => true,
            },
            Argument::Priority => match form {
                Form::Integer(n) => !(0..=65535).contains(&n),
                Form::Name(_) | Form::Other => false,
                Form::Text(_) | Form::Floating => true,
            },
            Argument::Any | Argument::WordOf(_) | Argument::Function | Argument::Deallocator => {
                false
            }
        };
        if wrong {
            return Some((Problem::Kind, self.on));
        }
        let evaluated = match self.argument {
            Argument::Any | Argument::PowerOfTwo | Argument::Priority => true,
            Argument::WordOf(_) | Argument::Function | Argument::Deallocator => !first,
            Argument::Names
            | Argument::Text
            | Argument::FirstText
            | Argument::TextOf(_)
            | Argument::Version
            | Argument::Symbol
            | Argument::Weak
            | Argument::Mode => false,
        };
        let name = matches!(form, Form::Name(_));
        (evaluated && name).then_some((Problem::Undeclared, Places::ALL))
    }

    /// Whether the attribute has no effect with these arguments, so that it may stand anywhere: a weak reference without
    /// a target, an alignment of 0.
    fn idle(&self, text: &str, args: (u32, u32)) -> bool {
        let first = Arguments::of(text, args).next();
        let form = first.map(|at| Form::of(&text[at]));
        match self.argument {
            Argument::Weak => form.is_none(),
            _ => form == Some(Form::Integer(0)),
        }
    }

    /// The number of arguments, in words.
    fn number(&self) -> String {
        match (self.least, self.most) {
            (_, 0) => "no arguments".to_owned(),
            (least, ANY_NUMBER) => format!("at least {least} argument{}", plural(least)),
            (0, most) => format!("at most {most} argument{}", plural(most)),
            (least, most) if least == most => format!("{least} argument{}", plural(least)),
            (least, most) => format!("{least} to {most} arguments"),
        }
    }
}

fn plural(number: u8) -> &'static str {
    if number == 1 { "" } else { "s" }
}

impl Sema<'_> {
    /// Whether there may be a wrong attribute before one of the tokens `lo..=hi`.
    pub(in crate::sema) fn suspected(&mut self, lo: u32, hi: u32) -> bool {
        !self.attributes.suspects.none(lo, hi)
    }

    /// Reports the attributes that are wrong in declaration specifiers. Attributes of a tag in them are not those of
    /// the declaration.
    pub(in crate::sema) fn check_attributes_of_specs(
        &mut self,
        id: ast::SpecsId,
        on: impl Into<Subject>,
    ) {
        let ast = self.ast;
        let specs = &ast[id];
        let Span { lo, hi } = specs.span;
        if self.attributes.suspects.none(lo, hi) {
            return;
        }
        self.check_attributes(specs.span, in_tag(ast, specs), on.into());
    }

    /// Reports the attributes that are wrong in a declarator that ends before token `hi`, except for those of
    /// parameters.
    pub(in crate::sema) fn check_attributes_of_declarator(
        &mut self,
        id: ast::DeclaratorId,
        hi: u32,
        on: impl Into<Subject>,
    ) {
        let ast = self.ast;
        let declarator = &ast[id];
        if self.attributes.suspects.none(declarator.span.lo + 1, hi) {
            return;
        }
        let inner = in_brackets(declarator);
        let lo = declarator.span.lo + 1;
        // An attribute in front of the name is one of the pointer's type.
        let of_name = match declarator.name {
            Some(_) => declarator.name_tok + 1,
            None => lo,
        };
        let before = Span {
            lo,
            hi: of_name - 1,
        };
        self.check_attributes(before, &inner, Places::TYPE.into());
        let lo = of_name.max(lo);
        self.check_attributes(Span { lo, hi }, inner, on.into());
    }

    /// Reports the attributes that are wrong in a struct, union or enum specifier: after the keyword, and after the
    /// brace.
    pub(in crate::sema) fn check_attributes_of_tag(&mut self, span: Span, tag: u32, place: Places) {
        let (lo, hi) = (span.lo + 1, span.hi);
        self.check_attributes(Span { lo, hi }, |at| at > tag + 1 && at < hi, place.into());
    }

    /// Reports the attributes that are wrong on a declaration: those before one of the tokens of `span` and the token
    /// after it, without those that `skip` excludes.
    pub(in crate::sema) fn check_attributes(
        &mut self,
        span: Span,
        skip: impl Fn(u32) -> bool,
        on: Subject,
    ) {
        let place = on.place;
        for at in self.attributes.suspects.within(span.lo, span.hi) {
            let suspect = self.attributes.suspects.list[at];
            if skip(suspect.before) || !suspect.on.meets(place) {
                continue;
            }
            match suspect.problem {
                Problem::Number(number) => self.wrong_number(suspect, number),
                Problem::Kind => self.wrong_kind(suspect),
                Problem::Function => self.check_function(suspect, place),
                Problem::Undeclared => self.check_declared(suspect),
                Problem::Symbol => self.attributes.suspects.targets.push(suspect.bytes),
                Problem::Place => self.wrong_place(suspect, place),
                Problem::Positions(which) => self.check_positions(suspect, which, on),
            }
        }
    }

    /// Checks that the argument is the name of a function. gcc knows its own functions without a declaration.
    fn check_function(&mut self, suspect: Suspect, place: Places) {
        let name = self.spelling(suspect);
        let entity = self.entity(name);
        let object = match entity {
            Some(Entity::Object(id)) => Some(id),
            Some(Entity::Reported) => return,
            Some(_) | None => None,
        };
        let known = object.is_some_and(|id| {
            let object = &self.objects[id];
            object.is_function || self.types.is_unknown(object.ty)
        });
        if known || name.starts_with("__builtin_") {
            return;
        }
        // A declared name is only read on the declarations that the attribute is for.
        if entity.is_some() && !suspect.row.on.meets(place) {
            return;
        }
        let attribute = suspect.row.name;
        let (start, end) = suspect.bytes;
        let help = self.function_help(name, start..end);
        let (message, help) = match entity {
            Some(_) => (
                format!("`{name}` is not a function, as attribute `{attribute}` needs"),
                help,
            ),
            None => (
                format!("the function `{name}` of attribute `{attribute}` is not declared"),
                help,
            ),
        };
        let help = help.unwrap_or_else(|| "declare the function before this".into());
        self.report(suspect, message, help);
    }

    /// Checks that the argument, a name, is declared.
    fn check_declared(&mut self, suspect: Suspect) {
        let name = self.spelling(suspect);
        let keyword = KEYWORDS.iter().any(|(keyword, _)| *keyword == name);
        if keyword || name.starts_with("__builtin_") || self.entity(name).is_some() {
            return;
        }
        let attribute = suspect.row.name;
        let message = format!("`{name}`, an argument of attribute `{attribute}`, is not declared");
        let (start, end) = suspect.bytes;
        let help = include_help(name, UsedAs::Value, start..end);
        let help = help.unwrap_or_else(|| "declare it before this".into());
        self.report(suspect, message, help);
    }

    fn entity(&self, name: &str) -> Option<Entity> {
        self.lookup(self.parsed.interner.get(name)?)
    }

    /// Checks that the unit declares what the others are aliases of: the C compiler needs its definition.
    pub(in crate::sema) fn check_alias_targets(&mut self) {
        for (start, end) in std::mem::take(&mut self.attributes.suspects.targets) {
            let quoted = &self.parsed.stream.text[start as usize..end as usize];
            let name = quoted.trim_matches('"');
            let linked = |symbol| self.scopes.linked(symbol).is_some();
            let declared = self.parsed.interner.get(name).is_some_and(linked);
            // A declaration may give its object another name for the assembler.
            let renamed = |span| self.parsed.stream.slice(span).contains(quoted);
            let labels = self.ast.decls.iter().flat_map(|decl| match &decl.kind {
                ast::DeclKind::Vars { declarators, .. } => declarators.as_slice(),
                ast::DeclKind::StaticAssert(_) => &[],
            });
            if declared || labels.filter_map(|d| d.asm_label).any(renamed) {
                continue;
            }
            let message =
                format!("{quoted} is not a function or variable of this translation unit");
            let help = "an alias needs the definition of its target in the same unit";
            let bytes = start..end;
            self.diags
                .report(codes::BAD_ATTRIBUTE, bytes, message)
                .help(help);
        }
    }
}

impl<'a> Context<'a> {
    /// What the attributes of a declaration of this type stand on.
    pub(in crate::sema) fn subject_of(&self, place: Places, ty: QualType) -> Subject {
        let function = self.types.function(ty);
        let target = self.types.pointee(ty);
        let properties = [
            (
                function.is_some_and(|f| self.types.is_pointer(f.ret)),
                Places::POINTER_RESULT,
            ),
            (
                target.is_some_and(|target| self.types.is_function(target)),
                Places::FUNCTION_POINTER,
            ),
        ];
        let held = properties.into_iter().filter(|(held, _)| *held);
        let place = held.fold(place, |all, (_, property)| all | property);
        let name = None;
        Subject { place, ty, name }
    }

    /// The text that a suspect shows.
    fn spelling(&self, suspect: Suspect) -> &'a str {
        let (start, end) = suspect.bytes;
        &self.parsed.stream.text[start as usize..end as usize]
    }

    pub(super) fn report(&mut self, suspect: Suspect, message: String, help: impl Into<Help>) {
        let (start, end) = suspect.bytes;
        self.diags
            .report(codes::BAD_ATTRIBUTE, start..end, message)
            .help(help);
    }

    fn wrong_number(&mut self, suspect: Suspect, number: usize) {
        let Row { name, most, .. } = *suspect.row;
        let found = match number {
            0 => "none".to_owned(),
            number => number.to_string(),
        };
        let needs = suspect.row.number();
        let (message, help) = match most {
            0 => (
                format!("attribute `{name}` takes {needs}"),
                format!("write `{name}` alone"),
            ),
            _ => (
                format!("attribute `{name}` takes {needs}, but has {found}"),
                format!("write `{name} (...)` with {needs}"),
            ),
        };
        self.report(suspect, message, help);
    }

    fn wrong_kind(&mut self, suspect: Suspect) {
        let (name, written) = (suspect.row.name, self.spelling(suspect));
        let words = |words: &[&'static str], mark: &str| {
            let near = self.speller.closest(written, words.iter().copied());
            let near = meant(near.or_else(|| {
                let plain = written.trim_matches('"').to_ascii_lowercase();
                self.speller.closest(&plain, words.iter().copied())
            }));
            let list: Vec<String> = words.iter().map(|w| format!("{mark}{w}{mark}")).collect();
            near.unwrap_or_else(|| format!("write one of {}", list.join(", ")))
        };
        let (needs, help) = match suspect.row.argument {
            Argument::TextOf(list) => ("one of a few strings".to_owned(), words(list, "\"")),
            Argument::WordOf(list) => ("one of a few words".to_owned(), words(list, "")),
            Argument::Text | Argument::FirstText | Argument::Symbol | Argument::Weak => (
                "a string literal".to_owned(),
                "write it in quotation marks".to_owned(),
            ),
            Argument::Version => (
                "a string literal with name and version".to_owned(),
                "write for example \"name@VERSION_1\"".to_owned(),
            ),
            Argument::PowerOfTwo => (
                "a positive power of two".to_owned(),
                "write for example 16".to_owned(),
            ),
            Argument::Priority => (
                "an integer from 0 to 65535".to_owned(),
                "write for example 1000: smaller numbers run earlier".to_owned(),
            ),
            Argument::Mode => (
                "a machine mode".to_owned(),
                "write QI, HI, SI, DI or TI for an integer of 1, 2, 4, 8 or 16 bytes, SF or DF for a floating type".to_owned(),
            ),
            Argument::Function | Argument::Deallocator => (
                "the name of a function".to_owned(),
                "declare a function, and write its name".to_owned(),
            ),
            // Their arguments have no kind.
            Argument::Any | Argument::Names => return,
        };
        let message = format!("attribute `{name}` takes {needs}, not `{written}`");
        self.report(suspect, message, help);
    }

    fn wrong_place(&mut self, suspect: Suspect, place: Places) {
        let name = suspect.row.name;
        let message = format!(
            "attribute `{name}` is not allowed on {}",
            suspect.on.common(place)
        );
        self.report(suspect, message, format!("remove `{name}`"));
    }
}
