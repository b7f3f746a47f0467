//! The destination of the output: standard output, or a file that appears once it is complete.

use super::exit::Failure;
use super::temp_files::Leftover;
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
    /// A regular file, written beside its place and renamed: neither a full disk nor a signal leaves a partial file,
    /// and an old file is kept until the new one is complete.
    Replaced(PathBuf, BufWriter<NamedTempFile>, Leftover),
}

impl To {
    fn file(path: &Path) -> io::Result<To> {
        // Resolves a link, so that it is kept.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let old = fs::metadata(&path).ok();
        let direct = |path: PathBuf| {
            let file = File::create(&path)?;
            Ok(To::Direct(path, BufWriter::new(file)))
        };
        let is_old = old.is_some();
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            return direct(path);
        }
        let folder = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        // The user's mask applies, as to any new file.
        let mode = old.map_or_else(|| Permissions::from_mode(0o666), |old| old.permissions());
        let mut builder = Builder::new();
        let beside = builder
            .prefix(".upcc-")
            .permissions(mode)
            .tempfile_in(folder);
        match beside {
            // The file is writable, but its folder is not.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied && is_old => direct(path),
            Err(error) => Err(error),
            Ok(file) => {
                let leftover = Leftover::new(file.path());
                Ok(To::Replaced(path, BufWriter::new(file), leftover))
            }
        }
    }
}

impl Output {
    /// Opens standard output or the file of `-o`.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn open(path: Option<&str>) -> Result<Output, Failure> {
        let to = match path {
            None => To::Standard(BufWriter::new(io::stdout())),
            Some(path) => To::file(Path::new(path))
                .map_err(|error| Failure::io("write", Path::new(path), &error))?,
        };
        Ok(Output { to })
    }

    /// Returns the name of the output for messages.
    pub fn name(&self) -> String {
        match &self.to {
            To::Standard(_) => "standard output".to_owned(),
            To::Direct(path, _) | To::Replaced(path, ..) => path.display().to_string(),
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
            To::Replaced(path, out, _leftover) => {
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
            To::Replaced(_, out, _) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.to {
            To::Standard(out) => out.flush(),
            To::Direct(_, out) => out.flush(),
            To::Replaced(_, out, _) => out.flush(),
        }
    }
}

/// Writes a complete file.
///
/// # Errors
/// An environment failure; the old file is then unchanged.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let written = To::file(path).and_then(|to| {
        let mut output = Output { to };
        output.write_all(bytes)?;
        output.finish()
    });
    written.map_err(|error| Failure::io("write", path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_replaced_as_wholes() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("a"), folder.path().join("link"));
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        fs::write(&file, "old, and longer").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink("a", &link).unwrap();
        write_whole(&link, b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(mode(&file), 0o640);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        write_whole(&folder.path().join("b"), b"new").unwrap();
        let plain = folder.path().join("plain");
        fs::write(&plain, "").unwrap();
        assert_eq!(mode(&folder.path().join("b")), mode(&plain));
        write_whole(Path::new("/dev/null"), b"new").unwrap();
        let failure = write_whole(Path::new("/dev/full"), b"new").unwrap_err();
        assert!(failure.message.contains("/dev/full"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4);
    }
}
