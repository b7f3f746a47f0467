//! UPC constraints on expressions and statements. Not built yet.
