//! Which calls order threads: those in which all wait for all.

use super::super::model::{self, Arg, ArgKind};
use super::Run;

/// Calls about files in which all threads agree on the result, whatever their flags.
const AGREED: &[&str] = &[
    "UPCC_ALL_FOPEN",
    "UPCC_ALL_FCLOSE",
    "UPCC_ALL_FSYNC",
    "UPCC_ALL_FSET_SIZE",
    "UPCC_ALL_FPREALLOCATE",
];

/// True for a collective call in which all threads wait for all, at its beginning and at its end.
pub(super) fn synchronises(run: &Run, kind: &model::Kind, args: &[Arg]) -> bool {
    /// `UPC_IN_MYSYNC`, `UPC_IN_NOSYNC`, `UPC_OUT_MYSYNC`, `UPC_OUT_NOSYNC`; upc_types.h.
    const LESS: i64 = 2 | 4 | 16 | 32;
    let at = kind
        .start
        .iter()
        .position(|spec| spec.kind == ArgKind::Flags);
    match at.and_then(|at| args.get(at)) {
        Some(Arg::Int(flags)) => flags & LESS == 0,
        _ if kind.name == "UPCC_MPI_BARRIER" => {
            args.get(1) == Some(&Arg::Int(i64::from(run.threads)))
        }
        _ => AGREED.contains(&kind.name.as_str()),
    }
}
