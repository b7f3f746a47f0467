//! Tracks the position that the translation of a unit has reached, for the message of an internal error.

use std::cell::Cell;

thread_local! {
    static REACHED: Cell<u32> = const { Cell::new(0) };
}

/// Records that a stage has reached the item that begins at a token.
pub fn at(token: u32) {
    REACHED.set(token);
}

/// Returns the token last passed to [`at`] on this thread.
pub fn reached() -> u32 {
    REACHED.get()
}
