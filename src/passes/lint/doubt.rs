//! Whether a lock may be held after a call into another unit, which might be the program's own way to acquire one.
//!
//! An update behind such a call is held back. It is reported after all if a barrier that all threads reach follows: no
//! thread holds a lock there, because the others would wait for the lock and never come to the barrier. It is dropped if
//! anything in between may release a lock: a further such call, `upc_unlock`, a write that may be to shared memory.

use super::updates::Update;

/// What is known about locks of the program's own at one place of a function.
#[derive(Default)]
pub(super) struct Doubt {
    /// A lock may be held.
    doubtful: bool,
    /// Something may have released it since.
    released: bool,
    /// What both were at the beginning of each part around that may not be executed.
    around: Vec<(bool, bool)>,
    /// The update that waits for a barrier, and the number of such parts around both.
    held_back: Option<(usize, Update)>,
}

impl Doubt {
    /// True if no lock is held.
    pub(super) fn is_none(&self) -> bool {
        !self.doubtful
    }

    /// A part begins that may not be executed.
    pub(super) fn open(&mut self) {
        self.around.push((self.doubtful, self.released));
    }

    pub(super) fn close(&mut self) {
        let (doubtful, released) = self.around.pop().unwrap_or_default();
        self.doubtful |= doubtful;
        self.released |= released;
        if let Some((depth, _)) = &mut self.held_back {
            *depth = (*depth).min(self.around.len());
        }
    }

    /// A label of a `switch`, where control may come from its beginning.
    pub(super) fn label(&mut self) {
        let &(doubtful, released) = self.around.last().unwrap_or(&(false, false));
        self.doubtful |= doubtful;
        self.released |= released;
        self.held_back = None;
    }

    /// A call that may acquire a lock, or release one.
    pub(super) fn call(&mut self) {
        self.released &= self.doubtful;
        self.doubtful = true;
        self.held_back = None;
    }

    /// Something that may release a lock.
    pub(super) fn release(&mut self) {
        self.released = true;
        self.held_back = None;
    }

    /// An update of a shared object; it is also a write that may release a lock.
    pub(super) fn update(&mut self, update: Update) {
        let first = !self.released;
        self.release();
        if first {
            self.held_back = Some((self.around.len(), update));
        }
    }

    /// All threads reach a barrier. Returns the update that was made without a lock.
    pub(super) fn barrier(&mut self) -> Option<Update> {
        self.doubtful = false;
        self.released = false;
        let (depth, update) = self.held_back.take()?;
        (self.around.len() <= depth).then_some(update)
    }
}
