//! The link: objects, the user's libraries, our runtime, by the C compiler.

use super::compile::Session;
use super::exit::Failure;
use super::options::{Item, split_words};
use super::toolchain::Tool;
use crate::unit::pointer_macros;
use std::path::{Path, PathBuf};

/// The runtime starts the job before the user's `main`, which it calls in each thread.
const WRAP_MAIN: &str = "-Wl,--wrap=main";

impl Session<'_> {
    /// Links `objects`, one for each input of the command line in order.
    ///
    /// # Errors
    /// What the linker says, and failures to make the runtime.
    pub fn link(&self, objects: &[PathBuf], output: &Path) -> Result<(), Failure> {
        let options = self.options;
        let mut tool = match &options.link_with {
            Some(command) => Tool::of(split_words(command, "-link-with")?),
            None => self.compiler.tool(),
        };
        tool = tool
            .arg(options.optimize_flag())
            .args(options.all.iter().cloned())
            .args(options.cc.iter().cloned());
        // Library folders count for all libraries, wherever they stand.
        tool = tool.args(options.link.iter().cloned());
        let mut objects = objects.iter();
        for item in &options.items {
            tool = match item {
                Item::LinkArg(arg) => tool.arg(arg.clone()),
                Item::Input(..) => match objects.next() {
                    Some(object) => tool.path(object),
                    None => tool,
                },
            };
        }
        if !options.no_program {
            let macros = pointer_macros(options.pointers());
            let defines: Vec<String> = macros.iter().map(|text| format!("-D{text}")).collect();
            let library =
                self.runtime
                    .library(self.compiler, &options.all, &defines, options.verbose)?;
            if !options.extern_main {
                tool = tool.arg(WRAP_MAIN);
            }
            if let Some(size) = &options.shared_heap {
                tool = tool.path(&self.heap_object(size)?);
            }
            // UPC compilers have always linked the mathematical functions in.
            tool = tool.path(&library).arg("-lm");
        }
        tool.arg("-o").path(output).run(options.verbose)
    }

    /// An object that tells the runtime the default size of the shared heap.
    fn heap_object(&self, size: &str) -> Result<PathBuf, Failure> {
        let (source, object) = (self.temps.file("heap.c"), self.temps.file("heap.o"));
        // The size has been checked: digits and a unit.
        let text = format!("const char upcr_linked_heap[] = \"{size}\";\n");
        std::fs::write(&source, text).map_err(|error| Failure::io("write", &source, &error))?;
        let tool = self
            .compiler
            .tool()
            .arg("-c")
            .args(self.options.all.iter().cloned());
        tool.path(&source)
            .arg("-o")
            .path(&object)
            .run(self.options.verbose)?;
        Ok(object)
    }
}
