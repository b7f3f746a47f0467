//! The settings that the command line of `upcc` asks for.

use super::help;
use super::inst::InstFlags;
use super::option_table::{BRIEF, OPTIONS};
use super::optspec::{self, Word};
use super::tool::Show;
use crate::cli::Failure;
use crate::diag::{Renderer, WarningPolicy};
use crate::events::Instrument;
use crate::target::{Network, Pointers, Reach};
use crate::translate::Emit;
use crate::types::Abi;
use clap::{Arg, Command};
use std::collections::VecDeque;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

/// The contents of an input file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// UPC, which includes C.
    Upc,
    /// Preprocessed UPC.
    PreprocessedUpc,
    /// C that `upcc` has generated.
    TranslatedC,
    /// Assembler, C++, Fortran: passed to the C compiler.
    Foreign,
    /// Objects, archives, linker scripts.
    Linkable,
}

/// File name endings and their language; the longest that fits wins.
const ENDINGS: &[(&str, Language)] = &[
    (".trans.c", Language::TranslatedC),
    (".upc", Language::Upc),
    (".c", Language::Upc),
    (".i", Language::PreprocessedUpc),
    (".upci", Language::PreprocessedUpc),
    (".uph", Language::Upc),
    (".s", Language::Foreign),
    (".S", Language::Foreign),
    (".sx", Language::Foreign),
    (".cc", Language::Foreign),
    (".cp", Language::Foreign),
    (".cxx", Language::Foreign),
    (".cpp", Language::Foreign),
    (".c++", Language::Foreign),
    (".C", Language::Foreign),
    (".f", Language::Foreign),
    (".F", Language::Foreign),
    (".f90", Language::Foreign),
    (".F90", Language::Foreign),
    (".o", Language::Linkable),
    (".a", Language::Linkable),
    (".so", Language::Linkable),
    (".lo", Language::Linkable),
    (".obj", Language::Linkable),
];

/// The names that `-x` accepts; `none` restores the language of the ending.
const LANGUAGES: &[(&str, Option<Language>)] = &[
    ("upc", Some(Language::Upc)),
    ("c", Some(Language::Upc)),
    ("upc-header", Some(Language::Upc)),
    ("c-header", Some(Language::Upc)),
    ("upc-cpp-output", Some(Language::PreprocessedUpc)),
    ("cpp-output", Some(Language::PreprocessedUpc)),
    ("trans-c", Some(Language::TranslatedC)),
    ("assembler", Some(Language::Foreign)),
    ("assembler-with-cpp", Some(Language::Foreign)),
    ("none", None),
];

impl Language {
    /// Returns the language by the ending; `None` if the ending is unknown.
    pub fn of_file(name: &str) -> Option<Language> {
        let shared_version = name.contains(".so.").then_some(Language::Linkable);
        ENDINGS
            .iter()
            .find(|(ending, _)| name.ends_with(ending))
            .map(|&(_, language)| language)
            .or(shared_version)
    }
}

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
    /// `--explain E0500`; empty: the list of all codes.
    Explain(String),
    /// `-print-mpicc`
    Mpicc,
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

/// The command line, parsed option by option but not yet checked as a whole.
#[derive(Debug, Default)]
pub struct Options {
    /// Inputs and linker arguments in order.
    pub items: Vec<Item>,
    /// Language of the inputs that follow (`-x`).
    pub language: Option<Language>,
    /// Last stage.
    pub stop: Stop,
    /// `-o`
    pub output: Option<PathBuf>,
    /// What the translator prints.
    pub emit: Emit,
    /// `--emit` was given: output goes to standard output unless `-o` names a file.
    pub emit_given: bool,
    /// Flags for the preprocessor only (`-D`, `-I`).
    pub cpp: Vec<String>,
    /// Flags for preprocessor, C compiler and link (`-std`, `-f`, `-m`, `-g`).
    pub all: Vec<String>,
    /// Flags for the C compiler on translated text only (`-Wc,`).
    pub cc: Vec<String>,
    /// Flags for the link only, after the inputs.
    pub link: Vec<String>,
    /// `-O...` as passed to the C compiler.
    pub optimize: Option<String>,
    /// The last `-g...` without its letter; `Some("0")`: no debug information.
    pub debug: Option<String>,
    /// The number of threads of a static THREADS environment.
    pub threads: Option<u32>,
    /// Default size of the shared heap, as given.
    pub shared_heap: Option<String>,
    /// `-fupc-pts=struct`
    pub pts_struct: bool,
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
    /// `-fupc-packed-bits`: the layout of packed pointers-to-shared.
    pub packed: Pointers,
    /// The flags for performance events.
    pub inst: InstFlags,
    /// How units are instrumented.
    pub instrument: Option<Instrument>,
    /// `-fupc-no-verbatim`, for tests of the translator.
    pub no_verbatim: bool,
    /// Whether and where to keep preprocessed and translated text.
    pub save_temps: SaveTemps,
    /// The user has specified whether messages have colours.
    pub color_given: bool,
    /// `-fupc-checks`, `-fno-upc-checks`.
    pub checks: Option<bool>,
    /// No `#line` in translated text.
    pub no_lines: bool,
    /// An option of `-M...` asks for dependencies as a side effect (`-MD`).
    pub deps: bool,
    /// `-MF` was given.
    pub deps_file: bool,
    /// `-MT` or `-MQ` was given.
    pub deps_target: bool,
    /// The program that links in place of the C compiler.
    pub link_with: Option<String>,
    /// `-shared`, `-r`: the result is not a program.
    pub no_program: bool,
    /// `-shared`
    pub shared_library: bool,
    /// Compile, link and run.
    pub run: bool,
    /// `-n`: the number of threads of the run.
    pub run_threads: Option<u32>,
    /// Arguments of the program that is run.
    pub program_args: Vec<String>,
    /// Whether commands are printed, and whether they run.
    pub show: Show,
    /// Which warnings are reported.
    pub warnings: WarningPolicy,
    /// How diagnostics are shown.
    pub renderer: Renderer,
    /// `--explain-decl`: declarations to explain instead of compiling.
    pub explain_decl: Vec<String>,
    /// Options accepted for compatibility that have no effect.
    pub ignored: Vec<String>,
    /// The query to answer.
    pub query: Option<Query>,
    /// The option that asked, for [`Query::AskCompiler`].
    pub query_arg: String,
}

/// The largest number of threads of a static environment (128-bit pointers; packed pointers hold fewer, which the
/// runtime checks).
pub const MAX_THREADS: u32 = 1 << 20;

/// Flags for targets other than the one whose types sema models, in addition to those that [`Abi::of`] understands.
const FOREIGN_ABIS: [&str; 6] = [
    "-m32",
    "-mx32",
    "-m16",
    "-m96bit-long-double",
    "-mlong-double-64",
    "-mms-bitfields",
];

impl Options {
    /// Parses the arguments after the program's name.
    ///
    /// # Errors
    /// A usage failure: unknown option, missing or malformed value, options that exclude each other.
    pub fn parse(args: impl IntoIterator<Item = String>) -> Result<Options, Failure> {
        let queue: VecDeque<String> = args.into_iter().collect();
        let (words, program_args) = spelled(queue)?;
        let mut options = Options {
            program_args,
            ..Options::default()
        };
        if words.iter().find_map(Word::asks_help) == Some(false) {
            let text = help::brief(OPTIONS, BRIEF, ABOUT, FOOT);
            options.query = Some(Query::Text(text));
            return Ok(options);
        }
        if let Some(answer) = optspec::check(command(), &words)? {
            options.query = Some(Query::Text(answer));
            return Ok(options);
        }
        for word in words {
            match word {
                Word::Option(spec, _, hit) => (spec.apply)(&mut options, &hit)?,
                Word::Plain(name) => options.input(name),
                // The check has rejected these already.
                Word::Dashes | Word::NoValue(_) | Word::Unknown(_) => {}
            }
        }
        if !options.run {
            // GUPC's driver uses `-n N` for the static number.
            options.threads = options.threads.or(options.run_threads.take());
        }
        let nothing_to_do = options.items.is_empty() && options.explain_decl.is_empty();
        if nothing_to_do && options.show == Show::Commands && options.query.is_none() {
            // As in C compilers, `-v` alone asks for the compiler's identity, which configuration scripts use.
            options.query = Some(Query::AskCompiler);
            options.query_arg = "-v".to_owned();
        }
        options.check()?;
        options.instrument = options.inst.instrument()?;
        Ok(options)
    }

    fn input(&mut self, name: String) {
        let language = self
            .language
            .or_else(|| Language::of_file(&name))
            .unwrap_or(if name == "-" {
                Language::Upc
            } else {
                Language::Linkable
            });
        self.items.push(Item::Input(PathBuf::from(name), language));
    }

    /// Returns the input files.
    pub fn inputs(&self) -> impl Iterator<Item = (&Path, Language)> {
        self.items.iter().filter_map(|item| match item {
            Item::Input(path, language) => Some((path.as_path(), *language)),
            Item::LinkArg(_) => None,
        })
    }

    /// Returns the representation of pointers-to-shared.
    pub fn pointers(&self) -> Pointers {
        if self.pts_struct {
            Pointers::Struct
        } else {
            self.packed
        }
    }

    /// Checks the conditions on all options together.
    fn check(&self) -> Result<(), Failure> {
        if self.query.is_some() {
            return Ok(());
        }
        if self.uses_mpi && self.network != Network::Mpi {
            return Err(Failure::usage(
                "`-uses-mpi`: a program that calls MPI needs -network=mpi, too",
            ));
        }
        if let Some(flag) = self
            .all
            .iter()
            .chain(&self.cc)
            .find(|o| FOREIGN_ABIS.contains(&o.as_str()))
        {
            return Err(Failure::usage(format!(
                "`{flag}`: upcc lays out data as the 64-bit target does by default, and so does its runtime; drop the flag"
            )));
        }
        let most = self.pointers().max_threads();
        if let Some(threads) = self.threads.filter(|&threads| threads > most) {
            return Err(Failure::usage(format!(
                "{threads} threads are more than pointers-to-shared can name ({most}): compile with -fupc-pts=struct, or give them more bits with -fupc-packed-bits"
            )));
        }
        if let Some(output) = &self.output
            && output.as_os_str() != "-"
            && self.inputs().any(|(input, _)| input == output)
        {
            return Err(Failure::usage(format!(
                "`{}` is input and output",
                output.display()
            )));
        }
        if self.no_verbatim && self.inst.inst {
            return Err(Failure::usage(
                "`-fupc-no-verbatim` is for tests without events: drop it or the flags of instrumentation",
            ));
        }
        let inputs = self.inputs().count();
        if inputs == 0 && self.explain_decl.is_empty() {
            return Err(Failure::usage(
                "no input files (`upcc --help` shows how to use it)",
            ));
        }
        let compiled = self
            .inputs()
            .filter(|(_, language)| *language != Language::Linkable)
            .count();
        if self.stop < Stop::Program && self.output.is_some() && compiled > 1 {
            return Err(Failure::usage(
                "`-o` with `-c`, `-S`, `-E`, `-trans` or `--emit` takes one input file",
            ));
        }
        if self.run && self.stop != Stop::Program {
            return Err(Failure::usage(
                "`--run` needs the whole program: drop the option that stops before linking",
            ));
        }
        if let (Some(fixed), Some(asked)) = (self.threads, self.run_threads)
            && self.run
            && fixed != asked
        {
            return Err(Failure::usage(format!(
                "`-n {asked}` does not fit the static number of threads, `-T={fixed}`; give one of them only"
            )));
        }
        Ok(())
    }

    /// Returns the transport between threads, and whether accesses check which memory is mapped.
    pub fn reach(&self) -> Reach {
        Reach {
            network: self.network,
            remote: self.network == Network::Mpi || self.pshm_width.is_some(),
        }
    }

    /// Returns whether intermediate files are kept.
    pub fn keeps_temps(&self) -> bool {
        self.save_temps != SaveTemps::No
    }

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
        Abi::of(self.all.iter().chain(&self.cc).map(String::as_str))
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

    /// Returns whether accesses are checked: with `-fupc-checks`, or in a program to debug that is not optimised.
    pub fn checks(&self) -> bool {
        let debugs = self.is_debug() && self.optimize_flag() == "-O0";
        self.checks.unwrap_or(debugs)
    }

    /// Returns whether `-g...` asks for debug information.
    pub fn is_debug(&self) -> bool {
        self.debug.as_deref().is_some_and(|level| level != "0")
    }

    /// Returns the flag that lets the C compiler use colours as if it wrote to this command's standard error directly,
    /// unless the user has specified when to use them.
    pub fn colors(&self) -> Option<&'static str> {
        let wanted = std::io::stderr().is_terminal() && !self.color_given;
        wanted.then_some("-fdiagnostics-color=always")
    }

    /// Returns the flag for line tables, by which the runtime names source lines, unless the user has specified the
    /// debug information.
    pub fn line_tables(&self) -> Option<&'static str> {
        self.debug.is_none().then_some("-g1")
    }
}

/// Returns the words of a command line with response files expanded, and the arguments after them for the program that
/// `--run` starts.
fn spelled(mut queue: VecDeque<String>) -> Result<(Vec<Word<Options>>, Vec<String>), Failure> {
    let mut words: Vec<Word<Options>> = Vec::new();
    while let Some(front) = queue.front() {
        if let Some(path) = front.strip_prefix('@') {
            let found = response_file(Path::new(path))?;
            queue.pop_front();
            for word in found.into_iter().rev() {
                queue.push_front(word);
            }
            continue;
        }
        // Cray's `-h upc` selects the language; any other `-h` asks for help.
        if front == "-h" && queue.get(1).is_some_and(|next| next == "upc") {
            queue.drain(..2);
            queue.push_front("-hupc".to_owned());
        }
        let run = words.iter().any(|word| word.value_of("run").is_some());
        match optspec::next(OPTIONS, &mut queue) {
            Some(Word::Dashes) if run => return Ok((words, queue.into())),
            Some(Word::Plain(name)) if run && is_program_argument(&words, &name) => {
                queue.push_front(name);
                return Ok((words, queue.into()));
            }
            Some(Word::Dashes) => {
                words.push(Word::Dashes);
                words.extend(queue.drain(..).map(Word::Plain));
            }
            Some(word) => words.push(word),
            None => break,
        }
    }
    Ok((words, Vec::new()))
}

/// Returns whether `name` is an argument of the program. Under `--run` the first word that is not a source or an object
/// ends the inputs: `upcc --run queens.upc -n 4 12`.
fn is_program_argument(words: &[Word<Options>], name: &str) -> bool {
    let language = words.iter().rev().find_map(|word| word.value_of("x"));
    words.iter().any(|word| matches!(word, Word::Plain(_)))
        && language.is_none_or(|language| language == "none")
        && Language::of_file(name).is_none()
}

/// Returns `upcc` as a clap command.
pub fn command() -> Command {
    let command = Command::new("upcc")
        .version(concat!(env!("CARGO_PKG_VERSION"), " (UPC 1.3)"))
        .override_usage("upcc [OPTIONS] FILE...")
        .about(ABOUT)
        .after_help(NOTES)
        .arg(Arg::new("FILE").hide(true).num_args(0..));
    optspec::command(command, OPTIONS)
}

const ABOUT: &str = "\
Compiles UPC programs (.upc, .c, .i) and links them with objects and libraries.

  upcc -O hello.upc -o hello && upcrun -n 4 ./hello
  upcc --run hello.upc -n 4
";

/// The end of the short help.
const FOOT: &str = "
What is not here: the options of the C compiler; upcc --help=all; man upcc.";

const NOTES: &str = "\
Names of several letters take one or two dashes. @FILE stands for the arguments in FILE.
Options in $XDG_CONFIG_HOME/upcc/upccrc or ~/.upccrc (lines `option = value`, `default_options = ...`) and in UPCC_FLAGS stand before those of the command line.
Environment: UPCC_CC or CC, the C compiler; UPCC_FLAGS; UPCC_NORC, no configuration file; XDG_CACHE_HOME, where the compiled runtime is kept; UPCC_RUNTIME_DIR, runtime sources in place of the built-in ones.
Exit status: 0 success, 1 errors in the program, 2 wrong usage, 3 missing tool or file, 70 internal error; with --run the program's own.";

/// Returns the language that `-x` names; `None` for `none`.
pub fn language_named(name: &str) -> Result<Option<Language>, Failure> {
    LANGUAGES
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, language)| *language)
        .ok_or_else(|| {
            let known: Vec<&str> = LANGUAGES.iter().map(|(name, _)| *name).collect();
            Failure::usage(format!(
                "`-x {name}`: unknown language; known: {}",
                known.join(", ")
            ))
        })
}

/// Splits text into words as a shell would. `what` names the text in the message.
pub fn split_words(text: &str, what: &str) -> Result<Vec<String>, Failure> {
    shlex::split(text).ok_or_else(|| Failure::usage(format!("unbalanced quotes in {what}")))
}

/// Returns the arguments in a file given as `@file`.
fn response_file(path: &Path) -> Result<Vec<String>, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::io("read", path, &error))?;
    split_words(&text, &path.display().to_string())
}

#[cfg(test)]
#[path = "options_tests.rs"]
mod tests;
