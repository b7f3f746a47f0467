//! GNU builtin functions. Not built yet.
