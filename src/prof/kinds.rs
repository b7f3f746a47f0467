//! Kinds of events, made from the compiler's table, with the data that each one moves, derived from the meaning of its
//! arguments.

use super::model::{
    Arg, ArgKind, ArgSpec, Direction, Event, Group, Kind, LOST, Moves, OFF, ON, Traffic,
};
use crate::events::{self, EVENTS, Shape};

/// Returns the kinds of the table, in its order, and the notes.
pub fn of_table() -> Vec<Kind> {
    let notes = [(OFF, &[] as &[ArgSpec]), (ON, &[]), (LOST, EVENTS_LOST)];
    let note = |(name, args)| Kind {
        group: Group::Note,
        start: args,
        end: args,
        ..of_user(name, None)
    };
    let events = EVENTS.iter().map(of_event);
    events.chain(notes.into_iter().map(note)).collect()
}

const EVENTS_LOST: &[ArgSpec] = &[ArgSpec {
    name: "events",
    kind: ArgKind::Size,
}];

/// Returns a kind that a user created, or that this version does not know.
pub fn of_user(name: &str, description: Option<&str>) -> Kind {
    Kind {
        name: name.to_owned(),
        group: Group::User,
        start: &[],
        end: &[],
        moves: Moves::default(),
        nested: true,
        description: description.map(str::to_owned),
    }
}

fn of_event(event: &'static events::Event) -> Kind {
    let (start, end) = match event.shape {
        Shape::Pair(start, end) => (start, end),
        Shape::Once(args) => (args, args),
    };
    let name = event.symbol.strip_prefix("GASP_").unwrap_or(event.symbol);
    let moves = moves(event.group, start, end);
    Kind {
        name: name.to_owned(),
        group: group(event, &moves),
        start,
        end,
        nested: !event.symbol.ends_with("_DATA"),
        moves,
        description: None,
    }
}

fn group(event: &events::Event, moves: &Moves) -> Group {
    use events::Group as Of;
    match event.group {
        Of::Function => Group::Function,
        Of::Heap | Of::Alloc => Group::Memory,
        Of::Exit => match event.shape {
            Shape::Pair(..) => Group::Barrier,
            Shape::Once(_) => Group::Runtime,
        },
        Of::Sync => match event.symbol {
            "GASP_UPC_NOTIFY" => Group::Notify,
            "GASP_UPC_WAIT" => Group::Wait,
            "GASP_UPC_FENCE" => Group::Fence,
            _ => Group::Barrier,
        },
        Of::Work => Group::Forall,
        Of::Lock => Group::Lock,
        Of::Transfer | Of::Access | Of::NonBlocking => match moves.traffic {
            Some((Direction::Get, ..)) => Group::Get,
            Some((Direction::Put, ..)) => Group::Put,
            Some((Direction::Copy, ..)) => Group::Copy,
            None => Group::NonBlocking,
        },
        Of::Cache => Group::Cache,
        Of::Collective => Group::Collective,
        Of::Atomic => Group::Atomic,
        Of::Io => Group::Io,
        Of::Semaphore => match event.symbol {
            "GASP_UPCC_SEM_POST" => Group::Post,
            _ => Group::Semaphore,
        },
        Of::Mpi => Group::Mpi,
        Of::Start => Group::Runtime,
    }
}

/// Returns the meaning of the arguments, by their names in GASP's tables.
fn moves(group: events::Group, start: &[ArgSpec], end: &[ArgSpec]) -> Moves {
    use events::Group as Of;
    let at = |name: &str| start.iter().position(|arg| arg.name == name);
    let shared = |name: &str| at(name).filter(|&at| start[at].kind == ArgKind::Shared);
    let traffic = match group {
        Of::Transfer | Of::Access | Of::NonBlocking => match (shared("dst"), shared("src")) {
            (Some(to), Some(from)) => Some((Direction::Copy, to, Some(from))),
            (Some(to), None) => Some((Direction::Put, to, None)),
            (None, Some(from)) => Some((Direction::Get, from, None)),
            (None, None) => None,
        },
        Of::Atomic => shared("target").map(|at| (Direction::Put, at, None)),
        Of::Function
        | Of::Heap
        | Of::Exit
        | Of::Sync
        | Of::Work
        | Of::Alloc
        | Of::Lock
        | Of::Cache
        | Of::Collective
        | Of::Io
        | Of::Semaphore
        | Of::Mpi
        | Of::Start => None,
    };
    let reduction = || start.iter().position(|arg| arg.kind == ArgKind::Reduction);
    let bytes = ["n", "nbytes", "size", "bytes", "nelems"]
        .iter()
        .find_map(|name| at(name));
    Moves {
        traffic,
        bytes: [bytes, at("nblocks").or_else(reduction)],
        lock: start
            .iter()
            .position(|arg| arg.kind == ArgKind::Lock)
            .or_else(|| shared("sem")),
        rank: at("peer").filter(|&at| start[at].kind == ArgKind::Int),
        handle: end.iter().position(|arg| arg.kind == ArgKind::Handle),
    }
}

/// The size in bytes of each `gasp_upc_reduction_t`, in order: char (2), short (2), int (2), long (2), float, double,
/// long double.
const REDUCTION_BYTES: [u64; 11] = [1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 16];

/// Sets the members of an event that follow from its kind and arguments: traffic and bytes.
pub fn complete(kind: &Kind, event: &mut Event) {
    let shared = |at: usize| match event.args.get(at) {
        Some(Arg::Shared(place)) => Some(*place),
        _ => None,
    };
    let factor = |at: &Option<usize>| match (at.and_then(|at| event.args.get(at)), at) {
        (Some(Arg::Size(size)), _) => *size,
        // The argument `type` of a reduction.
        (Some(Arg::Int(code)), _) => usize::try_from(*code)
            .ok()
            .and_then(|code| REDUCTION_BYTES.get(code))
            .map_or(1, |bytes| *bytes),
        (_, Some(_)) => 0,
        (_, None) => 1,
    };
    event.traffic = kind.moves.traffic.and_then(|(direction, place, from)| {
        Some(Traffic {
            direction,
            place: shared(place)?,
            from: from.and_then(shared),
        })
    });
    event.bytes = match kind.moves.bytes[0] {
        Some(_) => kind
            .moves
            .bytes
            .iter()
            .map(factor)
            .fold(1, u64::saturating_mul),
        None => 0,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_each_kind_is_and_moves() {
        let mut text = String::new();
        for kind in of_table() {
            let name = |at: Option<usize>| at.map_or("-", |at| kind.start[at].name);
            let traffic = kind.moves.traffic.map(|(direction, place, from)| {
                format!("{direction:?} {} {}", name(Some(place)), name(from))
            });
            text += &format!(
                "{:24} {:12} bytes {} {} handle {} nested {} {} {}\n",
                kind.name,
                format!("{:?}", kind.group),
                name(kind.moves.bytes[0]),
                name(kind.moves.bytes[1]),
                kind.moves.handle.is_some(),
                kind.nested,
                name(kind.moves.lock.or(kind.moves.rank)),
                traffic.unwrap_or_default()
            );
        }
        insta::assert_snapshot!(text);
    }
}
