//! The options with which tests analyse a text.

use upcc::sema::SemaOptions;

/// Packed pointers-to-shared, the C compiler's own types, and nothing kept; `None`: dynamic THREADS.
pub fn options(static_threads: Option<u32>) -> SemaOptions {
    SemaOptions {
        static_threads,
        max_block_size: 1 << 20,
        pts_bytes: 8,
        ms_members: false,
        abi: upcc::types::Abi::default(),
        races: false,
        keep_verbatim: false,
        keep_bodies: false,
    }
}
