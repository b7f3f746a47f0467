//! The blocks of a file: finds all intact blocks, and reports the damage between them.

use crate::prof::format::{
    self, BLOCK_HEADER, BLOCK_MAGIC, BlockHead, BlockKind, FILE_HEADER, MAJOR, SIGNATURE,
};
use crate::prof::model::Damage;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

/// The position of an intact block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    /// The index of the recording's file.
    pub file: usize,
    /// The offset of its payload in bytes from the file's start.
    pub offset: u64,
    /// Its header.
    pub head: BlockHead,
}

/// The reason why a file is not a recording.
#[derive(Debug)]
pub enum NoRecording {
    /// It cannot be read.
    Io(io::Error),
    /// It is another kind of file.
    Signature,
    /// It is of a version that this reader does not know.
    Version(u16, u16),
    /// It has no intact block.
    Empty,
    /// It does not belong to the same run as the files before it.
    Another,
}

impl From<io::Error> for NoRecording {
    fn from(error: io::Error) -> NoRecording {
        NoRecording::Io(error)
    }
}

/// Returns the version in the file's header.
pub fn version(file: &File) -> Result<(u16, u16), NoRecording> {
    let mut header = [0; FILE_HEADER];
    let length = read_up_to(file, 0, &mut header)?;
    if length < FILE_HEADER || header[..SIGNATURE.len()] != SIGNATURE {
        return Err(NoRecording::Signature);
    }
    let half = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
    let version = (half(8), half(10));
    match (1..=MAJOR).contains(&version.0) {
        true => Ok(version),
        false => Err(NoRecording::Version(version.0, version.1)),
    }
}

/// Scans a file once.
pub struct Scan<'f> {
    file: &'f File,
    index: usize,
    size: u64,
    at: u64,
    payload: Vec<u8>,
    /// The bytes that may still be summed up in search of a block; limits the work that a hostile file can cause.
    patience: u64,
    damage: Vec<Damage>,
}

/// The result of looking for a block at an offset.
enum There {
    Block(Block),
    /// A header whose payload is cut or does not match its check sum.
    Broken(BlockHead, bool),
    Nothing,
}

impl<'f> Scan<'f> {
    /// Starts at the first block of `file`, which has the number `index` among the recording's files.
    pub fn new(file: &'f File, index: usize) -> io::Result<Scan<'f>> {
        let size = file.metadata()?.len();
        Ok(Scan {
            file,
            index,
            size,
            at: FILE_HEADER as u64,
            payload: Vec::new(),
            patience: size.saturating_mul(4).saturating_add(1 << 26),
            damage: Vec::new(),
        })
    }

    /// Returns the size of the file in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns the next intact block, with its payload.
    pub fn next(&mut self) -> io::Result<Option<(Block, &[u8])>> {
        let from = self.at;
        let mut first = None;
        while self.at + BLOCK_HEADER as u64 <= self.size {
            match self.look()? {
                There::Block(block) => {
                    self.report(from, self.at, first);
                    self.at = block.offset + u64::from(block.head.length);
                    return Ok(Some((block, &self.payload)));
                }
                There::Broken(head, whole) => {
                    first.get_or_insert((head, whole));
                    self.at = self.behind(head)?;
                }
                There::Nothing => self.at = self.search(self.at + 1)?,
            }
        }
        self.report(from, self.size, first);
        self.at = self.size;
        Ok(None)
    }

    /// Returns the damage found.
    pub fn into_damage(self) -> Vec<Damage> {
        self.damage
    }

    fn look(&mut self) -> io::Result<There> {
        let mut bytes = [0; BLOCK_HEADER];
        read_up_to(self.file, self.at, &mut bytes)?;
        let Some(head) = BlockHead::read(&bytes) else {
            return Ok(There::Nothing);
        };
        let offset = self.at + BLOCK_HEADER as u64;
        let length = u64::from(head.length);
        if length > self.size - offset || length > self.patience {
            return Ok(There::Broken(head, length <= self.size - offset));
        }
        self.payload.resize(head.length as usize, 0);
        if read_up_to(self.file, offset, &mut self.payload)? < self.payload.len() {
            return Ok(There::Broken(head, false));
        }
        if format::check_sum(&bytes, &self.payload) != head.crc {
            self.patience -= length;
            return Ok(There::Broken(head, true));
        }
        Ok(There::Block(Block {
            file: self.index,
            offset,
            head,
        }))
    }

    /// Returns the offset to continue at after the header of a broken block: the following block, unless the length is
    /// wrong.
    fn behind(&self, head: BlockHead) -> io::Result<u64> {
        let end = self.at + BLOCK_HEADER as u64 + u64::from(head.length);
        let mut bytes = [0; BLOCK_HEADER];
        let next = end == self.size
            || end < self.size
                && read_up_to(self.file, end, &mut bytes)? == BLOCK_HEADER
                && BlockHead::read(&bytes).is_some();
        match next {
            true => Ok(end),
            false => self.search(self.at + 4),
        }
    }

    /// Returns the next offset from `from` on that may be a header; the file's end if there is none.
    fn search(&self, from: u64) -> io::Result<u64> {
        let magic = BLOCK_MAGIC.to_le_bytes();
        let mut buffer = Vec::new();
        let mut at = from;
        loop {
            // The first buffers are small, as headers may be close together.
            buffer.resize((buffer.len() * 4).clamp(1 << 8, 1 << 16), 0);
            let length = read_up_to(self.file, at, &mut buffer)?;
            if let Some(found) = memchr::memmem::find(&buffer[..length], &magic) {
                return Ok(at + found as u64);
            }
            if length < buffer.len() {
                return Ok(self.size);
            }
            // The word may cross the end of the buffer.
            at += (length - (magic.len() - 1)) as u64;
        }
    }

    /// Reports the bytes between two blocks.
    fn report(&mut self, from: u64, to: u64, first: Option<(BlockHead, bool)>) {
        if from >= to {
            return;
        }
        let lost = to - from;
        let message = match first {
            Some((head, whole)) => {
                let what = BlockKind::from_code(head.kind.into())
                    .map_or("a block".to_owned(), |kind| format!("block {kind:?}"));
                let how = match whole {
                    true => "has a wrong checksum",
                    false => "is cut off",
                };
                format!("{what} (number {}) {how}: {lost} bytes lost", head.number)
            }
            None => format!("{lost} bytes do not form a block"),
        };
        self.damage.push(Damage {
            offset: from,
            thread: first.map(|(head, _)| head.thread),
            message,
        });
    }
}

/// Reads until `buffer` is full or the file ends; returns the number of bytes.
pub fn read_up_to(file: &File, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
    let mut done = 0;
    while done < buffer.len() {
        match file.read_at(&mut buffer[done..], offset + done as u64) {
            Ok(0) => break,
            Ok(length) => done += length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(done)
}
