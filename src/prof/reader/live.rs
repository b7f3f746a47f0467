//! Reads a run that is under way: its files, and what its launchers have shown of the rest.
//!
//! An answer of a launcher has, for each of its threads, the blocks with which the thread's recording would end now.
//! They follow the blocks that the thread had written when the launcher looked.

use super::blocks::{self, Scan};
use super::{NoRecording, OpenError, Opened, Opening};
use crate::prof::format::BlockKind;
use hashbrown::{HashMap, HashSet};
use std::fs::File;
use std::io;
use std::path::PathBuf;

/// Reads the profile of a run so far.
///
/// # Errors
/// The files are not a recording, or cannot be read.
pub fn open_live(files: &[(PathBuf, File)], answers: &[File]) -> Result<Opened, OpenError> {
    let failed = |reason| OpenError {
        path: files
            .first()
            .map_or_else(PathBuf::new, |(path, _)| path.clone()),
        reason,
    };
    opened(files, answers).map_err(failed)
}

fn opened(files: &[(PathBuf, File)], answers: &[File]) -> Result<Opened, NoRecording> {
    let first = first_numbers(answers)?;
    let mut opening = Opening::default();
    let mut ended = HashSet::new();
    for (_, file) in files {
        ended.extend(ended_threads(file)?);
    }
    for (_, file) in files {
        opening.facts.version = blocks::version(file)?;
        opening.blocks(file, |kind, thread, number| match kind {
            // The trace is not shown, and a file of it may be large.
            BlockKind::Events | BlockKind::PthreadEvents => false,
            _ if ended.contains(&thread) => true,
            BlockKind::Run
            | BlockKind::Thread
            | BlockKind::Define
            | BlockKind::Loops
            | BlockKind::Remarks => first.get(&thread).is_none_or(|&first| number < first),
            BlockKind::Profile | BlockKind::Samples | BlockKind::Counts | BlockKind::End => false,
        })?;
    }
    for answer in answers {
        opening.blocks(answer, |_, thread, _| !ended.contains(&thread))?;
    }
    Ok(opening.finish())
}

impl Opening {
    /// Reads the blocks of a file that are wanted, by kind, thread and number, as if they were all.
    fn blocks(
        &mut self,
        file: &File,
        wanted: impl Fn(BlockKind, u32, u32) -> bool,
    ) -> Result<(), NoRecording> {
        let mut scan = Scan::new(file, 0)?;
        self.facts.file_bytes += scan.size();
        while let Some((mut block, payload)) = scan.next()? {
            let head = &mut block.head;
            let kind = BlockKind::from_code(head.kind.into());
            if kind.is_some_and(|kind| wanted(kind, head.thread, head.number)) {
                head.number = self.threads.get(&head.thread).map_or(0, |of| of.next);
                self.block(block, payload)?;
            }
        }
        Ok(())
    }
}

/// Returns the number of each thread's first block in the answers.
fn first_numbers(answers: &[File]) -> io::Result<HashMap<u32, u32>> {
    let mut first = HashMap::new();
    for answer in answers {
        let mut scan = Scan::new(answer, 0)?;
        while let Some((block, _)) = scan.next()? {
            let of = first.entry(block.head.thread).or_insert(block.head.number);
            *of = block.head.number.min(*of);
        }
    }
    Ok(first)
}

/// Returns the threads whose recording in the file is complete.
fn ended_threads(file: &File) -> io::Result<HashSet<u32>> {
    let mut ended = HashSet::new();
    let mut scan = Scan::new(file, 0)?;
    while let Some((block, _)) = scan.next()? {
        if BlockKind::from_code(block.head.kind.into()) == Some(BlockKind::End) {
            ended.insert(block.head.thread);
        }
    }
    Ok(ended)
}
