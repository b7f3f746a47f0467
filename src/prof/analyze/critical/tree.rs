//! The paths that led to where threads are now. Paths share their beginnings, so they are a tree.
//!
//! A node that is the only one behind its parent takes the parent's place. So a tree has no more than twice as many nodes
//! as paths, however long the run is.

use super::super::Part;
use super::Cause;
use hashbrown::HashMap;
use std::collections::VecDeque;

/// The number of legs that a node keeps; the shortest are combined with those before them.
const MOST_LEGS: usize = 8192;

/// The part of a path on one thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leg {
    /// The thread.
    pub thread: u32,
    /// Nanoseconds since the start of the run.
    pub from: u64,
    /// See `from`.
    pub to: u64,
}

/// What a path, or a piece of one, consists of. Times are nanoseconds.
#[derive(Default)]
pub(super) struct Sums {
    pub(super) parts: HashMap<Part, u64>,
    pub(super) threads: HashMap<u32, u64>,
    /// The time for which other threads wait.
    pub(super) causes: HashMap<Cause, u64>,
    pub(super) legs: VecDeque<Leg>,
}

/// The index of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NodeId(usize);

struct Node {
    parent: Option<NodeId>,
    /// The number of nodes behind it, and of those who hold it.
    users: usize,
    sums: Sums,
}

/// The paths of all threads.
pub(super) struct Tree {
    nodes: Vec<Node>,
    free: Vec<NodeId>,
    /// With this number of nodes, those without branches are combined.
    many: usize,
}

impl Tree {
    pub(super) fn new() -> Tree {
        Tree {
            nodes: Vec::new(),
            free: Vec::new(),
            many: 1024,
        }
    }

    /// Returns a new node behind another one, or a new beginning. The caller holds it.
    pub(super) fn add(&mut self, parent: Option<NodeId>) -> NodeId {
        if let Some(parent) = parent {
            self.hold(parent);
        }
        let node = Node {
            parent,
            users: 1,
            sums: Sums::default(),
        };
        match self.free.pop() {
            Some(id) => {
                self.nodes[id.0] = node;
                id
            }
            None => {
                self.nodes.push(node);
                NodeId(self.nodes.len() - 1)
            }
        }
    }

    pub(super) fn sums(&mut self, of: NodeId) -> &mut Sums {
        &mut self.nodes[of.0].sums
    }

    /// Holds a node once more.
    pub(super) fn hold(&mut self, node: NodeId) {
        self.nodes[node.0].users += 1;
    }

    /// Lets a node go. Nodes that nobody needs vanish.
    pub(super) fn release(&mut self, node: NodeId) {
        let mut next = Some(node);
        while let Some(id) = next {
            let node = &mut self.nodes[id.0];
            node.users -= 1;
            if node.users > 0 {
                return;
            }
            node.sums = Sums::default();
            next = node.parent.take();
            self.free.push(id);
        }
    }

    /// Combines a node, and the one before it, with those that lead only to it.
    pub(super) fn settle(&mut self, node: NodeId) {
        self.absorb(node);
        if let Some(parent) = self.nodes[node.0].parent {
            self.absorb(parent);
        }
        if self.nodes.len() - self.free.len() > self.many {
            for at in 0..self.nodes.len() {
                if self.nodes[at].users > 0 {
                    self.absorb(NodeId(at));
                }
            }
            self.many = 1024.max(2 * (self.nodes.len() - self.free.len()));
        }
    }

    fn absorb(&mut self, node: NodeId) {
        while let Some(parent) = self.nodes[node.0].parent {
            let before = &mut self.nodes[parent.0];
            if before.users > 1 {
                return;
            }
            before.users = 0;
            let (sums, parent_of) = (std::mem::take(&mut before.sums), before.parent.take());
            self.free.push(parent);
            let node = &mut self.nodes[node.0];
            node.parent = parent_of;
            node.sums = sums.then(std::mem::take(&mut node.sums));
        }
    }

    /// Returns the sums of the path to a node.
    pub(super) fn path(mut self, to: NodeId) -> Sums {
        let mut sums = Sums::default();
        let mut next = Some(to);
        while let Some(id) = next {
            let node = &mut self.nodes[id.0];
            sums = std::mem::take(&mut node.sums).then(sums);
            next = node.parent;
        }
        sums
    }

    /// The number of nodes in use.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.nodes.len() - self.free.len()
    }
}

/// Adds the smaller map to the larger one.
fn sum<K: Eq + std::hash::Hash>(a: HashMap<K, u64>, b: HashMap<K, u64>) -> HashMap<K, u64> {
    let (mut large, small) = if a.len() < b.len() { (b, a) } else { (a, b) };
    for (key, time) in small {
        *large.entry(key).or_default() += time;
    }
    large
}

impl Sums {
    pub(super) fn spend(&mut self, (part, time): (Part, u64)) {
        if time > 0 {
            *self.parts.entry(part).or_default() += time;
        }
    }

    /// Returns the sums of this piece of a path and the next one.
    fn then(self, next: Sums) -> Sums {
        let (mut legs, mut more) = (self.legs, next.legs);
        if let (Some(last), Some(first)) = (legs.back_mut(), more.front())
            && last.thread == first.thread
            && last.to == first.from
        {
            last.to = first.to;
            more.pop_front();
        }
        if legs.len() < more.len() {
            while let Some(leg) = legs.pop_back() {
                more.push_front(leg);
            }
            legs = more;
        } else {
            legs.append(&mut more);
        }
        if legs.len() > 2 * MOST_LEGS {
            legs = fewer(legs);
        }
        Sums {
            parts: sum(self.parts, next.parts),
            threads: sum(self.threads, next.threads),
            causes: sum(self.causes, next.causes),
            legs,
        }
    }
}

/// Combines the shorter half of the legs with those before them.
fn fewer(legs: VecDeque<Leg>) -> VecDeque<Leg> {
    let length = |leg: &Leg| leg.to.saturating_sub(leg.from);
    let mut lengths: Vec<u64> = legs.iter().map(length).collect();
    let middle = lengths.len() / 2;
    let least = *lengths.select_nth_unstable(middle).1;
    let mut kept: VecDeque<Leg> = VecDeque::new();
    let mut equal = 0;
    for leg in legs {
        // Of legs of the middle length, each second one stays.
        equal += usize::from(length(&leg) == least);
        let is_short = length(&leg) < least || (length(&leg) == least && equal % 2 == 0);
        match kept.back_mut() {
            Some(last) if is_short || last.thread == leg.thread => last.to = last.to.max(leg.to),
            _ => kept.push_back(leg),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leg(thread: u32, from: u64, to: u64) -> Leg {
        Leg { thread, from, to }
    }

    #[test]
    fn a_long_path_without_branches_is_one_node() {
        let mut tree = Tree::new();
        let mut tip = tree.add(None);
        for step in 0..10_000 {
            let sums = tree.sums(tip);
            *sums.parts.entry(Part::OutsideEvents).or_default() += 2;
            sums.legs
                .push_back(leg(step % 2, step.into(), u64::from(step) + 1));
            // A branch that ends is no branch.
            let (next, branch) = (tree.add(Some(tip)), tree.add(Some(tip)));
            tree.release(tip);
            tree.release(branch);
            tip = next;
            tree.settle(tip);
        }
        assert_eq!(tree.len(), 1);
        let sums = tree.path(tip);
        assert_eq!(sums.parts[&Part::OutsideEvents], 20_000);
        assert_eq!(sums.legs.len(), 10_000);
    }

    #[test]
    fn branches_share_their_beginning() {
        let mut tree = Tree::new();
        let root = tree.add(None);
        let of = |tree: &mut Tree, node, time| tree.sums(node).threads.insert(0, time);
        of(&mut tree, root, 5);
        let (a, b) = (tree.add(Some(root)), tree.add(Some(root)));
        tree.release(root);
        of(&mut tree, a, 1);
        of(&mut tree, b, 2);
        tree.settle(a);
        assert_eq!(tree.len(), 3);
        tree.release(b);
        tree.settle(a);
        assert_eq!(tree.len(), 1);
        assert_eq!(tree.path(a).threads[&0], 6);
    }

    #[test]
    fn many_legs_become_fewer_without_gaps() {
        let legs = (0..1000u64).map(|at| leg((at % 3) as u32, at * 10, at * 10 + 10));
        let fewer = fewer(legs.collect());
        assert!((400..=600).contains(&fewer.len()), "{}", fewer.len());
        let ends = fewer.iter().zip(fewer.iter().skip(1));
        assert!(ends.into_iter().all(|(a, b)| a.to == b.from));
    }
}
