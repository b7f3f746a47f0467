//! The folder for the files that Open MPI's launcher and its daemon on this machine keep while a job runs.
//!
//! Each job has a folder of its own in the folder for temporary files, which the launcher gets as TMPDIR. It is removed
//! with everything in it, so nothing depends on the names of the files, which differ between versions. A launcher
//! that shares a folder with others may also fail when the last of them removes it.
//!
//! An `upcrun`, and the process that watches over it, hold a lock on the folder. A folder that nobody holds belonged to
//! processes that were all killed, and the next `upcrun` removes it.

use crate::cli::temp_files;
use std::fs::{DirBuilder, File};
use std::hash::{BuildHasher as _, RandomState};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The first part of the folders' names. Open MPI puts sockets deep inside, whose paths must be short.
const PREFIX: &str = "upcrun-";
/// The number of attempts to make a folder, which another `upcrun` may remove before it is held, and to remove one, in
/// which processes that are about to end may make files.
const TRIES: usize = 10;
const AGAIN: Duration = Duration::from_millis(20);

/// The folder of a job, which is removed when this value is dropped.
pub struct JobFolder {
    path: PathBuf,
    _held: File,
}

impl JobFolder {
    /// Makes the folder; `None`: not possible, and the job runs without it.
    pub fn make() -> Option<JobFolder> {
        let base = temp_files::system_folder();
        remove_stale(&base);
        (0..TRIES).find_map(|_| JobFolder::make_in(&base))
    }

    fn make_in(base: &Path) -> Option<JobFolder> {
        let number = RandomState::new().hash_one(std::process::id()) & 0xffff_ffff;
        let path = base.join(format!("{PREFIX}{number:08x}"));
        DirBuilder::new().mode(0o700).create(&path).ok()?;
        match hold(&path) {
            Some(held) => Some(JobFolder { path, _held: held }),
            None => {
                let _ = std::fs::remove_dir(&path);
                None
            }
        }
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for JobFolder {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// Keeps others from removing a folder while the returned file is open; `None`: the folder is gone, or its file system
/// has no locks.
pub fn hold(path: &Path) -> Option<File> {
    let held = File::open(path).ok()?;
    held.lock_shared().ok()?;
    // Another `upcrun` may have removed it between the two steps.
    let is_there = std::fs::symlink_metadata(path).ok()?.ino() == held.metadata().ok()?.ino();
    is_there.then_some(held)
}

/// Removes a job's folder with all its files.
pub fn remove(path: &Path) {
    for _ in 0..TRIES {
        let removed = std::fs::remove_dir_all(path);
        if removed.is_ok() || !path.exists() {
            return;
        }
        std::thread::sleep(AGAIN);
    }
}

/// Removes this user's folders of jobs that nobody holds.
fn remove_stale(base: &Path) {
    for entry in std::fs::read_dir(base).into_iter().flatten().flatten() {
        let path = entry.path();
        let named = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if named
            && is_own_folder(&path)
            && let Ok(folder) = File::open(&path)
            && folder.try_lock().is_ok()
        {
            let _ = std::fs::remove_dir_all(&path);
        }
    }
}

/// Returns whether this is a folder, not a link to one, and belongs to this user.
fn is_own_folder(path: &Path) -> bool {
    let user = rustix::process::geteuid().as_raw();
    std::fs::symlink_metadata(path).is_ok_and(|found| found.is_dir() && found.uid() == user)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_removes_its_folder_whole() {
        let base = tempfile::tempdir().unwrap();
        let job = JobFolder::make_in(base.path()).unwrap();
        let other = JobFolder::make_in(base.path()).unwrap();
        // The names of Open MPI 4 and of Open MPI 5.
        for name in ["ompi.m.0/pid.7/0", "prte.m.7.0/1", "any"] {
            std::fs::create_dir_all(job.path().join(name)).unwrap();
            std::fs::write(job.path().join(name).join("contact.txt"), "x").unwrap();
        }
        let path = job.path().to_owned();
        drop(job);
        assert!(!path.exists() && other.path().exists());
    }

    #[test]
    fn folders_of_jobs_that_are_gone_are_removed() {
        let base = tempfile::tempdir().unwrap();
        let folder = |name: &str| base.path().join(name);
        for name in ["upcrun-gone", "upcrun-other", "elsewhere"] {
            std::fs::create_dir_all(folder(name).join("pid.7")).unwrap();
        }
        std::os::unix::fs::symlink(folder("elsewhere"), folder("upcrun-link")).unwrap();
        // Only root can give a folder away.
        let given = std::os::unix::fs::chown(folder("upcrun-other"), Some(1), None).is_ok();
        let runs = JobFolder::make_in(base.path()).unwrap();
        remove_stale(base.path());
        assert!(!folder("upcrun-gone").exists());
        assert!(folder("elsewhere/pid.7").exists());
        assert_eq!(folder("upcrun-other/pid.7").exists(), given);
        assert!(runs.path().exists());
    }

    #[test]
    fn a_process_that_watches_holds_the_folder() {
        let base = tempfile::tempdir().unwrap();
        let path = base.path().join("upcrun-watched");
        std::fs::create_dir(&path).unwrap();
        let watches = hold(&path).unwrap();
        remove_stale(base.path());
        assert!(path.exists());
        drop(watches);
        remove_stale(base.path());
        assert!(hold(&path).is_none());
    }
}
