//! The link: objects, the user's libraries, our runtime, by the C compiler.

use super::compile::POINTER_STRUCT;
use super::compile::Session;
use super::exit::Failure;
use super::options::{Item, split_words};
use super::toolchain::Tool;
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
            let defines: &[&str] = if options.pts_struct {
                &[POINTER_STRUCT]
            } else {
                &[]
            };
            let library =
                self.runtime
                    .library(self.compiler, &options.all, defines, options.verbose)?;
            if !options.extern_main {
                tool = tool.arg(WRAP_MAIN);
            }
            tool = tool.path(&library);
        }
        tool.arg("-o").path(output).run(options.verbose)
    }
}
