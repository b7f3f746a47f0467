//! The settings that the command line of `upcc` asks for, in parts. `option_table` fills them in, one option at a time;
//! `options` parses a command line and checks the whole.

use super::inst::InstFlags;
use super::languages::Language;
use super::tool::Show;
use crate::cli::Failure;
use crate::diag::{Renderer, WarningPolicy};
use crate::events::Instrument;
use crate::target::{Network, Pointers, Reach};
use crate::translate::{Emit, Races};
use crate::types::{Abi, Machine};
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

/// An input, or an argument whose position among the inputs matters to the linker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// A file.
    Input(PathBuf, Language),
    /// `-lm`, `-Wl,...`
    LinkArg(String),
}

/// The last stage to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Default)]
pub enum Stop {
    /// `-E`, `-M`
    Preprocessed,
    /// `-fsyntax-only`: translate without output.
    Checked,
    /// `-trans`, `--emit`
    Translated,
    /// `-S`
    Assembly,
    /// `-c`
    Object,
    /// The program.
    #[default]
    Program,
}

/// What happens to intermediate files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SaveTemps {
    /// They are removed.
    #[default]
    No,
    /// They are kept in the current folder.
    Here,
    /// They are kept in the folder of the output.
    BesideOutput,
}

/// A query that is answered instead of compiling.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Query {
    /// `--help`, `--version`: this text.
    Text(String),
    /// `-print-include-dir`
    IncludeDir,
    /// `-print-cmake-dir` and `-print-aclocal-dir`: this folder of `share/`.
    ShareDir(&'static str),
    /// `-print-pkg-config`
    PkgConfig,
    /// `-print-settings`
    Settings,
    /// `--explain E0500`; empty: the list of all codes.
    Explain(String),
    /// `-print-mpicc`
    Mpicc,
    /// `-echo-var`: this variable of Berkeley's Makefiles.
    EchoVar(String),
    /// `--print-gdb-setup`
    GdbSetup,
    /// `-show-sizes`
    Sizes,
    /// `-print-man`: the manual page of this command.
    Man(String),
    /// `-print-completions`: completions of both commands for this shell.
    Completions(String),
    /// `-dumpmachine` and similar: the C compiler answers.
    AskCompiler,
}

/// The largest number of threads of a static environment (128-bit pointers; packed pointers hold fewer, which the
/// runtime checks).
pub const MAX_THREADS: u32 = 1 << 20;

/// Flags that are passed on to the preprocessor, the C compiler and the linker.
#[derive(Debug, Default)]
pub struct Flags {
    /// Flags for the preprocessor only (`-D`, `-I`).
    pub cpp: Vec<String>,
    /// Flags for preprocessor, C compiler and link (`-std`, `-f`, `-m`, `-g`).
    pub all: Vec<String>,
    /// Flags for the C compiler on translated text only (`-Wc,`).
    pub cc: Vec<String>,
    /// Flags for the link only, after the inputs.
    pub link: Vec<String>,
    /// The program that links in place of the C compiler.
    pub link_with: Option<String>,
    /// `-O...` as passed to the C compiler.
    pub optimize: Option<String>,
    /// What the C compiler's target decides ([`Compiler::machine`](super::toolchain::Compiler::machine)).
    pub machine: Machine,
    /// The last `-g...` without its letter; `Some("0")`: no debug information.
    pub debug: Option<String>,
}

impl Flags {
    /// Returns whether the code model asked for reaches data beyond 2 GB.
    pub fn far_data(&self) -> bool {
        let far = |o: &String| matches!(o.as_str(), "-mcmodel=medium" | "-mcmodel=large");
        self.all.iter().chain(&self.cc).any(far)
    }

    /// Returns whether records with a tag and typedef names of records declare unnamed members.
    pub fn ms_members(&self) -> bool {
        let flag = |o: &&String| {
            let name = o.trim_start_matches("-fno-").trim_start_matches("-f");
            matches!(name, "ms-extensions" | "plan9-extensions")
        };
        let last = self.all.iter().chain(&self.cc).rfind(flag);
        last.is_some_and(|o| !o.starts_with("-fno-"))
    }

    /// Returns how the C compiler's flags change its types.
    pub fn abi(&self) -> Abi {
        Abi::of(
            self.machine,
            self.all.iter().chain(&self.cc).map(String::as_str),
        )
    }

    /// Returns the `-O` flag for the C compiler. Builds without one are optimised (`-O2`), unless `-g` asks for a
    /// program to debug.
    pub fn optimize_flag(&self) -> &str {
        match &self.optimize {
            Some(flag) => flag,
            None if self.is_debug() => "-O0",
            None => "-O2",
        }
    }

    /// Returns whether `-g...` asks for debug information.
    pub fn is_debug(&self) -> bool {
        self.debug.as_deref().is_some_and(|level| level != "0")
    }

    /// Returns the flag for line tables, by which the runtime names source lines, unless the user has specified the
    /// debug information.
    pub fn line_tables(&self) -> Option<&'static str> {
        self.debug.is_none().then_some("-g1")
    }
}

/// The target of the program: threads, pointers-to-shared, transport.
#[derive(Debug, Default)]
pub struct Target {
    /// The number of threads of a static THREADS environment.
    pub threads: Option<u32>,
    /// Default size of the shared heap, as given.
    pub shared_heap: Option<String>,
    /// `-fupc-pts=struct`
    pub pts_struct: bool,
    /// `-fupc-packed-bits`: the layout of packed pointers-to-shared.
    pub packed: Pointers,
    /// `-network`
    pub network: Network,
    /// An inter-machine transport of another UPC compiler, which `network` stands in for.
    pub conduit: Option<String>,
    /// `-mpicc`
    pub mpicc: Option<String>,
    /// `-uses-mpi`: the program calls MPI itself.
    pub uses_mpi: bool,
    /// `-pshm-width`: this number of threads reach one another's memory directly, and accesses check for it.
    pub pshm_width: Option<u32>,
}

impl Target {
    /// Returns the representation of pointers-to-shared.
    pub fn pointers(&self) -> Pointers {
        if self.pts_struct {
            Pointers::Struct
        } else {
            self.packed
        }
    }

    /// Returns the transport between threads, and whether accesses check which memory is mapped.
    pub fn reach(&self) -> Reach {
        Reach {
            network: self.network,
            remote: self.network.has_messages() || self.pshm_width.is_some(),
        }
    }
}

/// What the command makes, and where.
#[derive(Debug, Default)]
pub struct Product {
    /// Last stage.
    pub stop: Stop,
    /// `-o`
    pub output: Option<PathBuf>,
    /// What the translator prints.
    pub emit: Emit,
    /// `--emit` was given: output goes to standard output unless `-o` names a file.
    pub emit_given: bool,
    /// Whether and where to keep preprocessed and translated text.
    pub save_temps: SaveTemps,
    /// `--fix`: apply the certain fixes of diagnostics.
    pub fix: bool,
    /// `-fupc-checks`, `-fno-upc-checks`.
    pub checks: Option<bool>,
    /// `-fupc-races`, `-fno-upc-races`.
    pub races: Races,
    /// `-fsave-optimization-record`
    pub record: bool,
    /// `-fno-upc-locality`, `-fno-upc-unroll`, `-fno-upc-strips`, `-fno-upc-gathers`, `-fno-upc-scatters`,
    /// `-fno-upc-updates`, `-fno-upc-linear`
    pub no_locality: bool,
    pub no_unroll: bool,
    pub no_strips: bool,
    pub no_gathers: bool,
    pub no_scatters: bool,
    pub no_updates: bool,
    pub no_linear: bool,
    /// `-fno-upc-fences`: each strict read has its fence.
    pub all_fences: bool,
    /// `-fupc-runs`; 0: `-fno-upc-runs`.
    pub runs: Option<u32>,
    /// No `#line` in translated text.
    pub no_lines: bool,
    /// `-fupc-no-verbatim`, for tests of the translator.
    pub no_verbatim: bool,
    /// `-shared`, `-r`: the result is not a program.
    pub no_program: bool,
    /// `-shared`
    pub shared_library: bool,
}

impl Product {
    /// Returns whether intermediate files are kept.
    pub fn keeps_temps(&self) -> bool {
        self.save_temps != SaveTemps::No
    }
}

/// The options for the dependency rule of make.
#[derive(Debug, Default)]
pub struct DependencyFlags {
    /// An option of `-M...` asks for dependencies as a side effect (`-MD`).
    pub asked: bool,
    /// `-MF` was given.
    pub file: bool,
    /// `-MT` or `-MQ` was given.
    pub target: bool,
    /// `-MJ`: the file or folder for fragments of a compilation database.
    pub database: Option<PathBuf>,
    /// The options of the command line as typed, for the database.
    pub command: Vec<String>,
}

/// The run of the program after the link (`--run`).
#[derive(Debug, Default)]
pub struct Execution {
    /// Compile, link and run.
    pub asked: bool,
    /// `-n`: the number of threads of the run.
    pub threads: Option<u32>,
    /// Arguments of the program that is run.
    pub args: Vec<String>,
}

/// Performance events.
#[derive(Debug, Default)]
pub struct Events {
    /// The flags for performance events.
    pub flags: InstFlags,
    /// How units are instrumented.
    pub instrument: Option<Instrument>,
}

/// What the command prints, and how.
#[derive(Debug, Default)]
pub struct Messages {
    /// Whether commands are printed, and whether they run.
    pub show: Show,
    /// Which warnings are reported.
    pub warnings: WarningPolicy,
    /// `-Rupc`
    pub remarks: bool,
    /// How diagnostics are shown.
    pub renderer: Renderer,
    /// The user has specified whether messages have colours.
    pub color_given: bool,
}

impl Messages {
    /// Returns the flag that lets the C compiler use colours as if it wrote to this command's standard error directly,
    /// unless the user has specified when to use them.
    pub fn colors(&self) -> Option<&'static str> {
        let wanted = std::io::stderr().is_terminal() && !self.color_given;
        wanted.then_some("-fdiagnostics-color=always")
    }
}

/// The settings of a command: its line, parsed option by option.
#[derive(Debug, Default)]
pub struct Options {
    /// Inputs and linker arguments in order.
    pub items: Vec<Item>,
    /// Language of the inputs that follow (`-x`).
    pub language: Option<Language>,
    /// Flags for the tools that it runs.
    pub flags: Flags,
    /// The target of the program.
    pub target: Target,
    /// What it makes.
    pub product: Product,
    /// The dependency rule.
    pub deps: DependencyFlags,
    /// The run of the program.
    pub execution: Execution,
    /// The events of the program.
    pub events: Events,
    /// What it prints.
    pub messages: Messages,
    /// `--compile-commands`: the database into which the inputs are merged instead of compiling.
    pub compile_commands: Option<PathBuf>,
    /// `--explain-decl`: declarations to explain instead of compiling.
    pub explain_decl: Vec<String>,
    /// Options accepted for compatibility that have no effect.
    pub ignored: Vec<String>,
    /// The query to answer.
    pub query: Option<Query>,
    /// The option that asked, for [`Query::AskCompiler`].
    pub query_arg: String,
}

impl Options {
    /// Returns the input files.
    pub fn inputs(&self) -> impl Iterator<Item = (&Path, Language)> {
        self.items.iter().filter_map(|item| match item {
            Item::Input(path, language) => Some((path.as_path(), *language)),
            Item::LinkArg(_) => None,
        })
    }

    /// Returns whether accesses are checked: with `-fupc-checks`, in a program to debug that is not optimised, and
    /// where races are detected, because the places of accesses are those of the checks.
    pub fn checks(&self) -> bool {
        let debugs = self.flags.is_debug() && self.flags.optimize_flag() == "-O0";
        self.product.races != Races::Off || self.product.checks.unwrap_or(debugs)
    }
}

/// Splits text into words as a shell would. `what` names the text in the message.
pub fn split_words(text: &str, what: &str) -> Result<Vec<String>, Failure> {
    shlex::split(text).ok_or_else(|| Failure::usage(format!("unbalanced quotes in {what}")))
}
