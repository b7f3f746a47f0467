//! How far the work on a translation unit has come: what an internal error says of the user's program.

use std::cell::Cell;

thread_local! {
    static REACHED: Cell<u32> = const { Cell::new(0) };
}

/// A stage goes on to the item that begins at a token.
pub fn at(token: u32) {
    REACHED.set(token);
}

/// The token last told to [`at`] on this thread.
pub fn reached() -> u32 {
    REACHED.get()
}
