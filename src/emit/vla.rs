//! Variable length arrays. The length of one is computed where the declaration stands that first has it in its type. What is declared of the same type
//! later, by `typeof`, `__auto_type`, a typedef name with qualifiers or a pass, must not compute it again, when it may have another value: it takes it
//! from a constant that stands behind the first declaration.

use super::Emitter;
use crate::il::walk::{Node, expr_children};
use crate::il::{Body, Decl, DeclGroup, ExprId, ExprKind, Function, LocalId, TagDef};
use crate::types::{ArrayLen, QualType, Type};
use hashbrown::{HashMap, HashSet};

/// The arrays of the item in work, by their numbers.
#[derive(Default)]
pub(super) struct Vlas {
    /// Those that more than one declaration has in its type.
    repeated: HashSet<u32>,
    /// Those whose lengths have names by now.
    named: HashSet<u32>,
    /// What the body in work begins with.
    pub(super) at_start: String,
}

impl Emitter<'_> {
    /// Looks at the declarations of an item.
    pub(super) fn find_vlas(&self, body: &Body) -> Vlas {
        let mut vlas = Vlas::default();
        if body.vlas.is_empty() {
            return vlas;
        }
        let mut uses: HashMap<u32, u32> = HashMap::new();
        let types = &self.module.types;
        let typedefs = types.typedefs.iter().map(|t| t.target);
        let records = types.records.iter().filter_map(|r| r.body.as_ref());
        let members = records.flat_map(|b| b.fields.iter().map(|f| f.ty));
        let locals = body.locals.iter().map(|l| l.ty);
        for ty in locals.chain(typedefs).chain(members) {
            for (number, _) in self.lengths(ty, String::new()) {
                *uses.entry(number).or_default() += 1;
            }
        }
        // Those of arrays that had shared elements have a variable.
        let repeated = uses
            .into_iter()
            .filter(|&(number, count)| count > 1 && body.length_local(number).is_none());
        vlas.repeated.extend(repeated.map(|(number, _)| number));
        vlas
    }

    /// The arrays of variable length in a type as it is printed, and how their lengths are found in `place`, which has it.
    fn lengths(&self, ty: QualType, place: String) -> Vec<(u32, String)> {
        use Type::*;
        let types = &self.module.types;
        let (mut ty, mut place, mut found) = (ty, place, Vec::new());
        loop {
            ty = self.visible(ty);
            match *types.get(ty.ty) {
                Array(elem, len) => {
                    if let ArrayLen::Variable(number) = len {
                        let length = format!("sizeof({place}) / sizeof({place}[0])");
                        found.push((number, length));
                    }
                    place.push_str("[0]");
                    ty = elem;
                }
                Pointer(to) if !types.is_shared(to) => {
                    place = format!("(*{place})");
                    ty = to;
                }
                Void | Int(_) | Float(_) | Complex(_) | ComplexInt(_) | Enum(_) | Record(_)
                | Pointer(_) | Function(_) | Vector(..) | VaList | Typedef(_) | Unknown => {
                    return found;
                }
            }
        }
    }

    /// The name of the length of an array, once it has one.
    pub(super) fn length_name(&self, number: u32) -> Option<String> {
        if let Some(local) = self.body.length_local(number) {
            return Some(self.local_name(local));
        }
        let named = self.vlas.named.contains(&number);
        named.then(|| format!("upcc_length{number}"))
    }

    /// The lengths that get a name when `place` of this type has been declared: their declarations.
    fn new_lengths(&self, ty: QualType, place: String) -> Vec<(u32, String)> {
        if self.vlas.repeated.is_empty() {
            return Vec::new();
        }
        let mut lengths = self.lengths(ty, place);
        lengths.retain(|(number, _)| {
            self.vlas.repeated.contains(number) && !self.vlas.named.contains(number)
        });
        lengths
    }

    /// The declarations that name those lengths.
    fn naming(&mut self, lengths: Vec<(u32, String)>) -> String {
        let mut text = String::new();
        for (number, length) in lengths {
            self.vlas.named.insert(number);
            text.push_str(&format!(
                " const unsigned long upcc_length{number} __attribute__((__unused__)) = {length};"
            ));
        }
        text
    }

    fn lengths_of(&self, decl: &Decl) -> Vec<(u32, String)> {
        match decl {
            Decl::Local { local, .. } => {
                self.new_lengths(self.body.local(*local).ty, self.local_name(*local))
            }
            Decl::Typedef { typedef, .. } => {
                let typedef = self.module.types.typedef(*typedef);
                let name = self.names.name(typedef.name);
                self.new_lengths(typedef.target, format!("(*({name} *)0)"))
            }
            Decl::Object { .. }
            | Decl::StaticAssert
            | Decl::Length { .. }
            | Decl::Shared { .. } => Vec::new(),
        }
    }

    /// Names the lengths that a declaration, just written, has computed.
    pub(super) fn name_lengths(&mut self, decl: &Decl) {
        let lengths = self.lengths_of(decl);
        let text = self.naming(lengths);
        self.out.put(&text);
    }

    /// True for declarations that cannot stand in the clause of a loop, for names of lengths follow them.
    pub(super) fn computes_lengths(&self, group: &DeclGroup) -> bool {
        group.decls.iter().any(|d| !self.lengths_of(d).is_empty())
    }

    /// The declaration of a parameter: an array if that is how its length, which has effects, is computed.
    /// `tags`: what must be defined in front of its type, in the scope of the parameters.
    pub(super) fn declare_param(
        &mut self,
        param: LocalId,
        ty: QualType,
        name: String,
        tags: &[TagDef],
    ) -> String {
        if !tags.is_empty() {
            let tags = self.tags_as_operands(tags);
            let pointer = self.declare(ty, "*".into());
            return format!("__typeof__(*({tags}({pointer})0)) {name}");
        }
        let lengths = self.body.param_lengths.iter();
        let number = lengths.filter(|l| l.0 == param).map(|l| l.1).next();
        let length = number.and_then(|number| self.body.vlas.iter().find(|v| v.0 == number)?.1);
        match (length, self.module.types.pointee(ty)) {
            // C has no statement expressions there.
            (Some(length), _) if self.find(length, &|k| matches!(k, ExprKind::StmtExpr(_))) => {
                let length = self.expr_aside(length);
                self.vlas.at_start.push_str(&format!(" (void)({length});"));
                self.declare(ty, name)
            }
            (Some(length), Some(elem)) if self.find(length, &ExprKind::has_side_effects) => {
                let quals = super::types::qualifiers(ty.quals);
                let length = self.expr_aside(length);
                self.declare(elem, format!("{name}[{quals}{length}]"))
            }
            _ => self.declare(ty, name),
        }
    }

    /// True if an expression is, or has in it, a node of such a kind.
    fn find(&self, id: ExprId, wanted: &dyn Fn(&ExprKind) -> bool) -> bool {
        let mut found = wanted(&self.body.expr(id).kind);
        expr_children(self.body, id, &mut |node| {
            found |= match node {
                Node::Expr(e) => self.find(e, wanted),
                Node::Stmt(_) | Node::Init(_) => false,
            };
        });
        found
    }

    /// Names the lengths that the parameters have computed, at the start of the body.
    pub(super) fn name_param_lengths(&mut self, function: &Function) {
        for &param in &function.params {
            let lengths = self.new_lengths(self.body.local(param).ty, self.local_name(param));
            let text = self.naming(lengths);
            self.vlas.at_start.push_str(&text);
        }
    }
}
