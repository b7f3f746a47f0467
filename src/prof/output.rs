//! The destination of the output: standard output, or a file that appears once it is complete.

use crate::driver::Failure;
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// An output being written.
pub struct Output {
    to: To,
}

enum To {
    Standard(BufWriter<io::Stdout>),
    /// A pipe or a device, written in place.
    Direct(PathBuf, BufWriter<File>),
    /// A regular file, written beside its place and renamed.
    Replaced(PathBuf, BufWriter<NamedTempFile>),
}

impl Output {
    /// Opens standard output or the file of `-o`.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn open(path: Option<&str>) -> Result<Output, Failure> {
        let to = match path {
            None => To::Standard(BufWriter::new(io::stdout())),
            Some(path) => Output::file(Path::new(path))
                .map_err(|error| Failure::io("write", Path::new(path), &error))?,
        };
        Ok(Output { to })
    }

    fn file(path: &Path) -> io::Result<To> {
        // Resolves a link, so that it is kept.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let old = fs::metadata(&path).ok();
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            return Ok(To::Direct(
                path.clone(),
                BufWriter::new(File::create(&path)?),
            ));
        }
        let folder = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        // The user's mask applies, as to any new file.
        let mode = old.map_or_else(|| Permissions::from_mode(0o666), |old| old.permissions());
        let file = Builder::new()
            .prefix(".upcprof-")
            .permissions(mode)
            .tempfile_in(folder)?;
        Ok(To::Replaced(path, BufWriter::new(file)))
    }

    /// Returns the name of the output for messages.
    pub fn name(&self) -> String {
        match &self.to {
            To::Standard(_) => "standard output".to_owned(),
            To::Direct(path, _) | To::Replaced(path, _) => path.display().to_string(),
        }
    }

    /// Returns whether the output is shown on a terminal.
    pub fn is_terminal(&self) -> bool {
        matches!(self.to, To::Standard(_)) && io::stdout().is_terminal()
    }

    /// Completes the output.
    ///
    /// # Errors
    /// The rest of it cannot be written; no file is left then.
    pub fn finish(self) -> io::Result<()> {
        match self.to {
            To::Standard(mut out) => out.flush(),
            To::Direct(_, mut out) => out.flush(),
            To::Replaced(path, out) => {
                let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.persist(path).map(drop).map_err(|error| error.error)
            }
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.to {
            To::Standard(out) => out.write(bytes),
            To::Direct(_, out) => out.write(bytes),
            To::Replaced(_, out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.to {
            To::Standard(out) => out.flush(),
            To::Direct(_, out) => out.flush(),
            To::Replaced(_, out) => out.flush(),
        }
    }
}
