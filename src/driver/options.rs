//! Parses the command line of `upcc` into [`Options`], and checks the options together.

use super::database;
use super::help;
use super::languages::Language;
use super::log;
use super::option_table::{BRIEF, OPTIONS, OTHER_NAMES};
use super::optspec::{self, Word};
use super::settings::{Item, Options, Query, Stop, split_words};
use super::tool::Show;
use crate::cli::Failure;
use crate::target::Network;
use crate::translate::Races;
use clap::{Arg, Command};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

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
        let mut options = Options::default();
        options.execution.args = program_args;
        if words.iter().find_map(Word::asks_help) == Some(false) {
            let text = help::brief(OPTIONS, BRIEF, ABOUT, FOOT);
            options.query = Some(Query::Text(text));
            return Ok(options);
        }
        if let Some(answer) = optspec::check(command(), &words, OTHER_NAMES)? {
            options.query = Some(Query::Text(answer));
            return Ok(options);
        }
        for word in words {
            match word {
                Word::Option(spec, _, hit) => {
                    if !database::LEFT_OUT.contains(&spec.names[0]) {
                        options.deps.command.extend(hit.typed.iter().cloned());
                    }
                    (spec.apply)(&mut options, &hit)?;
                }
                Word::Plain(name) => options.input(name),
                // The check has rejected these already.
                Word::Dashes | Word::NoValue(_) | Word::Unknown(_) => {}
            }
        }
        if !options.execution.asked {
            // GUPC's driver uses `-n N` for the static number.
            options.target.threads = options.target.threads.or(options.execution.threads.take());
        }
        let nothing_to_do = options.items.is_empty() && options.explain_decl.is_empty();
        if nothing_to_do && options.messages.show == Show::Commands && options.query.is_none() {
            // As in C compilers, `-v` alone asks for the compiler's identity, which configuration scripts use.
            options.query = Some(Query::AskCompiler);
            options.query_arg = "-v".to_owned();
        }
        options.check()?;
        options.warn_of_thread_sanitizer();
        options.events.instrument = options.events.flags.instrument()?;
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

    fn asks_thread_sanitizer(&self) -> bool {
        let kinds = self.flags.all.iter().chain(&self.flags.cc);
        kinds
            .filter_map(|flag| flag.strip_prefix("-fsanitize="))
            .any(|kinds| kinds.split(',').any(|kind| kind == "thread"))
    }

    /// UPC threads are processes, whose accesses to shared memory ThreadSanitizer does not compare.
    fn warn_of_thread_sanitizer(&self) {
        if self.asks_thread_sanitizer() && !self.messages.warnings.suppress {
            log(
                "warning: -fsanitize=thread finds races between the pthreads of one UPC thread only; -fupc-races finds those between UPC threads",
            );
        }
    }

    /// Returns the flag that asks for optimisation at link time, if no later one cancels it.
    fn asks_lto(&self) -> Option<&String> {
        let mut flags = self.flags.all.iter().chain(&self.flags.cc);
        let asks = |flag: &str| flag == "-flto" || flag.starts_with("-flto=");
        flags
            .rfind(|flag| asks(flag) || *flag == "-fno-lto")
            .filter(|flag| asks(flag))
    }

    /// Checks the conditions on all options together.
    fn check(&self) -> Result<(), Failure> {
        if self.query.is_some() {
            return Ok(());
        }
        if self.target.uses_mpi && self.target.network != Network::Mpi {
            return Err(Failure::usage(
                "`-uses-mpi`: a program that calls MPI also needs -network=mpi",
            ));
        }
        if let Some(flag) = self
            .flags
            .all
            .iter()
            .chain(&self.flags.cc)
            .find(|o| FOREIGN_ABIS.contains(&o.as_str()))
        {
            return Err(Failure::usage(format!(
                "`{flag}`: upcc and its runtime lay out data as the 64-bit target does by default; remove the flag"
            )));
        }
        if let Some(flag) = self.asks_lto() {
            return Err(Failure::usage(format!(
                "`{flag}`: the link could not compare the number of threads and the pointers-to-shared of such objects; remove the flag, or add -fno-lto after it"
            )));
        }
        let most = self.target.pointers().max_threads();
        if let Some(threads) = self.target.threads.filter(|&threads| threads > most) {
            return Err(Failure::usage(format!(
                "{threads} threads are more than pointers-to-shared can represent ({most}): compile with -fupc-pts=struct, or give them more bits with -fupc-packed-bits"
            )));
        }
        if self.product.races != Races::Off && self.asks_thread_sanitizer() {
            return Err(Failure::usage(
                "`-fsanitize=thread` and -fupc-races instrument the same accesses: remove one of them (-fupc-races finds races between UPC threads)",
            ));
        }
        if let Some(output) = &self.product.output
            && output.as_os_str() != "-"
            && self.inputs().any(|(input, _)| input == output)
        {
            return Err(Failure::usage(format!(
                "`{}` is both input and output",
                output.display()
            )));
        }
        if self.product.no_verbatim && self.events.flags.inst {
            return Err(Failure::usage(
                "`-fupc-no-verbatim` is for tests without events: remove it or the flags of instrumentation",
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
        if self.product.stop < Stop::Program && self.product.output.is_some() && compiled > 1 {
            return Err(Failure::usage(
                "`-o` with `-c`, `-S`, `-E`, `-trans` or `--emit` takes one input file",
            ));
        }
        if self.execution.asked && self.product.stop != Stop::Program {
            return Err(Failure::usage(
                "`--run` needs the whole program: remove the option that stops before linking",
            ));
        }
        if let (Some(fixed), Some(asked)) = (self.target.threads, self.execution.threads)
            && self.execution.asked
            && fixed != asked
        {
            return Err(Failure::usage(format!(
                "`-n {asked}` differs from the static number of threads, `-T={fixed}`; give only one of them"
            )));
        }
        Ok(())
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
More options: upcc --help=all, man upcc, and those of the C compiler.";

const NOTES: &str = "\
`upcc lsp` starts a language server for editors.
Names of several letters take one or two dashes. @FILE stands for the arguments in FILE.
Options in $XDG_CONFIG_HOME/upcc/upccrc or ~/.upccrc (lines `option = value`, `default_options = ...`) and in UPCC_FLAGS precede those of the command line.
Environment: UPCC_CC or CC, the C compiler; UPCC_FLAGS; UPCC_NORC, no configuration file; XDG_CACHE_HOME, where the compiled runtime is kept; UPCC_RUNTIME_DIR, runtime sources in place of the built-in ones.
Exit status: 0 success, 1 errors in the program, 2 wrong usage, 3 missing tool or file, 70 internal error; with --run the program's own.";

/// Returns the arguments in a file given as `@file`.
fn response_file(path: &Path) -> Result<Vec<String>, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::io("read", path, &error))?;
    split_words(&text, &path.display().to_string())
}

#[cfg(test)]
#[path = "options_tests.rs"]
mod tests;
