//! The aggregates between a braced list's own object and the place of its next item.

use super::*;

/// An aggregate that is being filled.
pub(super) struct Frame {
    pub shape: Shape,
    /// The current subobject, as a step from the aggregate.
    pub at: PathElem,
    /// Index of the next subobject.
    pub next: u64,
    /// The list that its items become; `None`: they are items of the list around it.
    pub list: Option<OwnList>,
}

/// The list of an aggregate whose braces are elided. Without it each item would have a path through all aggregates
/// around it.
pub(super) struct OwnList {
    ty: QualType,
    span: Span,
    pub items: Vec<(Vec<PathElem>, InitId)>,
}

/// The structure of a frame's aggregate.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    /// Element type and number of elements; `None`: the initialisers determine the number.
    Elements(QualType, Option<u64>),
    Struct(RecordId),
    Union(RecordId),
}

impl Frame {
    pub(super) fn new(shape: Shape) -> Frame {
        Frame {
            shape,
            at: PathElem::Index(0),
            next: 0,
            list: None,
        }
    }

    pub(super) fn of_list(shape: Shape, ty: QualType) -> Frame {
        let list = OwnList {
            ty,
            span: Span { lo: 0, hi: 0 },
            items: Vec::new(),
        };
        Frame {
            list: Some(list),
            ..Frame::new(shape)
        }
    }
}

/// Adds an item for the current place of the stack to the innermost list. Items after a range continue after its last
/// element.
pub(super) fn add_item(stack: &mut [Frame], init: InitId, span: Span) {
    let inner = stack.iter().rposition(|frame| frame.list.is_some());
    let frames = &mut stack[inner.unwrap_or(0)..];
    let path = frames.iter().map(|frame| frame.at).collect();
    for frame in &mut *frames {
        if let PathElem::Range(_, last) = frame.at {
            frame.at = PathElem::Index(last);
        }
    }
    if let Some(list) = frames.first_mut().and_then(|frame| frame.list.as_mut()) {
        let first = list.items.is_empty();
        list.span = if first { span } else { list.span.to(span) };
        list.items.push((path, init));
    }
}

impl Nodes<'_> {
    /// Leaves the innermost aggregates, until `depth` are left. Their lists become items.
    pub(super) fn close_to(&mut self, depth: usize, stack: &mut Vec<Frame>) {
        while stack.len() > depth
            && let Some(frame) = stack.pop()
        {
            let list = frame.list.filter(|list| !list.items.is_empty());
            if let Some(OwnList { ty, span, items }) = list {
                let init = self.body.push_init(InitKind::List(items), ty, span, false);
                add_item(stack, init, span);
            }
        }
    }

    /// Moves to the next subobject in order. Returns its type, or `None` if all are filled.
    pub(super) fn advance(&mut self, stack: &mut Vec<Frame>) -> Option<QualType> {
        while let Some(top) = stack.last_mut() {
            if let Some((at, ty, next)) = self.subobject(top.shape, top.next) {
                (top.at, top.next) = (at, next);
                return Some(ty);
            }
            if stack.len() == 1 {
                return None;
            }
            self.close_to(stack.len() - 1, stack);
        }
        None
    }
}

impl Context<'_> {
    /// The structure of a type as an aggregate; `None` for scalars.
    pub(super) fn shape(&self, ty: QualType) -> Option<Shape> {
        match *self.types.kind(ty) {
            Type::Array(..) => {
                let (elem, len) = self.types.array(ty)?;
                let count = match len {
                    ArrayLen::Fixed(n) => Some(n),
                    ArrayLen::PerThread(_) | ArrayLen::Incomplete | ArrayLen::Variable(_) => None,
                };
                Some(Shape::Elements(elem, count))
            }
            Type::Vector(elem, bytes) => {
                let size = self.types.fixed_size(QualType::plain(elem))?.max(1);
                let count = u64::from(bytes) / size;
                Some(Shape::Elements(QualType::plain(elem), Some(count)))
            }
            Type::Record(id) => {
                let record = self.types.record(id);
                record.body.as_ref()?;
                Some(if record.is_union {
                    Shape::Union(id)
                } else {
                    Shape::Struct(id)
                })
            }
            Type::Void
            | Type::Int(_)
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::Enum(_)
            | Type::Pointer(_)
            | Type::Function(_)
            | Type::VaList
            | Type::Typedef(_)
            | Type::Unknown => None,
        }
    }

    /// The subobject with number `index`, not counting members without initialiser: its step, its type and the index
    /// after it.
    pub(super) fn subobject(&self, shape: Shape, index: u64) -> Option<(PathElem, QualType, u64)> {
        match shape {
            Shape::Elements(elem, count) => {
                let within = count.is_none_or(|n| index < n);
                within.then_some((PathElem::Index(index), elem, index + 1))
            }
            Shape::Struct(id) | Shape::Union(id) => {
                let fields = &self.types.record(id).body.as_ref()?.fields;
                if matches!(shape, Shape::Union(_)) && index > 0 {
                    return None;
                }
                let at = (index as usize..fields.len())
                    .find(|&at| fields[at].name.is_some() || fields[at].bits.is_none())?;
                Some((PathElem::Field(at as u32), fields[at].ty, at as u64 + 1))
            }
        }
    }
}
