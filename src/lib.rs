//! The upcc compiler as a library.
