//! The commands `upcc` and `upcrun`.
//!
//! `optspec`: how options are spelled; `settings`: what they ask for; `option_table`: the options of `upcc`; `options`:
//! its command line; `toolchain`: the C compiler; `runtime`: its headers and library; `cpp`, `compile`, `link`: the
//! stages; `run`: starting programs. What `upcprof` needs as well is in `crate::cli`.

mod brought;
mod cache;
mod calibrate;
mod columns;
mod compile;
mod config;
mod cpp;
mod database;
mod environment;
mod explain_decl;
mod files;
mod fix;
mod help;
mod hosts;
mod inspect;
mod inst;
mod job_folder;
mod languages;
mod link;
mod link_compat;
mod messages;
mod missing;
mod mpi;
mod objects;
mod option_table;
mod option_values;
mod options;
mod optspec;
mod outputs;
mod overlay;
mod run;
mod runtime;
mod settings;
mod sizes;
mod start;
mod supervise;
mod surroundings;
mod tool;
pub(crate) mod toolchain;
mod ucx;
pub mod unsaved;

pub use run::upcrun;

use crate::cli::streams::is_closed_input;
use crate::cli::temp_files::Temps;
use crate::cli::{self, Exit, Failure, print};
use crate::diag::{Format, pages};
use crate::lsp;
use compile::Session;
use config::{Defaults, Environment};
use run::Launch;
use runtime::Runtime;
pub use settings::split_words;
use settings::{Options, Query, Stop};
use std::path::{Path, PathBuf};
use tool::Show;
use toolchain::Compiler;

/// The first word of the command line that starts the language server, unless there is a file of this name.
const SERVER: &str = "lsp";

/// Runs `upcc`.
///
/// # Errors
/// Any: usage, errors in the program, environment.
pub fn upcc(args: Vec<String>) -> Result<Exit, Failure> {
    if let Some((first, rest)) = args.split_first()
        && first == SERVER
        && !Path::new(SERVER).exists()
    {
        return lsp::serve(rest);
    }
    let defaults = Defaults::find(&args, &Environment::read())?;
    let mut options = Options::parse(defaults.words.into_iter().chain(args))?;
    options.ignored.extend(defaults.ignored);
    if let Some(query) = &options.query {
        return answer(query, &options);
    }
    if let Some(output) = &options.compile_commands {
        let inputs: Vec<PathBuf> = options
            .inputs()
            .map(|(input, _)| input.to_path_buf())
            .collect();
        return database::merge(&inputs, output);
    }
    if options.messages.show != Show::Nothing && !options.ignored.is_empty() {
        log(&format!(
            "note: no effect here: {}",
            options.ignored.join(" ")
        ));
    }
    if options.inputs().any(|(input, _)| is_closed_input(input)) {
        return Err(Failure::environment(
            "cannot read standard input: it is closed",
        ));
    }
    if options.messages.show != Show::Only {
        files::check(&options)?;
    }
    let compiler = Compiler::from_env()?;
    options.flags.machine = compiler.machine(&options.flags.all)?;
    if options.messages.renderer.format == Format::Json && compiler.is_gcc()? {
        options
            .flags
            .all
            .push("-fdiagnostics-format=json".to_owned());
    }
    mpi::stand_in(&mut options);
    if options.target.uses_mpi {
        let flags = mpi::flags(&options)?;
        options.flags.cpp.extend(flags.compile);
    }
    let runtime = Runtime::locate()?;
    let temps = Temps::new(None)?;
    let session = Session {
        options: &options,
        compiler: &compiler,
        runtime: &runtime,
        temps: &temps,
    };
    if !options.explain_decl.is_empty() {
        return session.explain(&options.explain_decl);
    }
    let objects = compile_all(&session)?;
    if options.product.stop < Stop::Program {
        return Ok(Exit::Success);
    }
    let output = match &options.product.output {
        Some(output) => output.clone(),
        None if options.execution.asked => temps.file("program"),
        None => PathBuf::from("a.out"),
    };
    session.link(&objects, &output)?;
    if !options.execution.asked || options.messages.show == Show::Only {
        return Ok(Exit::Success);
    }
    let program = if output.is_absolute() {
        output
    } else {
        Path::new(".").join(output)
    };
    let launch = Launch {
        threads: options.execution.threads,
        shared_heap: options.target.shared_heap.clone(),
        verbose: options.messages.show != Show::Nothing,
        program,
        args: options.execution.args.clone(),
        ..Launch::default()
    };
    launch.run()
}

/// Returns the names of each option of `upcc`, one slice for each row of the table. Tests check that every option has
/// its effect.
pub fn option_names() -> impl Iterator<Item = &'static [&'static str]> {
    option_table::OPTIONS.iter().map(|spec| spec.names)
}

/// Compiles every input, and continues after one that has errors, as C compilers do.
fn compile_all(session: &Session<'_>) -> Result<Vec<PathBuf>, Failure> {
    let mut objects = Vec::new();
    let mut failed = false;
    for (index, (input, language)) in session.options.inputs().enumerate() {
        if session.options.messages.show != Show::Only {
            database::write_fragment(session.options, input, language)?;
        }
        match session.compile(input, language, index) {
            Ok(object) => objects.extend(object),
            Err(failure) if failure == Failure::reported() => failed = true,
            Err(failure) => return Err(failure),
        }
    }
    if failed {
        Err(Failure::reported())
    } else {
        Ok(objects)
    }
}

/// Answers a query instead of compiling.
fn answer(query: &Query, options: &Options) -> Result<Exit, Failure> {
    match query {
        Query::Text(text) => print(text),
        Query::IncludeDir => print(&format!("{}\n", Runtime::locate()?.include_dir().display())),
        Query::ShareDir(name) => {
            print(&format!(
                "{}\n",
                Runtime::locate()?.share_dir(name).display()
            ));
        }
        Query::PkgConfig => print(&surroundings::pkg_config()?),
        Query::Settings => print(&surroundings::settings()?),
        Query::Explain(code) => print(&pages::explain(code).map_err(Failure::usage)?),
        Query::Mpicc => print(&format!("{}\n", mpi::wrapper(options)?.join(" "))),
        Query::EchoVar(name) => print(&format!(
            "{}\n",
            surroundings::make_variable(name, options)?
        )),
        Query::GdbSetup => {
            let folders = Runtime::locate()?.gdb_folders();
            if folders.is_empty() {
                return Err(Failure::environment(
                    "gdb cannot trust the folder of our scripts, because its name contains characters that gdb interprets: set XDG_CACHE_HOME to another folder",
                ));
            }
            let lines = folders
                .iter()
                .map(|folder| format!("add-auto-load-safe-path {}\n", folder.display()));
            print(&lines.collect::<String>());
        }
        Query::Sizes => print(&sizes::table(&Compiler::from_env()?, options)?),
        Query::Man(name) if name == "upcrun" => print(&help::man(&run::command(), "upcrun")?),
        Query::Man(name) if name == "upcprof" => {
            print(&help::man_with_commands(
                &crate::prof::cli::command(),
                "upcprof",
            )?);
        }
        Query::Man(_) => print(&help::man(&options::command(), "upcc")?),
        Query::Completions(shell) => {
            print(&help::completions(&options::command(), "upcc", shell)?);
            print(&help::completions(&run::command(), "upcrun", shell)?);
            print(&help::completions(
                &crate::prof::cli::command(),
                "upcprof",
                shell,
            )?);
        }
        Query::AskCompiler => Compiler::from_env()?
            .tool()
            .arg(options.query_arg.clone())
            .run(options.messages.show)?,
    }
    Ok(Exit::Success)
}

/// Prints a line of `upcc`'s own on standard error.
fn log(text: &str) {
    cli::log("upcc", text);
}
