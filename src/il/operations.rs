//! The table of runtime operations. The passes create operations, the validator checks their operands by the table (invariant 11), and
//! `emit` takes their spelling from it. A test writes the table into `runtime-c/include/upcr/README.md`, which also describes the C macros
//! and functions.

use std::borrow::Cow;
use std::fmt;

use super::SiteId;
use crate::events::CALLS;
use upcc_grammar::ast::SyncKind;

/// The kind of an operand or result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// A value of a pointer-to-shared type.
    Pts,
    /// A value of an integer type.
    Int,
    /// A value of a private pointer type.
    Pointer,
    /// The designator of a static shared object.
    Object,
    /// The address of a site ([`RtOp::Site`]), or a null one.
    Site,
    /// A value of the type argument or of the bit-field.
    Value,
    /// As a result: nothing, or the result of a function.
    Any,
}
use Operand::{Any, Int, Object, Pointer, Pts, Site, Value};

/// The type argument of an operation. It stands in front of the values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeArg {
    None,
    /// The type of the accessed object.
    Accessed,
    /// The record that contains the bit-field, and the member.
    Record,
}

/// How the arguments of an operation are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A name without parentheses.
    Name,
    /// A function or macro of its values.
    Call,
    /// The same, with the text of the expression after the values.
    Quoted,
    /// The number of a site.
    Number,
}

/// What an operation does besides computing its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    Pure,
    /// It reads shared memory.
    Reads,
    /// It writes memory, synchronizes, raises an event, or ends the job.
    SideEffects,
}

/// A row of the table.
#[derive(Clone, Debug)]
pub struct Row {
    /// In C.
    pub spelling: Cow<'static, str>,
    pub form: Form,
    /// The number of operands before the type argument.
    pub leading: usize,
    pub operands: &'static [Operand],
    /// Any number of further operands may follow: the arguments of a function.
    pub more: bool,
    pub result: Operand,
    pub type_arg: TypeArg,
    pub effect: Effect,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    Get,
    Put,
    /// Both, of a number, whose value is not used: `*p += v`. Integers have the unsigned type of their size.
    Update(Update),
}

/// How an update changes a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Update {
    Add,
    Sub,
    And,
    Or,
    Xor,
}

impl Update {
    pub const ALL: [Update; 5] = [
        Update::Add,
        Update::Sub,
        Update::And,
        Update::Or,
        Update::Xor,
    ];
}

/// A read or write of shared memory. Each has an order, and one more property at most: strict accesses and those of bit-fields have no form for a
/// pointer of phase 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AccessOp {
    pub direction: Direction,
    pub strict: bool,
    /// A strict read before which no write is pending.
    pub settled: bool,
    /// The pointer has phase 0.
    pub phase_zero: bool,
    /// The object is a bit-field.
    pub bits: bool,
    /// It raises an event: the event's site and whether local accesses raise events are its first operands.
    pub site: bool,
}

impl AccessOp {
    fn row(self) -> Row {
        let operands: &'static [Operand] = match (self.direction, self.site) {
            (Direction::Get, false) => &[Pts],
            (Direction::Put | Direction::Update(_), false) => &[Pts, Value],
            (Direction::Get, true) => &[Site, Int, Pts],
            (Direction::Put | Direction::Update(_), true) => &[Site, Int, Pts, Value],
        };
        let spelling = ["UPCR", if self.site { "_INST" } else { "" }, self.name()].concat();
        Row {
            spelling: spelling.into(),
            form: Form::Call,
            leading: if self.site { 2 } else { 0 },
            operands,
            more: false,
            result: match self.direction {
                Direction::Get | Direction::Put => Value,
                Direction::Update(_) => Any,
            },
            type_arg: match self.bits {
                true => TypeArg::Record,
                false => TypeArg::Accessed,
            },
            effect: match (self.direction, self.site) {
                (Direction::Get, false) => Effect::Reads,
                (Direction::Put | Direction::Update(_), _) | (_, true) => Effect::SideEffects,
            },
        }
    }

    /// The end of its spelling.
    const fn name(self) -> &'static str {
        match (self.direction, self.bits, self.strict) {
            (Direction::Get, false, false) if self.phase_zero => "_GET0",
            (Direction::Get, false, false) => "_GET",
            (Direction::Get, false, true) if self.settled => "_GET_SETTLED",
            (Direction::Get, false, true) => "_GET_STRICT",
            (Direction::Get, true, false) => "_GET_BITS",
            (Direction::Get, true, true) => "_GET_BITS_STRICT",
            (Direction::Put, false, false) if self.phase_zero => "_PUT0",
            (Direction::Put, false, false) => "_PUT",
            (Direction::Put, false, true) => "_PUT_STRICT",
            (Direction::Put, true, false) => "_PUT_BITS",
            (Direction::Put, true, true) => "_PUT_BITS_STRICT",
            // Others are a get and a put.
            (Direction::Update(Update::Add), ..) => "_ADD",
            (Direction::Update(Update::Sub), ..) => "_SUB",
            (Direction::Update(Update::And), ..) => "_AND",
            (Direction::Update(Update::Or), ..) => "_OR",
            (Direction::Update(Update::Xor), ..) => "_XOR",
        }
    }
}

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident $spelling:literal $form:ident [$($operand:ident)*] $result:ident $effect:ident;)*) => {
        /// An operation of the runtime.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum RtOp {
            $($(#[$doc])* $name,)*
            Access(AccessOp),
            /// A statement of synchronization, of operands whether there is an expression and its value; whether it raises an event, whose site is its
            /// first operand then.
            Sync(SyncKind, bool),
            /// `upc_fence`; whether it raises an event, whose site is its operand then.
            Fence(bool),
            /// The address of a site.
            Site(SiteId),
            /// The function of [`crate::events::CALLS`] with this index, which raises events; the site is its first operand.
            InstCall(u16),
        }

        /// The operations without parameters.
        const SIMPLE: &[RtOp] = &[$(RtOp::$name),*];

        impl RtOp {
            /// Returns the operation's row of the table.
            pub fn row(self) -> Row {
                match self {
                    $(RtOp::$name => simple($spelling, Form::$form, &[$($operand),*], $result, Effect::$effect),)*
                    RtOp::Access(access) => access.row(),
                    RtOp::Sync(kind, site) => synchronization(kind, site),
                    RtOp::Fence(site) => match site {
                        true => simple("upcr_inst_fence", Form::Call, &[Site], Any, Effect::SideEffects),
                        false => simple("upcr_fence", Form::Call, &[], Any, Effect::SideEffects),
                    },
                    RtOp::Site(_) => simple("UPCR_SITE", Form::Number, &[], Pointer, Effect::Pure),
                    RtOp::InstCall(index) => Row {
                        more: true,
                        ..simple(&CALLS[usize::from(index)].instrumented, Form::Call, &[Site], Any, Effect::SideEffects)
                    },
                }
            }
        }
    };
}

#[rustfmt::skip] // a row an operation
operations! {
    Null            "UPCR_NULL"             Name    []                                  Pts     Pure;
    Static          "UPCR_STATIC"           Call    [Object]                            Pts     Pure;
    IsNull          "upcr_is_null"          Call    [Pts]                               Int     Pure;
    Eq              "upcr_eq"               Call    [Pts Pts]                           Int     Pure;
    Threadof        "upcr_threadof"         Call    [Pts]                               Int     Pure;
    Phaseof         "upcr_phaseof"          Call    [Pts]                               Int     Pure;
    Addrfield       "upcr_addrfield"        Call    [Pts]                               Int     Pure;
    Resetphase      "upcr_resetphase"       Call    [Pts]                               Pts     Pure;
    Add0            "upcr_add0"             Call    [Pts Int]                           Pts     Pure;
    Add1            "upcr_add1"             Call    [Pts Int Int]                       Pts     Pure;
    AddB            "upcr_addb"             Call    [Pts Int Int Int]                   Pts     Pure;
    At1             "upcr_at1"              Call    [Pts Int Int]                       Pts     Pure;
    AtB             "upcr_atb"              Call    [Pts Int Int Int]                   Pts     Pure;
    /// As `AtB` with phase 0.
    AtB0            "upcr_atb0"             Call    [Pts Int Int Int]                   Pts     Pure;
    /// As `AtB0`, in an array of at most one block for each thread.
    AtBlock         "upcr_at_block"         Call    [Pts Int Int Int]                   Pts     Pure;
    /// As `AtBlock`, for an access whose blocks are whole pages: by the linear image of the array, if there is one.
    AtLinear        "upcr_at_linear"        Call    [Pts Int Int Int]                   Pts     Pure;
    Diff0           "upcr_diff0"            Call    [Pts Pts]                           Int     Pure;
    Diff1           "upcr_diff1"            Call    [Pts Pts Int]                       Int     Pure;
    DiffB           "upcr_diffb"            Call    [Pts Pts Int Int]                   Int     Pure;
    Field           "upcr_field"            Call    [Pts Int]                           Pts     Pure;
    Local           "upcr_local"            Call    [Pts]                               Pointer Pure;
    LocalNn         "upcr_local_nn"         Call    [Pts]                               Pointer Pure;
    /// The beginning of the calling thread's part of the array that begins there, on thread 0. The second operand is the thread's number.
    Own             "upcr_own"              Call    [Pts Int]                           Pointer Pure;
    /// `upc_memget`, `upc_memput` and `upc_memcpy` of a small constant size.
    SmallGet        "upcr_small_get"        Call    [Pointer Pts Int]                   Any     SideEffects;
    SmallPut        "upcr_small_put"        Call    [Pts Pointer Int]                   Any     SideEffects;
    SmallCopy       "upcr_small_copy"       Call    [Pts Pts Int]                       Any     SideEffects;
    /// `upc_atomic_relaxed`: the domain, where the old value goes, the operation, the target, its operands.
    AtomicRelaxed   "upcr_atomic_relaxed"   Call    [Pts Pointer Int Pts Pointer Pointer] Any   SideEffects;
    /// The buffer with this number.
    StripBuffer     "upcr_strip_buffer"     Call    [Int]                               Pointer Pure;
    /// The address of a number of bytes: where they are if that is mapped, or the buffer, into which they are read.
    StripGet        "upcr_strip_get"        Call    [Pts Pointer Int]                   Pointer SideEffects;
    /// The same for bytes that are only read, and that may stay where the runtime has them.
    StripSee        "upcr_strip_see"        Call    [Pts Pointer Int]                   Pointer SideEffects;
    /// The same without the read.
    Strip           "upcr_strip"            Call    [Pts Pointer]                       Pointer Pure;
    /// Writes the buffer where it belongs, if that is not mapped.
    StripPut        "upcr_strip_put"        Call    [Pts Pointer Int]                   Any     SideEffects;
    /// Whether a run with this number of iterations gathers elements.
    Gathers         "upcr_gathers"          Call    [Int]                               Int     Pure;
    /// The list into which a gather writes the places of its elements.
    GatherPlaces    "upcr_gather_places"    Call    []                                  Pointer Pure;
    /// Gathers elements: the number of the table, the buffer, the list, how many there are, and the size of one. The table of their addresses.
    Gather          "upcr_gather"           Call    [Int Pointer Pointer Int Int]       Pointer SideEffects;
    /// The number of iterations, at most this one, of a run that collects its writes by thread; 0: none does.
    Scatters        "upcr_scatters"         Call    [Int]                               Int     SideEffects;
    /// Where a write of this many bytes puts its value: in place, or where the writes to a thread are collected.
    ScatterPlace    "upcr_scatter_place"    Call    [Pts Int]                           Pointer SideEffects;
    /// Makes the writes that are collected.
    ScatterEnd      "upcr_scatter_end"      Call    []                                  Any     SideEffects;
    /// Whether two numbers of bytes at two places have no byte in common.
    Apart           "upcr_apart"            Call    [Pts Int Pts Int]                   Int     Pure;
    /// The address that is this many blocks behind another one, each of this many bytes, where all memory is mapped.
    Walk            "upcr_walk"             Call    [Pointer Int Int]                   Pointer Pure;
    /// Whether loads and stores can access the target.
    Mapped          "upcr_is_mapped"        Call    [Pts]                               Int     Pure;
    /// A place: the `int` object `upcr_forall_depth`.
    ForallDepth     "upcr_forall_depth"     Name    []                                  Int     Pure;
    Threads         "UPCR_THREADS"          Name    []                                  Int     Pure;
    MyThread        "UPCR_MYTHREAD"         Name    []                                  Int     Pure;
    ForallSkip      "upcr_forall_skip"      Call    [Int]                               Int     Pure;
    FloorDiv        "upcr_floor_div"        Call    [Int Int]                           Int     Pure;
    /// In checked units: an index, within the bounds of its dimension. Operands: the index, the length of the dimension, whether that counts for
    /// each thread, whether one past the end is allowed. Its span is the text for the message.
    Index           "upcr_index"            Quoted  [Int Int Int Int]                   Int     SideEffects;
    /// In checked units: a pointer, whose phase fits the block size.
    WithPhase       "upcr_with_phase"       Call    [Pts Int]                           Pts     SideEffects;
    /// Whether a tool listens.
    InstOn          "upcr_inst_on"          Name    []                                  Int     Pure;
    /// Site of an instrumented access in a loop, whether local ones count, its address in this iteration, its ways (1 read, 2 write), elements from
    /// one iteration to the next, block size, a number of iterations: how many of them the measurement wants counted without a report.
    InstBudget      "upcr_inst_budget"      Call    [Site Int Pts Int Int Int Int]      Int     SideEffects;
    /// The same operands: counts them.
    InstConsume     "upcr_inst_consume"     Call    [Site Int Pts Int Int Int Int]      Any     SideEffects;
}

const fn simple(
    spelling: &'static str,
    form: Form,
    operands: &'static [Operand],
    result: Operand,
    effect: Effect,
) -> Row {
    Row {
        spelling: Cow::Borrowed(spelling),
        form,
        leading: 0,
        operands,
        more: false,
        result,
        type_arg: TypeArg::None,
        effect,
    }
}

const fn synchronization(kind: SyncKind, site: bool) -> Row {
    let spelling = match (kind, site) {
        (SyncKind::Notify, false) => "upcr_notify",
        (SyncKind::Notify, true) => "upcr_inst_notify",
        (SyncKind::Wait, false) => "upcr_wait",
        (SyncKind::Wait, true) => "upcr_inst_wait",
        (SyncKind::Barrier, false) => "upcr_barrier",
        (SyncKind::Barrier, true) => "upcr_inst_barrier",
    };
    let operands: &'static [Operand] = match site {
        true => &[Site, Int, Int],
        false => &[Int, Int],
    };
    simple(spelling, Form::Call, operands, Any, Effect::SideEffects)
}

impl fmt::Display for RtOp {
    /// The spelling, for messages and prints of the IL.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.row().spelling)
    }
}

/// Every operation that a pass can create, but for the functions of [`crate::events::CALLS`].
#[must_use]
pub fn all() -> Vec<RtOp> {
    let mut all = SIMPLE.to_vec();
    for site in [false, true] {
        for direction in [Direction::Get, Direction::Put] {
            for (strict, phase_zero, bits) in [
                (false, false, false),
                (false, true, false),
                (true, false, false),
                (false, false, true),
                (true, false, true),
            ] {
                all.push(RtOp::Access(AccessOp {
                    direction,
                    strict,
                    settled: false,
                    phase_zero,
                    bits,
                    site,
                }));
            }
        }
        all.extend(Update::ALL.map(|update| {
            RtOp::Access(AccessOp {
                direction: Direction::Update(update),
                strict: false,
                settled: false,
                phase_zero: false,
                bits: false,
                site,
            })
        }));
        let kinds = [SyncKind::Notify, SyncKind::Wait, SyncKind::Barrier];
        all.extend(kinds.map(|kind| RtOp::Sync(kind, site)));
        all.push(RtOp::Fence(site));
    }
    all.push(RtOp::Access(AccessOp {
        direction: Direction::Get,
        strict: true,
        settled: true,
        phase_zero: false,
        bits: false,
        site: false,
    }));
    all.push(RtOp::Site(SiteId(0)));
    all
}

/// The table as a page has it: spelling with the kinds of its operands, result, effect.
#[must_use]
pub fn markdown() -> String {
    let mut text = String::from("| operation | result | effect |\n|---|---|---|\n");
    for op in all() {
        let row = op.row();
        let kinds = row.operands.iter().map(|kind| format!("{kind:?}"));
        let mut arguments: Vec<String> = kinds.collect();
        let type_arg: &[&str] = match row.type_arg {
            TypeArg::None => &[],
            TypeArg::Accessed => &["T"],
            TypeArg::Record => &["S", "f"],
        };
        let type_arg = type_arg.iter().map(ToString::to_string);
        arguments.splice(row.leading..row.leading, type_arg);
        match row.form {
            Form::Name | Form::Call => {}
            Form::Quoted => arguments.push("text".to_owned()),
            Form::Number => arguments.push("number".to_owned()),
        }
        let arguments = match row.form {
            Form::Name => String::new(),
            Form::Call | Form::Quoted | Form::Number => format!("({})", arguments.join(", ")),
        };
        let effect = match row.effect {
            Effect::Pure => "none",
            Effect::Reads => "reads shared memory",
            Effect::SideEffects => "side effects",
        };
        text += &format!("| `{op}{arguments}` | {:?} | {effect} |\n", row.result);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_operation_has_a_spelling_of_its_own() {
        let all = all();
        let spellings: HashSet<String> = all.iter().map(ToString::to_string).collect();
        assert_eq!(spellings.len(), all.len());
    }
}
