//! What the command line of `upcc` asks for.

use super::exit::Failure;
use super::help;
use super::inst::InstFlags;
use super::option_table::{BRIEF, OPTIONS};
use super::optspec::{self, Hit, Word};
use super::tool::Show;
use crate::diag::{Renderer, WarningPolicy};
use crate::events::Instrument;
use crate::translate::{Emit, Network, Pointers, Reach};
use crate::types::Abi;
use clap::{Arg, Command};
use std::collections::VecDeque;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

/// What an input file holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// UPC, and so C.
    Upc,
    /// UPC after the preprocessor.
    PreprocessedUpc,
    /// C that `upcc` made.
    TranslatedC,
    /// Assembler, C++, Fortran: for the C compiler.
    Foreign,
    /// Objects, archives, linker scripts.
    Linkable,
}

/// File name endings and their language; the longest that fits counts.
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

/// Names that `-x` takes; `none` goes back to the ending.
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
    /// By ending; `None` if the ending says nothing.
    pub fn of_file(name: &str) -> Option<Language> {
        let shared_version = name.contains(".so.").then_some(Language::Linkable);
        ENDINGS
            .iter()
            .find(|(ending, _)| name.ends_with(ending))
            .map(|&(_, language)| language)
            .or(shared_version)
    }
}

/// An input, or an argument whose place among the inputs matters to the linker.
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
    /// `-fsyntax-only`: translate, keep nothing.
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
    /// They go.
    #[default]
    No,
    /// They stay in the current folder.
    Here,
    /// They stay in the folder of the output.
    BesideOutput,
}

/// A question that is answered instead of compiling.
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
    /// `-print-completions`: of both commands, for this shell.
    Completions(String),
    /// `-dumpmachine` and the like: the C compiler answers.
    AskCompiler,
}

/// The command line, understood option by option, not yet checked as a whole.
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
    /// What the translator gives out.
    pub emit: Emit,
    /// `--emit` was given: output goes to standard output unless `-o` says otherwise.
    pub emit_given: bool,
    /// For the preprocessor only (`-D`, `-I`).
    pub cpp: Vec<String>,
    /// For preprocessor, C compiler and link (`-std`, `-f`, `-m`, `-g`).
    pub all: Vec<String>,
    /// For the C compiler on translated text only (`-Wc,`).
    pub cc: Vec<String>,
    /// For the link only, after the inputs.
    pub link: Vec<String>,
    /// `-O...` as the C compiler gets it.
    pub optimize: Option<String>,
    /// The last `-g...` without its letter; `Some("0")` asks for none.
    pub debug: Option<String>,
    /// Static THREADS environment with this number.
    pub threads: Option<u32>,
    /// Default size of the shared heap, as given.
    pub shared_heap: Option<String>,
    /// `-fupc-pts=struct`
    pub pts_struct: bool,
    /// `-network`
    pub network: Network,
    /// A transport of other UPC compilers between machines, which `network` stands in for.
    pub conduit: Option<String>,
    /// `-mpicc`
    pub mpicc: Option<String>,
    /// `-uses-mpi`: the program calls MPI itself.
    pub uses_mpi: bool,
    /// `-pshm-width`: so many threads reach one another's memory directly, and code asks.
    pub pshm_width: Option<u32>,
    /// `-fupc-packed-bits`: how packed pointers-to-shared are cut.
    pub packed: Pointers,
    /// Performance events: the flags, and what they come to.
    pub inst: InstFlags,
    /// How units are instrumented.
    pub instrument: Option<Instrument>,
    /// `-fupc-print-plain`, for tests of the translator.
    pub print_plain: bool,
    /// Whether and where to keep preprocessed and translated text.
    pub save_temps: SaveTemps,
    /// The user has said whether messages have colours.
    pub color_given: bool,
    /// `-fupc-checks`, `-fno-upc-checks`.
    pub checks: Option<bool>,
    /// No `#line` in translated text.
    pub no_lines: bool,
    /// `-M...` asks for dependencies: as a side effect (`-MD`).
    pub deps: bool,
    /// `-MF` was given.
    pub deps_file: bool,
    /// `-MT` or `-MQ` was given.
    pub deps_target: bool,
    /// Program that links in place of the C compiler.
    pub link_with: Option<String>,
    /// `-shared`, `-r`: the result is no program.
    pub no_program: bool,
    /// `-shared`
    pub shared_library: bool,
    /// Compile, link and run.
    pub run: bool,
    /// `-n`: threads of the run.
    pub run_threads: Option<u32>,
    /// Arguments of the program that is run.
    pub program_args: Vec<String>,
    /// Whether commands are shown, and run.
    pub show: Show,
    /// Which warnings count.
    pub warnings: WarningPolicy,
    /// How diagnostics are shown.
    pub renderer: Renderer,
    /// `--explain-decl`: declarations to explain instead of compiling.
    pub explain_decl: Vec<String>,
    /// Options taken for compatibility that do nothing here.
    pub ignored: Vec<String>,
    /// A question to answer.
    pub query: Option<Query>,
    /// The option that asked, for [`Query::AskCompiler`].
    pub query_arg: String,
}

/// Most threads that a static environment can have (128-bit pointers; the packed ones hold fewer, which the runtime checks).
pub const MAX_THREADS: u32 = 1 << 20;

/// Flags for targets other than the one whose types sema knows, beside what [`Abi::of`] understands.
const FOREIGN_ABIS: [&str; 6] = [
    "-m32",
    "-mx32",
    "-m16",
    "-m96bit-long-double",
    "-mlong-double-64",
    "-mms-bitfields",
];

impl Options {
    /// Understands the arguments after the program's name.
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
                // The check has refused what is no option.
                Word::Dashes | Word::NoValue(_) | Word::Unknown(_) => {}
            }
        }
        if !options.run {
            // GUPC's driver has `-n N` for the static number.
            options.threads = options.threads.or(options.run_threads.take());
        }
        let nothing_to_do = options.items.is_empty() && options.explain_decl.is_empty();
        if nothing_to_do && options.show == Show::Commands && options.query.is_none() {
            // As for C compilers: `-v` alone asks which this is. Configuration scripts do.
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

    /// The files to work on.
    pub fn inputs(&self) -> impl Iterator<Item = (&Path, Language)> {
        self.items.iter().filter_map(|item| match item {
            Item::Input(path, language) => Some((path.as_path(), *language)),
            Item::LinkArg(_) => None,
        })
    }

    /// Representation of pointers-to-shared.
    pub fn pointers(&self) -> Pointers {
        if self.pts_struct {
            Pointers::Struct
        } else {
            self.packed
        }
    }

    /// What must hold of all options together.
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
        if self.print_plain && self.inst.inst {
            return Err(Failure::usage(
                "`-fupc-print-plain` is for tests without events: drop it or the flags of instrumentation",
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

    /// Transport between threads, and whether accesses ask which memory is mapped.
    pub fn reach(&self) -> Reach {
        Reach {
            network: self.network,
            remote: self.network == Network::Mpi || self.pshm_width.is_some(),
        }
    }

    /// Intermediate files stay.
    pub fn keeps_temps(&self) -> bool {
        self.save_temps != SaveTemps::No
    }

    /// The code model asked for reaches data beyond 2 GB.
    pub fn far_data(&self) -> bool {
        let far = |o: &String| matches!(o.as_str(), "-mcmodel=medium" | "-mcmodel=large");
        self.all.iter().chain(&self.cc).any(far)
    }

    /// Records with a tag and typedef names of records declare unnamed members.
    pub fn ms_members(&self) -> bool {
        let flag = |o: &&String| {
            let name = o.trim_start_matches("-fno-").trim_start_matches("-f");
            matches!(name, "ms-extensions" | "plan9-extensions")
        };
        let last = self.all.iter().chain(&self.cc).rfind(flag);
        last.is_some_and(|o| !o.starts_with("-fno-"))
    }

    /// What the C compiler's flags change in its types.
    pub fn abi(&self) -> Abi {
        Abi::of(self.all.iter().chain(&self.cc).map(String::as_str))
    }

    /// The `-O` flag for the C compiler. Plain builds are optimised (`-O2`), unless `-g` asks for a program to debug.
    pub fn optimize_flag(&self) -> &str {
        match &self.optimize {
            Some(flag) => flag,
            None if self.is_debug() => "-O0",
            None => "-O2",
        }
    }

    /// Accesses are checked: `-fupc-checks`, or a program to debug that is not optimised.
    pub fn checks(&self) -> bool {
        let debugs = self.is_debug() && self.optimize_flag() == "-O0";
        self.checks.unwrap_or(debugs)
    }

    /// `-g...` asks for debug information.
    pub fn is_debug(&self) -> bool {
        self.debug.as_deref().is_some_and(|level| level != "0")
    }

    /// Lets the C compiler use colours as if it wrote to our standard error itself, unless the user has said when to.
    pub fn colors(&self) -> Option<&'static str> {
        let wanted = std::io::stderr().is_terminal() && !self.color_given;
        wanted.then_some("-fdiagnostics-color=always")
    }

    /// Line tables, by which the runtime names source lines, unless the user has said what debug information there shall be.
    pub fn line_tables(&self) -> Option<&'static str> {
        self.debug.is_none().then_some("-g1")
    }
}

/// The words of a command line, response files put in, and what behind them belongs to the program that `--run` starts.
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
        // Cray's `-h upc` asks for the language; any other `-h` asks for help.
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

/// Under `--run`, what is no source or object ends the inputs: `upcc --run queens.upc -n 4 12`.
fn is_program_argument(words: &[Word<Options>], name: &str) -> bool {
    let language = words.iter().rev().find_map(|word| word.value_of("x"));
    words.iter().any(|word| matches!(word, Word::Plain(_)))
        && language.is_none_or(|language| language == "none")
        && Language::of_file(name).is_none()
}

/// `upcc` for clap.
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

/// Reads a number of threads.
pub fn thread_count(hit: &Hit) -> Result<u32, Failure> {
    let count = hit
        .value
        .parse()
        .ok()
        .filter(|count| (1..=MAX_THREADS).contains(count));
    count.ok_or_else(|| {
        let typed = hit.typed.join(" ");
        Failure::usage(format!(
            "`{typed}`: the number of threads must be from 1 to {MAX_THREADS}"
        ))
    })
}

/// Reads `P,T,A`, the bits of phase, thread and address of a packed pointer-to-shared.
pub fn packed_bits(hit: &Hit) -> Result<Pointers, Failure> {
    let bits: Vec<u32> = hit.value.split(',').map_while(|n| n.parse().ok()).collect();
    match bits[..] {
        [phase @ 1..=30, thread @ 1..=20, address]
            if hit.value.split(',').count() == 3
                && address >= 20
                && address == 64 - phase - thread =>
        {
            Ok(Pointers::Packed { phase, thread })
        }
        _ => Err(Failure::usage(format!(
            "`{}`: give the bits of phase (1 to 30), thread (1 to 20) and address (20 or more), 64 together, such as 20,10,34",
            hit.typed.join(" ")
        ))),
    }
}

/// Reads a size of the shared heap as the runtime does: a number (of MB), with K, M, G or T (and B, iB) behind it, or a percentage.
pub fn heap_size(hit: &Hit) -> Result<String, Failure> {
    let digits = hit.value.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = hit.value.split_at(digits);
    let unit = unit.to_ascii_lowercase();
    let unit = unit
        .strip_suffix("ib")
        .or_else(|| unit.strip_suffix('b'))
        .unwrap_or(&unit);
    let known = ["", "k", "m", "g", "t", "%"].contains(&unit)
        && !(unit.is_empty() && hit.value.len() > digits);
    let positive = number
        .parse::<u64>()
        .is_ok_and(|number| number > 0 && (unit != "%" || number <= 100));
    if known && positive {
        return Ok(hit.value.clone());
    }
    let typed = hit.typed.join(" ");
    Err(Failure::usage(format!(
        "`{typed}`: give a size such as 64MB, 2GB or 50% (a plain number counts MB)"
    )))
}

/// The language that `-x` names, `None` for `none`.
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

/// Cuts text into words as a shell would. `what` names the text in the message.
pub fn split_words(text: &str, what: &str) -> Result<Vec<String>, Failure> {
    shlex::split(text).ok_or_else(|| Failure::usage(format!("unbalanced quotes in {what}")))
}

/// The arguments in a file given as `@file`.
fn response_file(path: &Path) -> Result<Vec<String>, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::io("read", path, &error))?;
    split_words(&text, &path.display().to_string())
}

#[cfg(test)]
#[path = "options_tests.rs"]
mod tests;
