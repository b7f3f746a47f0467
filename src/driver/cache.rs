//! The cache: folders named by hashes of their inputs, in a place that only this user can write to.
//!
//! Each folder is built in a private folder, written to disk and renamed into place, so that parallel or interrupted
//! builds and machine crashes leave no partial folder. A lock file beside the folder prevents parallel builds from
//! repeating the work; the kernel releases it when its holder ends. The contents of a folder are checked at every use,
//! and the folder is rebuilt if they have changed, or if another user owns a part of it or can write to it.

use super::log;
use crate::cli::temp_files::{Temps, private, system_folder};
use crate::cli::{Failure, folders};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use std::fs;
use std::os::unix::fs::{
    DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _,
};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// The file in a private folder that its owner locks while it lives.
const HELD: &str = "held";

/// The age at which a private folder that nobody holds is removed: younger ones may be about to be locked.
const ABANDONED: Duration = Duration::from_secs(60);

/// The age at which a private folder is removed of which nobody can tell whether it is held.
const STALE: Duration = Duration::from_secs(3600);

/// How long to wait for another process that builds the same folder.
const PATIENCE: Duration = Duration::from_secs(120);

/// The mode bits that let other users write.
const OTHERS_WRITE: u32 = 0o022;

/// The name of the file in a folder that holds its seal.
const SEAL: &str = "seal";

/// The cache's folder.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// Returns the cache in `$XDG_CACHE_HOME/upcc`, else `~/.cache/upcc`, else in a folder of this user below the
    /// system's folder for temporary files.
    ///
    /// # Errors
    /// An environment failure if no such folder belongs to this user alone.
    pub fn find() -> Result<Cache, Failure> {
        let wanted = folders::of_user("XDG_CACHE_HOME", ".cache");
        if let Some(folder) = wanted.map(|folder| folder.join("upcc"))
            && new_folder(&folder).is_ok()
            && tempfile::tempfile_in(&folder).is_ok()
        {
            match distrust(&folder) {
                None => return Ok(Cache { folder }),
                Some(reason) => log(&format!(
                    "warning: the folder {} {reason}, so it is not used: remove it, or set XDG_CACHE_HOME to another folder",
                    folder.display()
                )),
            }
        }
        let user = rustix::process::geteuid().as_raw();
        let folder = system_folder().join(format!("upcc-cache-{user}"));
        new_folder(&folder).map_err(|error| Failure::io("make", &folder, &error))?;
        // Any user may have created a link at this path.
        let linked = fs::symlink_metadata(&folder).is_ok_and(|found| !found.is_dir());
        let reason = linked.then(|| "is a link".to_owned());
        match reason.or_else(|| distrust(&folder)) {
            None => Ok(Cache { folder }),
            Some(reason) => Err(Failure::environment(format!(
                "the folder {} {reason}: remove it, or set XDG_CACHE_HOME to a folder of your own",
                folder.display()
            ))),
        }
    }

    /// Returns the cache's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the folder `name`. Calls `make` to build it if it does not exist or `whole` rejects it.
    ///
    /// # Errors
    /// Those of `make`, and an environment failure if the cache cannot be written.
    pub fn ready(
        &self,
        name: &str,
        whole: impl Fn(&Path) -> bool,
        make: impl FnOnce(&Path) -> Result<(), Failure>,
    ) -> Result<PathBuf, Failure> {
        let folder = self.folder.join(name);
        let whole = |folder: &Path| distrust_any(folder).is_none() && whole(folder);
        if whole(&folder) {
            return Ok(folder);
        }
        let _turn = turn(&self.folder, name);
        if whole(&folder) {
            return Ok(folder);
        }
        sweep(&self.folder);
        let temporary = Temps::new(Some(&self.folder))?;
        // The kernel releases it when this process ends, for whatever reason. Without locks, the folder's age decides.
        let _held = lock_of(&temporary.file(HELD)).filter(|held| held.try_lock().is_ok());
        let content = temporary.file("content");
        fs::create_dir(&content).map_err(|error| Failure::io("make", &content, &error))?;
        make(&content)?;
        let placed = write_out(&content).and_then(|()| put(&content, &folder));
        match placed {
            Ok(()) => Ok(folder),
            // Another process has built the folder first.
            Err(_) if whole(&folder) => Ok(folder),
            Err(error) => Err(Failure::io("make", &folder, &error)),
        }
    }
}

/// Creates a folder that only this user can read, unless it exists.
fn new_folder(folder: &Path) -> std::io::Result<()> {
    let mode = private().mode();
    fs::DirBuilder::new()
        .recursive(true)
        .mode(mode)
        .create(folder)
}

/// Returns the reason not to trust a folder; `None` if it belongs to this user and no other user can write to it.
pub fn distrust(folder: &Path) -> Option<String> {
    reason_against(&fs::metadata(folder))
}

/// As [`distrust`], for what is known about a file or folder.
fn reason_against(found: &std::io::Result<fs::Metadata>) -> Option<String> {
    let user = rustix::process::geteuid().as_raw();
    match found {
        Err(_) => Some("cannot be examined".to_owned()),
        Ok(found) if found.uid() != user => Some("belongs to another user".to_owned()),
        Ok(found) if found.mode() & OTHERS_WRITE != 0 => Some(format!(
            "can be written by others (mode {:o})",
            found.mode() & 0o7777
        )),
        Ok(_) => None,
    }
}

/// Returns the reason not to trust a folder or anything in it. A link could lead anywhere, and is not trusted.
pub fn distrust_any(folder: &Path) -> Option<String> {
    let found = fs::symlink_metadata(folder);
    if found.as_ref().is_ok_and(fs::Metadata::is_symlink) {
        return Some("is a link".to_owned());
    }
    let reason = reason_against(&found);
    if reason.is_some() || !found.is_ok_and(|found| found.is_dir()) {
        return reason;
    }
    let Ok(entries) = fs::read_dir(folder) else {
        return Some("cannot be examined".to_owned());
    };
    let mut names = entries.map(|entry| entry.map(|entry| entry.file_name()));
    names.find_map(|name| match name {
        Ok(name) => {
            let reason = distrust_any(&folder.join(&name))?;
            Some(format!("contains {}, which {reason}", name.display()))
        }
        Err(_) => Some("cannot be examined".to_owned()),
    })
}

/// Moves a folder to its place, replacing a damaged folder there.
fn put(content: &Path, folder: &Path) -> std::io::Result<()> {
    if fs::symlink_metadata(folder).is_err() {
        return fs::rename(content, folder);
    }
    let swapped = renameat_with(CWD, content, CWD, folder, RenameFlags::EXCHANGE);
    if swapped.is_ok() {
        return Ok(());
    }
    // Not every file system can exchange two folders atomically.
    fs::rename(folder, content.with_extension("old"))?;
    fs::rename(content, folder)
}

/// Waits until every file in a folder is on disk: otherwise a rename may reach the disk before the files do. Takes away
/// the right of other users to write, which the user's mask may grant.
fn write_out(folder: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            write_out(&path)?;
        } else {
            write_out_one(&path)?;
        }
    }
    write_out_one(folder)
}

fn write_out_one(path: &Path) -> std::io::Result<()> {
    let file = fs::File::open(path)?;
    let mode = file.metadata()?.permissions().mode();
    file.set_permissions(fs::Permissions::from_mode(mode & !OTHERS_WRITE))?;
    file.sync_all()
}

/// Records the checksum of a file's contents in the folder.
///
/// # Errors
/// Those of reading and writing.
pub fn seal(folder: &Path, file: &str) -> std::io::Result<()> {
    let seal = seal_of(&fs::read(folder.join(file))?);
    fs::write(folder.join(SEAL), seal)
}

/// Returns whether a file of the folder is unchanged since it was sealed.
pub fn is_sealed(folder: &Path, file: &str) -> bool {
    let read = |name: &str| fs::read(folder.join(name)).ok();
    let (seal, bytes) = (read(SEAL), read(file));
    seal.is_some_and(|seal| bytes.is_some_and(|bytes| seal_of(&bytes).as_bytes() == seal))
}

fn seal_of(bytes: &[u8]) -> String {
    format!("{:08x} {}\n", crc32c::crc32c(bytes), bytes.len())
}

/// Waits until no other process builds the folder `name`, so that `make -j` builds it once. The kernel releases the
/// lock when its holder ends, for whatever reason. After `PATIENCE` (a stopped holder, a file system without locks) the
/// caller builds the folder as well, which is safe.
fn turn(cache: &Path, name: &str) -> Option<fs::File> {
    let lock = lock_of(&cache.join(format!("{name}.lock")))?;
    let until = Instant::now() + PATIENCE;
    loop {
        match lock.try_lock() {
            Ok(()) => return Some(lock),
            Err(fs::TryLockError::WouldBlock) if Instant::now() < until => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(_) => return None,
        }
    }
}

/// Opens a file that is there only to be locked.
fn lock_of(path: &Path) -> Option<fs::File> {
    let mut lock = fs::OpenOptions::new();
    lock.write(true).create(true).truncate(false).mode(0o600);
    lock.open(path).ok()
}

/// Removes private folders left behind by killed builds.
fn sweep(cache: &Path) {
    let entries = fs::read_dir(cache).into_iter().flatten().flatten();
    for path in entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("upcc-"))
        .map(|entry| entry.path())
    {
        if is_left_behind(&path) {
            let _ = fs::remove_dir_all(path);
        }
    }
}

/// Returns whether the process that made a private folder is gone, as far as its lock or, without one, its age shows.
fn is_left_behind(folder: &Path) -> bool {
    let made = fs::symlink_metadata(folder).and_then(|found| found.modified());
    let age = made.map(|time| SystemTime::now().duration_since(time));
    let Ok(Ok(age)) = age else {
        return false;
    };
    match fs::File::open(folder.join(HELD)).map(|held| held.try_lock()) {
        Ok(Ok(())) => age > ABANDONED,
        Ok(Err(fs::TryLockError::WouldBlock)) => false,
        Ok(Err(fs::TryLockError::Error(_))) | Err(_) => age > STALE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_changed_is_made_again() {
        let place = tempfile::tempdir().unwrap();
        let cache = Cache {
            folder: place.path().to_path_buf(),
        };
        let ready = || {
            let make = |folder: &Path| {
                fs::write(folder.join("f"), "right").unwrap();
                seal(folder, "f").unwrap();
                Ok(())
            };
            let folder = cache.ready("n", |folder| is_sealed(folder, "f"), make);
            fs::read(folder.unwrap().join("f")).unwrap()
        };
        assert_eq!(ready(), b"right");
        let path = |name: &str| place.path().join("n").join(name);
        let open_to_all = |path: PathBuf, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        let damage: [&dyn Fn(); 11] = [
            &|| fs::write(path("f"), "").unwrap(),
            &|| fs::write(path("f"), "righ").unwrap(),
            &|| fs::write(path("f"), "wrong").unwrap(),
            &|| fs::remove_file(path("f")).unwrap(),
            &|| fs::write(path(SEAL), "").unwrap(),
            &|| {
                fs::remove_dir_all(place.path().join("n")).unwrap();
                fs::write(place.path().join("n"), "a file").unwrap();
            },
            // What others could have changed, together with its seal.
            &|| open_to_all(path("f"), 0o666),
            &|| open_to_all(path(SEAL), 0o620),
            &|| open_to_all(place.path().join("n"), 0o777),
            &|| {
                fs::create_dir(path("inner")).unwrap();
                open_to_all(path("inner"), 0o777);
            },
            &|| {
                fs::rename(path("f"), place.path().join("f")).unwrap();
                std::os::unix::fs::symlink("../f", path("f")).unwrap();
            },
        ];
        for damage in damage {
            damage();
            assert_eq!(ready(), b"right");
            assert_eq!(distrust_any(&place.path().join("n")), None);
        }
        fs::remove_file(place.path().join("f")).unwrap();
        let names = fs::read_dir(place.path()).unwrap().flatten();
        assert_eq!(names.count(), 2, "the folder and its lock");
    }

    #[test]
    fn folders_of_killed_builds_are_removed() {
        let place = tempfile::tempdir().unwrap();
        let (minutes, hours) = (2 * ABANDONED, 2 * STALE);
        // The name, the age, the file that shows who holds it, and whether it stays.
        let folders = [
            ("upcc-held", hours, Some(true), true),
            ("upcc-killed", minutes, Some(false), false),
            ("upcc-new", Duration::ZERO, Some(false), true),
            ("upcc-without", minutes, None, true),
            ("upcc-without-old", hours, None, false),
            ("lib-old", hours, None, true),
        ];
        let mut locks = Vec::new();
        for (name, age, held, _) in folders {
            let folder = place.path().join(name);
            fs::create_dir_all(folder.join("content")).unwrap();
            if let Some(held) = held {
                let lock = lock_of(&folder.join(HELD)).unwrap();
                if held {
                    lock.try_lock().unwrap();
                    locks.push(lock);
                }
            }
            let opened = fs::File::open(&folder).unwrap();
            opened.set_modified(SystemTime::now() - age).unwrap();
        }
        sweep(place.path());
        for (name, _, _, stays) in folders {
            assert_eq!(place.path().join(name).exists(), stays, "{name}");
        }
    }

    #[test]
    fn who_may_write_matters() {
        let place = tempfile::tempdir().unwrap();
        for (mode, trusted) in [
            (0o700, true),
            (0o755, true),
            (0o775, false),
            (0o702, false),
            (0o1777, false),
        ] {
            fs::set_permissions(place.path(), fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(distrust(place.path()).is_none(), trusted, "{mode:o}");
        }
        assert!(distrust(&place.path().join("none")).is_some());
    }
}
