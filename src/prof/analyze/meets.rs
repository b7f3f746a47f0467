//! Which calls order threads: those in which all wait for all.

use super::super::model::{self, Arg, ArgKind, ArgSpec};
use super::Run;

/// Calls about files in which all threads agree on the result, whatever their flags.
const AGREED: &[&str] = &[
    "UPCC_ALL_FOPEN",
    "UPCC_ALL_FCLOSE",
    "UPCC_ALL_FSYNC",
    "UPCC_ALL_FSET_SIZE",
    "UPCC_ALL_FPREALLOCATE",
];

/// `UPC_IN_MYSYNC` and `UPC_OUT_MYSYNC`; upc_types.h.
const MY_SYNC: i64 = 2 | 16;
/// `UPC_IN_NOSYNC` and `UPC_OUT_NOSYNC`; upc_types.h.
const NO_SYNC: i64 = 4 | 32;

/// Returns the flags that say whom a call of this kind waits for, if it has such an argument.
fn sync_flags(kind: &model::Kind, args: &[Arg]) -> Option<i64> {
    let is_flags = |spec: &ArgSpec| spec.kind == ArgKind::Flags;
    match args.get(kind.start.iter().position(is_flags)?) {
        Some(Arg::Int(flags)) => Some(*flags),
        _ => None,
    }
}

/// True for a collective call in which all threads wait for all, at its beginning and at its end.
pub(super) fn synchronises(run: &Run, kind: &model::Kind, args: &[Arg]) -> bool {
    match sync_flags(kind, args) {
        Some(flags) => flags & (MY_SYNC | NO_SYNC) == 0,
        None if kind.name == "UPCC_MPI_BARRIER" => {
            args.get(1) == Some(&Arg::Int(i64::from(run.threads)))
        }
        None => AGREED.contains(&kind.name.as_str()),
    }
}

/// True for a collective call that waits for no other thread.
pub(super) fn waits_for_none(kind: &model::Kind, args: &[Arg]) -> bool {
    sync_flags(kind, args).is_some_and(|flags| flags & NO_SYNC == NO_SYNC)
}
