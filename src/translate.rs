//! From preprocessed text to C text: the seam between the driver and the stages of the compiler.

use crate::diag::{Diagnostics, Format, Renderer, WarningPolicy, codes};
use crate::events::Instrument;
use crate::sema::SemaOptions;
use crate::types::Abi;
use crate::{emit, il, passes, progress, sema, unit};
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use upcc_grammar::ast::Span;
use upcc_grammar::dump::dump;
use upcc_grammar::{Parsed, SyntaxKind};

/// How a pointer-to-shared is represented.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pointers {
    /// 64 bits: so many for the phase and the thread, the rest for the address.
    Packed {
        /// Bits of the phase.
        phase: u32,
        /// Bits of the thread number.
        thread: u32,
    },
    /// 128 bits (`-fupc-pts=struct`).
    Struct,
}

impl Default for Pointers {
    fn default() -> Pointers {
        Pointers::Packed {
            phase: 20,
            thread: 10,
        }
    }
}

impl Pointers {
    /// `sizeof (shared void *)`.
    pub fn bytes(self) -> u32 {
        match self {
            Pointers::Packed { .. } => 8,
            Pointers::Struct => 16,
        }
    }

    /// Largest block size of a layout qualifier: `UPC_MAX_BLOCK_SIZE`.
    pub fn max_block_size(self) -> u32 {
        match self {
            Pointers::Packed { phase, .. } => (1 << phase) - 1,
            Pointers::Struct => i32::MAX as u32,
        }
    }

    /// Largest number of threads that a pointer can name.
    pub fn max_threads(self) -> u32 {
        match self {
            Pointers::Packed { thread, .. } => 1 << thread,
            Pointers::Struct => 1 << 20,
        }
    }
}

/// A transport: what carries the accesses of a thread to another's memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Network {
    /// Shared memory of one machine.
    #[default]
    Smp,
    /// Messages between machines.
    Mpi,
}

impl Network {
    /// Every transport.
    pub const ALL: [Network; 2] = [Network::Smp, Network::Mpi];

    /// As `-network` and notes have it, and the folder of `runtime-c/src/transport/`.
    pub fn name(self) -> &'static str {
        match self {
            Network::Smp => "smp",
            Network::Mpi => "mpi",
        }
    }
}

/// How the code of a program reaches memory of other threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reach {
    /// `-network`
    pub network: Network,
    /// Memory of other threads may be out of reach of loads and stores: every access asks (`UPCR_REMOTE`).
    pub remote: bool,
}

/// What the translation gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Emit {
    /// The syntax tree, as text.
    Ast,
    /// The typed tree, as text.
    Il,
    /// C.
    #[default]
    C,
}

impl Emit {
    /// The kind that `--emit=name` asks for; the option table has the names.
    pub fn named(name: &str) -> Emit {
        match name {
            "ast" => Emit::Ast,
            "il" => Emit::Il,
            _ => Emit::C,
        }
    }
}

/// A translation unit after the preprocessor.
#[derive(Debug)]
pub struct Preprocessed {
    /// The text, with line markers.
    pub text: String,
    /// The file it came from, as the user named it.
    pub name: String,
}

/// What governs a translation.
#[derive(Clone, Debug, Default)]
pub struct TranslateOptions {
    /// `Some(n)`: static THREADS environment.
    pub static_threads: Option<u32>,
    /// Representation of pointers-to-shared.
    pub pointers: Pointers,
    /// Transport, and whether accesses ask which memory is mapped.
    pub reach: Reach,
    /// What to give out.
    pub emit: Emit,
    /// Print plain declarations outside system headers from the IL, not from their text: for tests of the IL (`-fupc-print-plain`).
    pub print_plain: bool,
    /// Accesses and conversions check what they are given (`-fupc-checks`).
    pub checks: bool,
    /// The unit raises performance events (`--inst`).
    pub instrument: Option<Instrument>,
    /// The program is to be debugged.
    pub debug: bool,
    /// Put line markers into C text.
    pub lines: bool,
    /// The C compiler reaches data beyond 2 GB (`-mcmodel=medium` or `large`).
    pub far_data: bool,
    /// Records with a tag and typedef names of records are unnamed members (`-fms-extensions`).
    pub ms_members: bool,
    /// What flags of the C compiler change in its types.
    pub abi: Abi,
    /// Which warnings count.
    pub warnings: WarningPolicy,
    /// How diagnostics are shown on standard error.
    pub renderer: Renderer,
}

/// A translation: what came of it and what there is to say.
#[derive(Debug)]
pub struct Translation {
    /// `None`: the unit has errors.
    pub output: Option<String>,
    /// Errors and warnings, in spans of the preprocessed text.
    pub diags: Diagnostics,
    /// The unit, as far as it could be parsed.
    pub parsed: Parsed,
}

impl Translation {
    /// Shows the diagnostics on standard error, warnings in any case, and gives the output.
    pub fn shown(self, options: &TranslateOptions) -> Option<String> {
        if !self.diags.items().is_empty() || options.renderer.format == Format::Json {
            let parsed = &self.parsed;
            let renderer = &options.renderer;
            renderer.print(&self.diags, &parsed.source_map, &parsed.stream.text);
        }
        self.output
    }
}

/// Translates a unit and shows its diagnostics. `None`: it has errors.
pub fn translate(input: Preprocessed, options: &TranslateOptions) -> Option<String> {
    translate_silently(input, options).shown(options)
}

/// Translates a unit and shows none of its diagnostics.
pub fn translate_silently(input: Preprocessed, options: &TranslateOptions) -> Translation {
    let mut diags = Diagnostics::new(options.warnings.clone());
    let mut parsed = upcc_grammar::parse(input.text);
    report_syntax(&parsed, &mut diags);
    progress::at(0);
    let work = AssertUnwindSafe(|| translate_parsed(&mut parsed, &input.name, options, &mut diags));
    let output = catch_unwind(work).unwrap_or_else(|panic| {
        // The panic hook has said what broke; where it happened is known here.
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
        // Nobody is left to tell when standard error is closed.
        let _ = writeln!(
            std::io::stderr(),
            "upcc: it happened while {name}:{} was translated",
            at.line
        );
        resume_unwind(panic)
    });
    Translation {
        output: output.filter(|_| !diags.has_errors()),
        diags,
        parsed,
    }
}

/// Hands on what the parser complains of.
pub(crate) fn report_syntax(parsed: &Parsed, diags: &mut Diagnostics) {
    diags.begin(parsed);
    for error in &parsed.errors {
        let code = match error.kind {
            SyntaxKind::Order | SyntaxKind::Misspelt | SyntaxKind::TooMany => codes::SYNTAX,
            SyntaxKind::Token => codes::INVALID_TOKEN,
            SyntaxKind::Unterminated => codes::UNTERMINATED,
            SyntaxKind::Unclosed => codes::UNCLOSED,
            SyntaxKind::Attribute => codes::BAD_ATTRIBUTE,
            SyntaxKind::UnknownType => codes::UNKNOWN_TYPE,
        };
        let item = diags.report(code, error.bytes.clone(), error.message.clone());
        item.here(error.expected.clone());
        if let Some((bytes, text)) = &error.other {
            item.label(bytes.clone(), text.clone());
        }
        let bytes = error.bytes.start as usize..error.bytes.end as usize;
        let declared = || sema::header_help(&parsed.stream.text[bytes]);
        let unknown = error.kind == SyntaxKind::UnknownType;
        let help = unknown.then(declared).flatten().or(error.help.clone());
        let fallback = "declare it with `typedef`, or include the header that does";
        item.help
            .extend(help.or(unknown.then(|| fallback.to_owned())));
    }
}

/// Everything after the parser.
fn translate_parsed(
    parsed: &mut Parsed,
    name: &str,
    options: &TranslateOptions,
    diags: &mut Diagnostics,
) -> Option<String> {
    if options.emit == Emit::Ast {
        return Some(dump_own_items(parsed));
    }
    let sema = SemaOptions {
        static_threads: options.static_threads,
        max_block_size: options.pointers.max_block_size(),
        pts_bytes: options.pointers.bytes(),
        ms_members: options.ms_members,
        abi: options.abi,
        keep_plain: options.print_plain,
        keep_bodies: options.instrument.is_some(),
    };
    let mut module = sema::analyse(parsed, sema, diags);
    passes::lint::run(&module, parsed, diags);
    if diags.has_errors() {
        return None;
    }
    if options.emit == Emit::Il {
        return Some(il::print::print(&module, parsed));
    }
    let plan = passes::Plan {
        instrument: options.instrument.as_ref(),
        // Its loops reach the thread's own elements through private pointers, past all checks.
        locality: !options.checks,
        checks: options.checks,
    };
    passes::run(&mut module, parsed, plan);
    if !options.far_data {
        check_static_size(&module, parsed, diags);
    }
    let head = unit::head(name, options) + &unit::inline_functions(&module, parsed);
    let style = emit::EmitOptions {
        head: &head,
        lines: options.lines,
        debug: options.debug,
        print_plain: options.print_plain,
    };
    if diags.has_errors() {
        return None;
    }
    match il::validate::lowered(&module) {
        Ok(valid) => Some(emit::emit(valid, parsed, style)),
        Err(violations) => violations.end(),
    }
}

/// Bytes of static shared data in one thread's portion that the default code model surely reaches: 2 GB less room for code.
const NEAR_STATIC_BYTES: u64 = 0x7800_0000;

/// Reports the definition with which a unit's static shared data outgrows the default code model: the linker's words would say nothing.
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
                let object = &module.objects[object.0 as usize];
                let name = parsed.interner.name(object.name);
                let message = format!(
                    "with `{name}`, static shared data takes {} MB in the portion of each thread; below 2 GB can be reached",
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

/// The tree of what the user wrote: declarations of system headers and of our own are left out.
fn dump_own_items(parsed: &Parsed) -> String {
    let mut text = String::new();
    for (index, item) in parsed.ast.items.iter().enumerate() {
        if !parsed.in_system_header(item.span) {
            text.push_str(&dump(parsed, index..index + 1));
        }
    }
    text
}
