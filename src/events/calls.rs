//! Library functions whose calls raise events: instrumented code calls `upcr_inst_NAME` in place of `NAME`, with a site in front of the arguments.
//!
//! Only calls by name are instrumented: a pointer to such a function calls the function itself.

/// A function that raises an event.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// Its name in source code.
    pub name: &'static str,
    /// What instrumented code calls.
    pub instrumented: &'static str,
    /// How many arguments it has; `None`: any number.
    pub args: Option<usize>,
    /// Symbol of its event; `None`: the user's own events, which no flag and no pragma silences (GASP A.3.1.3).
    pub event: Option<&'static str>,
}

macro_rules! calls {
    ($($event:literal: $($name:literal/$args:literal)*;)* user: $($user:literal)*) => {
        &[
            $($(Call {
                name: $name,
                instrumented: concat!("upcr_inst_", $name),
                args: Some($args),
                event: Some($event),
            },)*)*
            $(Call {
                name: $user,
                instrumented: concat!("upcr_inst_", $user),
                args: None,
                event: None,
            },)*
        ]
    };
}

/// Berkeley's atomic operations on a type: `name/number of arguments`, each relaxed and strict.
macro_rules! atomics {
    ($code:ident: $($op:ident/$args:literal)*) => {
        &[$(
            atomics!(@ $code $op "_relaxed" $args),
            atomics!(@ $code $op "_strict" $args),
        )*]
    };
    (@ $code:ident $op:ident $order:literal $args:literal) => {
        Call {
            name: concat!("bupc_atomic", stringify!($code), "_", stringify!($op), $order),
            instrumented: concat!("upcr_inst_bupc_atomic", stringify!($code), "_", stringify!($op), $order),
            args: Some($args),
            event: Some("GASP_UPCC_ATOMIC"),
        }
    };
}

macro_rules! integer_atomics {
    ($code:ident) => {
        atomics!($code: read/1 set/2 swap/2 cswap/3 fetchadd/2 mswap/3 fetchand/2 fetchor/2 fetchxor/2 fetchnot/1)
    };
}

macro_rules! floating_atomics {
    ($code:ident) => {
        atomics!($code: read/1 set/2 swap/2 cswap/3 fetchadd/2)
    };
}

/// The types of `upcr/bupc_types.h`, in front of all others.
const LISTS: &[&[Call]] = &[
    integer_atomics!(I),
    integer_atomics!(UI),
    integer_atomics!(L),
    integer_atomics!(UL),
    integer_atomics!(I32),
    integer_atomics!(U32),
    integer_atomics!(I64),
    integer_atomics!(U64),
    floating_atomics!(F),
    floating_atomics!(D),
    OTHERS,
];

/// Every such function.
pub const CALLS: &[Call] = &joined::<{ total(LISTS) }>(LISTS);

const fn total(lists: &[&[Call]]) -> usize {
    let (mut total, mut list) = (0, 0);
    while list < lists.len() {
        total += lists[list].len();
        list += 1;
    }
    total
}

const fn joined<const N: usize>(lists: &[&[Call]]) -> [Call; N] {
    let mut all = [lists[0][0]; N];
    let (mut to, mut list) = (0, 0);
    while list < lists.len() {
        let mut from = 0;
        while from < lists[list].len() {
            all[to] = lists[list][from];
            (from, to) = (from + 1, to + 1);
        }
        list += 1;
    }
    all
}

/// As `event: name/number of arguments`. Without an event, and so not here: collectives on values (`bupc_allv_*`), sorting, input and output,
/// semaphores.
const OTHERS: &[Call] = calls! {
    "GASP_C_MALLOC": "malloc"/1 "calloc"/2;
    "GASP_C_REALLOC": "realloc"/2;
    "GASP_C_FREE": "free"/1;

    "GASP_UPC_NONCOLLECTIVE_EXIT": "upc_global_exit"/1 "bupc_exit"/1;

    "GASP_UPC_GLOBAL_ALLOC": "upc_global_alloc"/2;
    "GASP_UPC_ALL_ALLOC": "upc_all_alloc"/2;
    "GASP_UPC_ALLOC": "upc_alloc"/1 "upc_local_alloc"/2;
    "GASP_UPC_FREE": "upc_free"/1 "upc_all_free"/1;

    "GASP_UPC_GLOBAL_LOCK_ALLOC": "upc_global_lock_alloc"/0;
    "GASP_UPC_ALL_LOCK_ALLOC": "upc_all_lock_alloc"/0;
    "GASP_UPC_LOCK_FREE": "upc_lock_free"/1 "upc_all_lock_free"/1;
    "GASP_UPC_LOCK": "upc_lock"/1;
    "GASP_UPC_LOCK_ATTEMPT": "upc_lock_attempt"/1;
    "GASP_UPC_UNLOCK": "upc_unlock"/1;

    "GASP_UPC_MEMCPY": "upc_memcpy"/3
        "bupc_memcpy_vlist"/4 "bupc_memcpy_ilist"/6 "bupc_memcpy_fstrided"/8 "bupc_memcpy_strided"/6;
    "GASP_UPC_MEMGET": "upc_memget"/3
        "bupc_memget_vlist"/4 "bupc_memget_ilist"/6 "bupc_memget_fstrided"/8 "bupc_memget_strided"/6;
    "GASP_UPC_MEMPUT": "upc_memput"/3 "bupc_memput_signal"/5
        "bupc_memput_vlist"/4 "bupc_memput_ilist"/6 "bupc_memput_fstrided"/8 "bupc_memput_strided"/6;
    "GASP_UPC_MEMSET": "upc_memset"/3;

    "GASP_UPC_NB_GET_INIT": "upc_memget_nb"/3 "upc_memget_nbi"/3 "bupc_memget_async"/3 "bupc_memget_asynci"/3
        "bupc_memget_vlist_async"/4 "bupc_memget_ilist_async"/6 "bupc_memget_fstrided_async"/8 "bupc_memget_strided_async"/6;
    "GASP_UPC_NB_PUT_INIT": "upc_memput_nb"/3 "upc_memput_nbi"/3 "bupc_memput_async"/3 "bupc_memput_asynci"/3 "bupc_memput_signal_async"/5
        "bupc_memput_vlist_async"/4 "bupc_memput_ilist_async"/6 "bupc_memput_fstrided_async"/8 "bupc_memput_strided_async"/6;
    "GASP_BUPC_NB_MEMCPY_INIT": "upc_memcpy_nb"/3 "upc_memcpy_nbi"/3 "bupc_memcpy_async"/3 "bupc_memcpy_asynci"/3
        "bupc_memcpy_vlist_async"/4 "bupc_memcpy_ilist_async"/6 "bupc_memcpy_fstrided_async"/8 "bupc_memcpy_strided_async"/6;
    "GASP_UPCC_NB_MEMSET_INIT": "upc_memset_nb"/3 "upc_memset_nbi"/3 "bupc_memset_async"/3 "bupc_memset_asynci"/3;
    "GASP_UPC_NB_SYNC": "upc_sync"/1 "upc_synci"/0 "bupc_waitsync"/1 "bupc_waitsynci"/0 "bupc_waitsync_all"/2 "bupc_waitsync_some"/2;
    "GASP_BUPC_NB_TRYSYNC": "upc_sync_attempt"/1 "upc_synci_attempt"/0 "bupc_trysync"/1 "bupc_trysynci"/0 "bupc_trysync_all"/2
        "bupc_trysync_some"/2;

    "GASP_UPC_ALL_BROADCAST": "upc_all_broadcast"/4;
    "GASP_UPC_ALL_SCATTER": "upc_all_scatter"/4;
    "GASP_UPC_ALL_GATHER": "upc_all_gather"/4;
    "GASP_UPC_ALL_GATHER_ALL": "upc_all_gather_all"/4;
    "GASP_UPC_ALL_EXCHANGE": "upc_all_exchange"/4;
    "GASP_UPC_ALL_PERMUTE": "upc_all_permute"/5;
    "GASP_UPC_ALL_REDUCE":
        "upc_all_reduceC"/7 "upc_all_reduceUC"/7 "upc_all_reduceS"/7 "upc_all_reduceUS"/7 "upc_all_reduceI"/7 "upc_all_reduceUI"/7
        "upc_all_reduceL"/7 "upc_all_reduceUL"/7 "upc_all_reduceF"/7 "upc_all_reduceD"/7 "upc_all_reduceLD"/7
        "bupc_all_reduce_allC"/7 "bupc_all_reduce_allUC"/7 "bupc_all_reduce_allS"/7 "bupc_all_reduce_allUS"/7
        "bupc_all_reduce_allI"/7 "bupc_all_reduce_allUI"/7 "bupc_all_reduce_allL"/7 "bupc_all_reduce_allUL"/7
        "bupc_all_reduce_allF"/7 "bupc_all_reduce_allD"/7 "bupc_all_reduce_allLD"/7;
    "GASP_UPC_ALL_PREFIX_REDUCE":
        "upc_all_prefix_reduceC"/7 "upc_all_prefix_reduceUC"/7 "upc_all_prefix_reduceS"/7 "upc_all_prefix_reduceUS"/7
        "upc_all_prefix_reduceI"/7 "upc_all_prefix_reduceUI"/7 "upc_all_prefix_reduceL"/7 "upc_all_prefix_reduceUL"/7
        "upc_all_prefix_reduceF"/7 "upc_all_prefix_reduceD"/7 "upc_all_prefix_reduceLD"/7;

    "GASP_UPCC_ATOMIC": "upc_atomic_strict"/6 "upc_atomic_relaxed"/6;

    user: "pupc_event_start" "pupc_event_end" "pupc_event_atomic" "pupc_create_event" "pupc_control"
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::find;

    #[test]
    fn every_call_has_an_event_of_the_table() {
        for call in CALLS {
            assert!(
                call.event.is_none_or(|event| find(event).is_some()),
                "{call:?}"
            );
        }
    }

    #[test]
    fn atomic_operations_of_all_types() {
        let types = include_str!("../../runtime-c/include/upcr/bupc_types.h");
        let codes = types
            .lines()
            .filter_map(|line| line.trim().strip_prefix("X("));
        for code in codes.filter_map(|line| line.split(',').next()) {
            let last = format!("bupc_atomic{code}_fetchadd_strict");
            assert!(CALLS.iter().any(|call| call.name == last), "{last}");
        }
    }

    #[test]
    fn no_function_is_there_twice() {
        let mut names: Vec<&str> = CALLS.iter().map(|call| call.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
