//! Empty: only the dependencies of this package are of interest.
