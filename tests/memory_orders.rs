//! Tests whether the memory orders of the runtime's protocols are strong enough (`runtime-c/src/transport/smp/lock.c`,
//! `barrier.c` beside it, `runtime-c/src/collective/posts.c`): the same steps with the same orders, in every execution of the C11 model that the checker
//! `loom` knows. With a weaker order the checker finds a mistake. `loom` treats sequentially consistent operations as
//! acquire and release, so how threads sleep and wake (`wait.c`) is not tested here.

use loom::model::Builder;
use loom::sync::Arc;
use loom::sync::atomic::AtomicU32;
use loom::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// `upcr_wait_while`: returns once the word differs from `old`.
fn wait_while(word: &AtomicU32, old: u32) {
    while word.load(Acquire) == old {
        loom::thread::yield_now();
    }
}

/// Runs `part` on threads 0, 1 ... in all executions with few preemptions, and `end` after them.
fn check<S: Send + Sync + 'static>(
    threads: u32,
    state: impl Fn() -> S + Send + Sync + 'static,
    part: impl Fn(&S, u32) + Copy + Send + Sync + 'static,
    end: impl Fn(&S) + Send + Sync + 'static,
) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(2);
    builder.max_branches = 20_000;
    builder.check(move || {
        let state = Arc::new(state());
        let others: Vec<_> = (1..threads)
            .map(|me| {
                let state = state.clone();
                loom::thread::spawn(move || part(&state, me))
            })
            .collect();
        part(&state, 0);
        for thread in others {
            thread.join().expect("a part does not panic");
        }
        end(&state);
    });
}

/// Returns whether an assertion of the model fails in some execution. The checker's own limits do not count.
fn is_wrong(model: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(model)).is_err_and(|panic| {
        let text = panic.downcast_ref::<String>();
        text.is_some_and(|text| text.contains("left == right"))
    })
}

// ---- The queue lock ----------------------------------------------------------------------------------------------

const NOBODY: u32 = 0;
const HELD: u32 = u32::MAX >> 1;
const WAITING: u32 = 1;
const MY_TURN: u32 = 0;

struct Node {
    turn: AtomicU32,
    next: AtomicU32,
}

struct Lock {
    tail: AtomicU32,
    next: AtomicU32,
    nodes: [Node; 3],
    count: AtomicU32,
}

fn new_lock() -> Lock {
    let node = || Node {
        turn: AtomicU32::new(MY_TURN),
        next: AtomicU32::new(NOBODY),
    };
    Lock {
        tail: AtomicU32::new(NOBODY),
        next: AtomicU32::new(NOBODY),
        nodes: [node(), node(), node()],
        count: AtomicU32::new(0),
    }
}

/// The orders of the changes of `tail`.
#[derive(Clone, Copy)]
struct TailOrders {
    join: Ordering,
    become_holder: Ordering,
    free: Ordering,
}

const OURS: TailOrders = TailOrders {
    join: AcqRel,
    become_holder: AcqRel,
    free: AcqRel,
};

/// `upcr_tp_lock`
fn lock(lock: &Lock, me: u32, orders: TailOrders) {
    let node = &lock.nodes[me as usize];
    let taken = lock
        .tail
        .compare_exchange(NOBODY, HELD, orders.join, Relaxed);
    let Err(mut tail) = taken else {
        return;
    };
    node.next.store(NOBODY, Relaxed);
    node.turn.store(WAITING, Relaxed);
    loop {
        let new = if tail == NOBODY { HELD } else { me + 1 };
        match lock.tail.compare_exchange(tail, new, orders.join, Relaxed) {
            Ok(_) => break,
            Err(seen) => tail = seen,
        }
    }
    if tail != NOBODY {
        wait_in_queue(lock, me, tail, orders);
    }
}

fn wait_in_queue(lock: &Lock, me: u32, previous: u32, orders: TailOrders) {
    let node = &lock.nodes[me as usize];
    match previous {
        HELD => lock.next.store(me + 1, Release),
        name => lock.nodes[name as usize - 1].next.store(me + 1, Release),
    }
    wait_while(&node.turn, WAITING);
    let mut next = node.next.load(Acquire);
    if next == NOBODY {
        lock.next.store(NOBODY, Relaxed);
        let became = lock
            .tail
            .compare_exchange(me + 1, HELD, orders.become_holder, Relaxed);
        if became.is_ok() {
            return;
        }
        wait_while(&node.next, NOBODY);
        next = node.next.load(Relaxed);
    }
    lock.next.store(next, Relaxed);
}

/// `upcr_tp_unlock`
fn unlock(lock: &Lock, orders: TailOrders) {
    let mut next = lock.next.load(Acquire);
    if next == NOBODY {
        let freed = lock
            .tail
            .compare_exchange(HELD, NOBODY, orders.free, Relaxed);
        if freed.is_ok() {
            return;
        }
        wait_while(&lock.next, NOBODY);
        next = lock.next.load(Relaxed);
    }
    lock.nodes[next as usize - 1].turn.store(MY_TURN, Release);
}

/// Threads take the lock, each that many times, and count with plain accesses.
fn check_lock(threads: u32, times: u32, orders: TailOrders) {
    let part = move |state: &Lock, me| {
        for _ in 0..times {
            lock(state, me, orders);
            state.count.store(state.count.load(Relaxed) + 1, Relaxed);
            unlock(state, orders);
        }
    };
    check(threads, new_lock, part, move |state| {
        assert_eq!(state.count.load(Relaxed), threads * times);
    });
}

#[test]
fn the_lock_publishes_what_its_holders_did() {
    check_lock(2, 2, OURS);
    check_lock(3, 1, OURS);
}

#[test]
fn the_lock_needs_its_orders() {
    let free = TailOrders {
        free: Relaxed,
        ..OURS
    };
    assert!(is_wrong(|| check_lock(2, 1, free)));
    let join = TailOrders {
        join: Relaxed,
        ..OURS
    };
    assert!(is_wrong(|| check_lock(2, 1, join)));
}

// ---- The barrier -------------------------------------------------------------------------------------------------

const THREADS: u32 = 3;

struct Barrier {
    arrived: AtomicU32,
    epoch: AtomicU32,
    data: [AtomicU32; THREADS as usize],
}

fn new_barrier() -> Barrier {
    Barrier {
        arrived: AtomicU32::new(0),
        epoch: AtomicU32::new(0),
        data: [AtomicU32::new(0), AtomicU32::new(0), AtomicU32::new(0)],
    }
}

/// `upcr_tp_notify` and `upcr_tp_try_wait`: returns whether the barrier is over.
fn is_over(barrier: &Barrier, order: Ordering) -> bool {
    if barrier.arrived.fetch_add(1, order) + 1 == THREADS {
        barrier.arrived.store(0, Relaxed);
        barrier.epoch.store(1, Release);
    }
    barrier.epoch.load(Acquire) != 0
}

/// Each thread writes its data, and reads all data if it sees that the barrier is over.
fn check_barrier(order: Ordering) {
    let part = move |state: &Barrier, me: u32| {
        state.data[me as usize].store(1, Relaxed);
        if is_over(state, order) {
            for data in &state.data {
                assert_eq!(data.load(Relaxed), 1);
            }
        }
    };
    check(THREADS, new_barrier, part, |_| ());
}

#[test]
fn the_barrier_publishes_what_all_threads_did() {
    check_barrier(AcqRel);
}

#[test]
fn the_barrier_needs_its_orders() {
    for order in [Relaxed, Acquire, Release] {
        assert!(is_wrong(|| check_barrier(order)), "{order:?}");
    }
}

// ---- Posts of collective functions -----------------------------------------------------------------------------------

/// A ring of a single place, and a reader that announces each call.
struct Board {
    number: AtomicU32,
    completed: AtomicU32,
    bytes: AtomicU32,
}

fn new_board() -> Board {
    Board {
        number: AtomicU32::new(0),
        completed: AtomicU32::new(0),
        bytes: AtomicU32::new(0),
    }
}

/// Thread 0 posts twice (`upcr_post_begin`, `upcr_post_end`), thread 1 reads both (`upcr_post_of`, `upcr_posts_end`).
fn check_posts(number: Ordering) {
    let part = move |board: &Board, me: u32| {
        for call in 0..2 {
            if me == 0 {
                if call > 0 {
                    wait_while(&board.completed, call - 1);
                }
                board.bytes.store(call + 10, Relaxed);
                board.number.store(call + 1, number);
            } else {
                wait_while(&board.number, call);
                assert_eq!(board.bytes.load(Relaxed), call + 10);
                board.completed.store(call + 1, Release);
            }
        }
    };
    check(2, new_board, part, |_| ());
}

#[test]
fn a_post_stays_until_it_has_been_read() {
    check_posts(Release);
}

#[test]
fn a_post_needs_its_orders() {
    assert!(is_wrong(|| check_posts(Relaxed)));
}
