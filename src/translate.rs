//! Translates preprocessed text to C text: the interface between the driver and the stages of the compiler.

use crate::diag::{Diagnostics, Format, Renderer, WarningPolicy, codes};
use crate::events::Instrument;
use crate::passes::remarks::Placed;
use crate::sema::SemaOptions;
use crate::target::{Pointers, Reach};
use crate::types::Abi;
use crate::{emit, il, passes, progress, sema};
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use upcc_grammar::ast::Span;
use upcc_grammar::dump::dump;
use upcc_grammar::{Parsed, SyntaxKind};

/// The fewest iterations of [`TranslateOptions::runs`] without an option.
pub const SHORTEST_RUN: u32 = passes::runs::SHORTEST;

/// The output of a translation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Emit {
    /// The syntax tree, as text.
    Ast,
    /// The typed tree, as text.
    Il,
    /// The sections of the loops, as text.
    Sections,
    /// The shared references of the loops, as text.
    Refs,
    /// The same as JSON.
    RefsJson,
    /// C text.
    #[default]
    C,
}

impl Emit {
    /// Returns the kind that `--emit=name` selects; the option table lists the names.
    pub fn named(name: &str) -> Emit {
        match name {
            "ast" => Emit::Ast,
            "il" => Emit::Il,
            "sections" => Emit::Sections,
            "refs" => Emit::Refs,
            "refs-json" => Emit::RefsJson,
            _ => Emit::C,
        }
    }
}

/// A translation unit after the preprocessor.
#[derive(Debug)]
pub struct Preprocessed {
    /// The text, with line markers.
    pub text: String,
    /// The source file, as the user named it.
    pub name: String,
}

/// Which accesses take part in the detection of data races.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Races {
    /// Races are not detected.
    #[default]
    Off,
    /// `-fupc-races`: accesses to shared objects, and those by pointers-to-local in functions that convert
    /// pointers-to-shared to them.
    On,
    /// `-fupc-races=all`: all accesses by pointers-to-local, too.
    All,
}

impl Races {
    /// Returns the flags for the C compiler. The hooks at entries and exits of functions tell the runtime the calls
    /// that lead to an access. The instrumentation for ThreadSanitizer calls the runtime (`races/private.c`) for each
    /// access to memory.
    pub fn compiler_flags(self) -> &'static [&'static str] {
        match self {
            Races::Off => &[],
            Races::On | Races::All => &["-finstrument-functions", "-fsanitize=thread"],
        }
    }
}

/// The options of a translation.
#[derive(Clone, Debug, Default)]
pub struct TranslateOptions {
    /// `Some(n)`: static THREADS environment.
    pub static_threads: Option<u32>,
    /// Representation of pointers-to-shared.
    pub pointers: Pointers,
    /// Transport, and whether accesses check that memory is mapped.
    pub reach: Reach,
    /// The kind of output.
    pub emit: Emit,
    /// Print verbatim declarations outside system headers from the IL, not from their text, to test the IL
    /// (`-fupc-no-verbatim`).
    pub no_verbatim: bool,
    /// Accesses and conversions check their operands (`-fupc-checks`).
    pub checks: bool,
    /// Data races are detected (`-fupc-races`). Such a unit is also checked.
    pub races: Races,
    /// The fewest iterations in a block for which a loop goes through blocks by private pointers (`-fupc-runs`); 0: none
    /// does.
    pub runs: u32,
    /// Let each thread step over the iterations of other threads.
    pub locality: bool,
    /// Write out short loops inside others.
    pub unroll: bool,
    /// Loops move sections, and elements that a subscript selects, through buffers where memory is not mapped.
    pub strips: bool,
    pub gathers: bool,
    /// Loops collect what they write to such elements.
    pub scatters: bool,
    /// Where memory is not mapped, its thread makes updates.
    pub updates: bool,
    /// Accesses go by linear images of arrays, where all memory is mapped.
    pub linear: bool,
    /// Leave out the fences of strict reads before which no write is pending.
    pub fences: bool,
    /// The unit raises performance events (`--inst`).
    pub instrument: Option<Instrument>,
    /// Add debug information (`-g`).
    pub debug: bool,
    /// Put line markers into C text.
    pub lines: bool,
    /// The C compiler reaches data beyond 2 GB (`-mcmodel=medium` or `large`).
    pub far_data: bool,
    /// Records with a tag and typedef names of records may be unnamed members (`-fms-extensions`).
    pub ms_members: bool,
    /// The effects of C compiler flags on its types.
    pub abi: Abi,
    /// Print what became of loops and their references (`-Rupc`).
    pub remarks: bool,
    /// The warning options.
    pub warnings: WarningPolicy,
    /// The style of diagnostics on standard error.
    pub renderer: Renderer,
}

/// The result of a translation: output and diagnostics.
#[derive(Debug)]
pub struct Translation {
    /// `None`: the unit has errors.
    pub output: Option<String>,
    /// Errors and warnings, in spans of the preprocessed text.
    pub diags: Diagnostics,
    /// What the passes did with loops.
    pub remarks: Vec<Placed>,
    /// The unit, as far as it could be parsed.
    pub parsed: Parsed,
}

impl Translation {
    /// Prints the diagnostics to standard error, warnings in any case.
    pub fn show(&self, options: &TranslateOptions) {
        if !self.diags.items().is_empty() || options.renderer.format == Format::Json {
            let parsed = &self.parsed;
            let renderer = &options.renderer;
            renderer.print(&self.diags, &parsed.source_map, &parsed.stream.text);
        }
        for remark in self.remarks.iter().filter(|_| options.remarks) {
            // If standard error is closed, nobody reads remarks.
            let _ = writeln!(std::io::stderr(), "{remark}");
        }
    }
}

/// Translates a unit and prints its diagnostics. `None`: it has errors.
pub fn translate(input: Preprocessed, options: &TranslateOptions) -> Option<String> {
    let translation = translate_silently(input, options);
    translation.show(options);
    translation.output
}

/// Translates a unit without printing its diagnostics.
pub fn translate_silently(input: Preprocessed, options: &TranslateOptions) -> Translation {
    let mut diags = Diagnostics::new(options.warnings.clone());
    let mut parsed = upcc_grammar::parse(input.text);
    report_syntax(&parsed, &mut diags);
    progress::at(0);
    let mut remarks = Vec::new();
    let work = AssertUnwindSafe(|| {
        translate_parsed(&mut parsed, &input.name, options, &mut diags, &mut remarks)
    });
    let output = catch_unwind(work).unwrap_or_else(|panic| {
        // The panic hook has reported the error; only this function knows the place.
        let token = progress::reached();
        let span = Span {
            lo: token,
            hi: token,
        };
        let at = parsed.source_map.lookup(parsed.stream.bytes(span).start);
        let name = match parsed.source_map.file(at.file) {
            "" => &input.name,
            name => name,
        };
        // If standard error is closed, the failure cannot be reported.
        let _ = writeln!(
            std::io::stderr(),
            "upcc: the error occurred while {name}:{} was translated",
            at.line
        );
        resume_unwind(panic)
    });
    Translation {
        output: output.filter(|_| !diags.has_errors()),
        diags,
        remarks,
        parsed,
    }
}

/// A unit as the front end understands it, for tools.
pub struct Analysed {
    /// Errors and warnings, in spans of the preprocessed text.
    pub diags: Diagnostics,
    /// The unit, as far as it could be parsed.
    pub parsed: Parsed,
    /// The typed unit, as far as it could be understood.
    pub module: il::Module,
    /// Which tokens name what, in the order of tokens.
    pub occurrences: Vec<sema::Occurrence>,
}

/// Parses and analyses a preprocessed text without translating it. Reports what [`translate`] reports before the passes.
pub fn analyse(text: String, options: &TranslateOptions) -> Analysed {
    let mut diags = Diagnostics::new(options.warnings.clone());
    let mut parsed = upcc_grammar::parse(text);
    report_syntax(&parsed, &mut diags);
    let (module, occurrences) = sema::analyse_named(&mut parsed, sema_options(options), &mut diags);
    passes::lint::run(&module, &parsed, &mut diags);
    Analysed {
        diags,
        parsed,
        module,
        occurrences,
    }
}

fn sema_options(options: &TranslateOptions) -> SemaOptions {
    SemaOptions {
        static_threads: options.static_threads,
        max_block_size: options.pointers.max_block_size(),
        pts_bytes: options.pointers.bytes(),
        ms_members: options.ms_members,
        abi: options.abi,
        races: options.races != Races::Off,
        keep_verbatim: options.no_verbatim,
        keep_bodies: options.instrument.is_some()
            || matches!(options.emit, Emit::Refs | Emit::RefsJson),
    }
}

/// Converts the parser's errors to diagnostics.
pub(crate) fn report_syntax(parsed: &Parsed, diags: &mut Diagnostics) {
    diags.begin(parsed);
    for error in &parsed.errors {
        let code = match error.kind {
            SyntaxKind::Order | SyntaxKind::Misspelt | SyntaxKind::TooMany => codes::SYNTAX,
            SyntaxKind::Token => codes::INVALID_TOKEN,
            SyntaxKind::Unterminated => codes::UNTERMINATED,
            SyntaxKind::Unclosed => codes::UNCLOSED,
            SyntaxKind::Attribute => codes::BAD_ATTRIBUTE,
            SyntaxKind::NoAffinity => codes::FORALL_NO_AFFINITY,
            SyntaxKind::UnknownType => codes::UNKNOWN_TYPE,
        };
        let item = diags.report(code, error.bytes.clone(), error.message.clone());
        item.here(error.expected.clone());
        if let Some((bytes, text)) = &error.other {
            item.label(bytes.clone(), text.clone());
        }
        let bytes = error.bytes.start as usize..error.bytes.end as usize;
        let name = &parsed.stream.text[bytes];
        let declared = || sema::include_help(name, sema::UsedAs::Type, error.bytes.clone());
        let unknown = error.kind == SyntaxKind::UnknownType;
        let help = unknown.then(declared).flatten();
        let fallback = "declare it with `typedef`, or include the header that does";
        let fallback = || unknown.then(|| fallback.into());
        if let Some(help) = help.or(error.help.clone()).or_else(fallback) {
            item.help(help);
        }
    }
}

/// Runs the stages after the parser.
fn translate_parsed(
    parsed: &mut Parsed,
    name: &str,
    options: &TranslateOptions,
    diags: &mut Diagnostics,
    remarks: &mut Vec<Placed>,
) -> Option<String> {
    if options.emit == Emit::Ast {
        return Some(dump_own_items(parsed));
    }
    let mut module = sema::analyse(parsed, sema_options(options), diags);
    passes::lint::run(&module, parsed, diags);
    if diags.has_errors() {
        return None;
    }
    if options.emit == Emit::Il {
        return Some(il::print::print(&module, parsed));
    }
    if options.emit == Emit::Sections {
        passes::stepping_tests::run(&mut module, parsed);
        return Some(passes::sections::print(&module, parsed));
    }
    if matches!(options.emit, Emit::Refs | Emit::RefsJson) {
        passes::stepping_tests::run(&mut module, parsed);
        // References are those of the loops that `runs` sees.
        if options.runs > 0 && options.unroll {
            passes::unroll::run(&mut module, parsed, &mut Vec::new());
        }
        let moving = passes::runs::Options {
            shortest: options.runs,
            remote: true,
            strips: options.runs > 0 && options.strips,
            gathers: options.runs > 0 && options.gathers,
            scatters: options.runs > 0 && options.scatters,
            static_threads: options.static_threads,
        };
        let found = passes::references::find(&module, parsed, moving);
        return Some(match options.emit {
            Emit::RefsJson => format!("{:#}\n", serde_json::json!(found)),
            _ => found.to_string(),
        });
    }
    let plan = passes::Plan {
        instrument: options.instrument.as_ref(),
        // The loops it makes reach the thread's own elements through private pointers, which bypass all checks.
        locality: !options.checks && options.locality,
        unroll: !options.checks && options.runs > 0 && options.unroll,
        runs: (!options.checks && options.runs > 0).then_some(passes::runs::Options {
            shortest: options.runs,
            remote: options.reach.remote,
            strips: options.reach.remote && options.strips,
            gathers: options.reach.remote && options.gathers,
            scatters: options.reach.remote && options.scatters,
            static_threads: options.static_threads,
        }),
        fences: !options.checks && options.fences,
        linear: !options.checks && !options.reach.remote && options.linear,
        updates: options.reach.remote && options.updates,
        checks: options.checks,
    };
    let made = passes::run(&mut module, parsed, plan);
    if !options.far_data {
        check_static_size(&module, parsed, diags);
    }
    let head = emit::head::head(name, options) + &emit::head::inline_functions(&module, parsed);
    let style = emit::EmitOptions {
        head: &head,
        lines: options.lines,
        debug: options.debug,
        no_verbatim: options.no_verbatim,
        races: options.races,
        remarks: &made,
    };
    let text = match il::validate::lowered(&module) {
        _ if diags.has_errors() => None,
        Ok(valid) => Some(emit::emit(valid, parsed, style)),
        Err(violations) => violations.end(),
    };
    *remarks = passes::remarks::placed(made, parsed);
    text
}

/// Bytes of static shared data in one thread's portion that the default code model is certain to reach: 2 GB minus
/// space for code.
const NEAR_STATIC_BYTES: u64 = 0x7800_0000;

/// Reports the definition with which a unit's static shared data exceeds the default code model: the linker's message
/// would not name the cause.
fn check_static_size(module: &il::Module, parsed: &Parsed, diags: &mut Diagnostics) {
    let mut total = 0u64;
    for item in &module.items {
        let il::ItemKind::Decl(group) = &item.kind else {
            continue;
        };
        for decl in &group.decls {
            let il::Decl::Shared {
                object, def, bytes, ..
            } = decl
            else {
                continue;
            };
            if *def == il::SharedDef::Extern {
                continue;
            }
            total = total.saturating_add(*bytes);
            if total > NEAR_STATIC_BYTES {
                let object = &module.objects[*object];
                let name = parsed.interner.name(object.name);
                let message = format!(
                    "with `{name}`, static shared data takes {} MB in the portion of each thread, but less than 2 GB can be addressed",
                    total >> 20
                );
                let report = diags.report(
                    codes::STATIC_SIZE,
                    parsed.stream.bytes(object.span),
                    message,
                );
                report.help(
                    "compile all files with -mcmodel=medium, or allocate the data with upc_all_alloc",
                );
                return;
            }
        }
    }
}

/// Prints the tree of the user's own text, without declarations of system headers and of the headers of `upcc`.
fn dump_own_items(parsed: &Parsed) -> String {
    let mut text = String::new();
    for (index, item) in parsed.ast.items.iter().enumerate() {
        if !parsed.in_system_header(item.span) {
            text.push_str(&dump(parsed, index..index + 1));
        }
    }
    text
}
