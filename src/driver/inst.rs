//! The options for performance events.

use crate::cli::Failure;
use crate::events::{Group, Instrument};
use std::path::PathBuf;

/// The flags as given.
#[derive(Clone, Debug, Default)]
pub struct InstFlags {
    /// `--inst`, or any flag that implies it.
    pub inst: bool,
    /// `--inst-local`
    pub local: bool,
    /// `--inst-functions`
    pub functions: bool,
    /// `--inst-only FILE`
    pub only: Option<PathBuf>,
    /// `--profile`, which excludes `--profile-partial`.
    pub profile: bool,
    /// `--profile-partial FILE`
    pub partial: Option<PathBuf>,
    /// `--exclude-functions FILE`
    pub exclude: Vec<PathBuf>,
    /// `-inst-toolname=NAME`, `-trace`
    pub tool: Option<String>,
    /// `-trace`
    pub trace: bool,
}

/// The tools that come with the runtime. Any other name stands for a tool that the user links.
const BUNDLED: [&str; 2] = ["dump", "measure"];

impl InstFlags {
    /// Handles `-noinst`: discards the flags before it.
    pub fn reset(&mut self) {
        *self = InstFlags {
            tool: self.tool.take(),
            ..InstFlags::default()
        };
    }

    /// Returns how units are instrumented, after reading the lists; `None`: they are not instrumented.
    ///
    /// # Errors
    /// Flags that exclude each other, and lists that cannot be read.
    pub fn instrument(&self) -> Result<Option<Instrument>, Failure> {
        if self.partial.is_some() && (self.profile || self.only.is_some()) {
            return Err(Failure::usage(
                "`--profile-partial` names the events to report: it cannot be combined with `--profile` or `--inst-only`",
            ));
        }
        if !self.inst {
            return Ok(None);
        }
        let mut instrument = Instrument::new();
        instrument.local = self.local;
        if self.functions || self.profile {
            instrument.events = instrument.events.with_group(Group::Function);
        }
        if let Some(path) = &self.only {
            let unknown = instrument.only(&read(path)?);
            complain(path, &unknown, "GASP_UPC_GET");
            for (event, within) in instrument.without_operation() {
                super::log(&format!(
                    "warning: {}: {event} will not be raised: it belongs to operations whose events are not listed ({})",
                    path.display(),
                    within.join(", ")
                ));
            }
        }
        if let Some(path) = &self.partial {
            let unknown = instrument.partial(&read(path)?);
            complain(path, &unknown, "PUPC_STRICT_GET");
        }
        if !self.functions && (self.profile || self.partial.is_some()) {
            // In PUPC 1.1 (section 4) the events of the program's start and end replace those of `main`.
            instrument.exclude("main");
        }
        for path in &self.exclude {
            instrument.exclude(&read(path)?);
        }
        Ok(Some(instrument))
    }

    /// Returns the bundled tool that the link chooses.
    pub fn linked_tool(&self) -> Option<&'static str> {
        let tool = self.tool.as_deref()?;
        BUNDLED.iter().copied().find(|name| *name == tool)
    }
}

fn read(path: &PathBuf) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| Failure::io("read", path, &error))
}

/// Warns of names in a list that are not events.
fn complain(path: &std::path::Path, unknown: &[String], example: &str) {
    for name in unknown {
        super::log(&format!(
            "warning: {}: `{name}` is not an event and is ignored; an example of a name is {example}",
            path.display()
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bundled_tools_are_linked() {
        let tool = |name: &str| {
            let flags = InstFlags {
                tool: Some(name.to_owned()),
                ..InstFlags::default()
            };
            flags.linked_tool()
        };
        assert_eq!(tool("gasp-tau"), None);
        assert_eq!(tool("dump"), Some("dump"));
    }

    #[test]
    fn profile_excludes_its_partial_form() {
        let flags = InstFlags {
            inst: true,
            profile: true,
            partial: Some("list".into()),
            ..InstFlags::default()
        };
        assert!(flags.instrument().is_err());
    }
}
