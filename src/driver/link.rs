//! Links objects, the user's libraries and the runtime, by the C compiler.

use super::compile::Session;
use super::languages::Language;
use super::link_compat::{self, Program};
use super::messages::{LinkNames, source_line};
use super::objects::{self, Linked};
use super::settings::{Item, split_words};
use super::tool::{Show, Tool};
use super::{mpi, ucx};
use crate::cli::Failure;
use crate::emit::head::{LinkDefaults, link_unit};
use crate::target::Network;
use crate::translate::TranslateOptions;
use crate::unit::{pointer_macros, reach_macros};
use std::path::{Path, PathBuf};

impl Session<'_> {
    /// Links `objects`, one for each input of the command line, in order.
    ///
    /// # Errors
    /// Parts that do not fit together, errors of the linker, and failures to build the runtime.
    pub fn link(&self, objects: &[PathBuf], output: &Path) -> Result<(), Failure> {
        let options = self.options;
        let parts: Vec<Linked> = objects
            .iter()
            .flat_map(|path| objects::read(path))
            .collect();
        self.check_parts(&parts)?;
        let mut tool = match &options.flags.link_with {
            Some(command) => Tool::of(split_words(command, "-link-with")?),
            None => self.compiler.tool(),
        };
        tool = tool
            .arg(options.flags.optimize_flag())
            .args(options.flags.all.iter().cloned())
            .args(options.flags.cc.iter().cloned());
        // Library folders apply to all libraries, wherever the options are on the command line.
        tool = tool.args(options.flags.link.iter().cloned());
        let mut rest = objects.iter();
        for item in &options.items {
            tool = match item {
                Item::LinkArg(arg) => tool.arg(arg.clone()),
                Item::Input(..) => match rest.next() {
                    Some(object) => tool.path(object),
                    None => tool,
                },
            };
        }
        let inputs = options.inputs().map(|(input, _)| input.to_path_buf());
        let temporary = objects.iter().cloned().zip(inputs);
        let mut names = LinkNames {
            objects: temporary
                .filter(|(object, _)| self.temps.holds(object))
                .collect(),
            runtime: None,
            shared_use: &|name| self.shared_use(&parts, name),
            inline: parts
                .iter()
                .flat_map(|part| part.inline_names.clone())
                .collect(),
        };
        if !options.product.no_program {
            let (library, flags) = self.library()?;
            tool = tool.args(flags);
            if let Some(defaults) = self.defaults(&parts)? {
                tool = tool.path(&defaults);
            }
            // UPC compilers have always linked the mathematical functions.
            tool = tool
                .path(&library)
                .arg("-lm")
                .args(self.network_flags()?.link)
                .args(self.fixed_place());
            names.runtime = Some(library);
        }
        tool.arg("-o")
            .path(output)
            .run_rewriting(options.messages.show, |text, failed| {
                names.retell(text, failed)
            })?;
        if options.product.no_program || options.messages.show == Show::Only {
            return Ok(());
        }
        self.check_program(output, &parts).inspect_err(|_| {
            let _ = std::fs::remove_file(output);
        })
    }

    /// Returns the flag that fixes the addresses of functions and constants. Processes that a launcher starts
    /// separately have these at the same addresses only if the linker fixes them. Pointers to them then mean the same
    /// to all threads, as under smp, whose processes are forked from one.
    fn fixed_place(&self) -> Option<&'static str> {
        const CHOICES: &[&str] = &["-pie", "-no-pie", "-static-pie", "-static"];
        let chosen = self
            .options
            .flags
            .link
            .iter()
            .any(|word| CHOICES.contains(&word.as_str()));
        match self.options.target.network {
            Network::Mpi | Network::Ucx if !chosen => Some("-no-pie"),
            Network::Mpi | Network::Ucx | Network::Smp => None,
        }
    }

    /// Returns the flags that the transport's own libraries need.
    fn network_flags(&self) -> Result<mpi::Flags, Failure> {
        match self.options.target.network {
            Network::Smp => Ok(mpi::Flags::default()),
            Network::Mpi => mpi::flags(self.options),
            Network::Ucx => ucx::flags(),
        }
    }

    /// Returns the runtime library for the options that this command compiles and links with, and its flags.
    fn library(&self) -> Result<(PathBuf, Vec<&'static str>), Failure> {
        let options = self.options;
        let reach = options.target.reach();
        let network = self.network_flags()?;
        let flags: Vec<String> = pointer_macros(options.target.pointers())
            .into_iter()
            .chain(reach_macros(reach))
            .map(|text| format!("-D{text}"))
            .chain(network.compile)
            .collect();
        self.runtime
            .library(self.compiler, &flags, reach, options.messages.show)
    }

    /// Checks the objects that are certain to be linked against each other. For the members of archives see
    /// [`Session::check_program`].
    fn check_parts(&self, parts: &[Linked]) -> Result<(), Failure> {
        if self.options.product.shared_library {
            return link_compat::check_shared_library(parts, &|part| self.source_or_name(part));
        }
        if self.options.product.no_program {
            return Ok(());
        }
        let whole = parts.iter().filter(|part| part.member.is_none());
        self.program().check(whole.flat_map(|part| {
            part.units
                .iter()
                .map(|unit| (self.source_or_name(part), unit))
        }))
    }

    /// Checks the parts that the linker has taken against each other, if they may include members of archives with UPC
    /// code.
    fn check_program(&self, program: &Path, parts: &[Linked]) -> Result<(), Failure> {
        let mut members: Vec<&Linked> = parts.iter().filter(|part| part.member.is_some()).collect();
        let libraries: Vec<Linked> = self
            .libraries()
            .iter()
            .flat_map(|path| objects::read(path))
            .collect();
        members.extend(&libraries);
        members.retain(|member| !member.units.is_empty());
        if members.is_empty() {
            return Ok(());
        }
        let units = objects::units_of_program(program)?;
        let objects = parts.iter().filter(|part| part.member.is_none());
        let known: Vec<&Linked> = objects.chain(members).collect();
        self.program().check(units.iter().map(|unit| {
            let part = known.iter().find(|part| part.units.contains(unit));
            let name = part.map_or_else(|| unit.source.clone(), |part| self.source_or_name(part));
            (name, unit)
        }))
    }

    fn program(&self) -> Program {
        Program {
            threads: self.options.target.threads,
            pointers: self.options.target.pointers(),
            reach: self.options.target.reach(),
        }
    }

    /// Returns the static libraries that `-l` names, if they are in the folders of `-L`.
    fn libraries(&self) -> Vec<PathBuf> {
        let options = self.options;
        let words: Vec<&str> = options.flags.link.iter().map(String::as_str).collect();
        let folders =
            words
                .iter()
                .enumerate()
                .filter_map(|(index, word)| match word.strip_prefix("-L")? {
                    "" => words.get(index + 1).copied(),
                    folder => Some(folder),
                });
        let folders: Vec<&str> = folders.collect();
        let names = options.items.iter().filter_map(|item| match item {
            Item::LinkArg(arg) => arg.strip_prefix("-l"),
            Item::Input(..) => None,
        });
        let files = names.flat_map(|name| {
            folders
                .iter()
                .map(move |folder| Path::new(folder).join(format!("lib{name}.a")))
        });
        files.filter(|file| file.is_file()).collect()
    }

    /// Returns the name of a part as users know it: for an object that this command has made, its source.
    fn source_or_name(&self, part: &Linked) -> String {
        match part.units.first() {
            Some(unit) if self.temps.holds(&part.file) => unit.source.clone(),
            _ => part.name(),
        }
    }

    /// Returns the source line at which a part uses a shared object that it does not define.
    fn shared_use(&self, parts: &[Linked], name: &str) -> Option<String> {
        let part = parts
            .iter()
            .find(|part| part.shared_names.iter().any(|shared| shared == name))?;
        let line = objects::first_use(&part.file, name).filter(|_| part.member.is_none());
        let line = line.and_then(|(section, offset)| source_line(&part.file, &section, offset));
        Some(line.unwrap_or_else(|| self.source_or_name(part)))
    }

    /// Returns an object with the settings that this link decides: the default size of the shared heap, the tool that
    /// events are reported to, and the number of threads if no compilation has fixed it.
    fn defaults(&self, parts: &[Linked]) -> Result<Option<PathBuf>, Failure> {
        let options = self.options;
        let mpi_events = options.target.uses_mpi && parts.iter().any(|part| part.is_instrumented);
        let compiles = options
            .inputs()
            .any(|(_, language)| matches!(language, Language::Upc | Language::PreprocessedUpc));
        let threads = options.target.threads.filter(|_| !compiles);
        let tool = options.events.flags.linked_tool();
        let nothing = options.target.shared_heap.is_none() && options.target.pshm_width.is_none();
        if threads.is_none() && nothing && !options.target.uses_mpi && tool.is_none() {
            return Ok(None);
        }
        let (source, object) = (self.temps.file("link.c"), self.temps.file("link.o"));
        let head = TranslateOptions {
            static_threads: threads,
            pointers: options.target.pointers(),
            reach: options.target.reach(),
            ..TranslateOptions::default()
        };
        let defaults = LinkDefaults {
            heap: options.target.shared_heap.as_deref(),
            tool,
            trace: tool.is_some() && options.events.flags.trace,
            pshm_width: options.target.pshm_width,
            uses_mpi: options.target.uses_mpi,
            mpi_events,
        };
        self.write(&source, &link_unit(&head, &defaults))?;
        let tool = self
            .compiler
            .tool()
            .arg("-c")
            .args(options.flags.all.iter().cloned());
        let mpi_headers = match mpi_events {
            true => self.network_flags()?.compile,
            false => Vec::new(),
        };
        tool.args(mpi_headers)
            .arg("-isystem")
            .path(&self.runtime.include_dir())
            .path(&source)
            .arg("-o")
            .path(&object)
            .run(options.messages.show)?;
        Ok(Some(object))
    }
}
