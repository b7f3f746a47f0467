//! Variable length arrays. The length of an array is computed at the first declaration whose type contains it. Later
//! declarations of the same type (by `typeof`, `__auto_type`, a typedef name with qualifiers, or from a pass) must not
//! compute it again, because its value may have changed. They use a constant that is declared directly after the first
//! declaration.

use super::Emitter;
use crate::il::walk::{Node, expr_children};
use crate::il::{Body, Decl, DeclGroup, ExprId, ExprKind, Function, LocalId, TagDef};
use crate::types::{ArrayLen, QualType, Type};
use hashbrown::{HashMap, HashSet};

/// The variable length arrays of the current item, by their numbers.
#[derive(Default)]
pub(super) struct Vlas {
    /// Arrays that appear in the types of more than one declaration.
    repeated: HashSet<u32>,
    /// Arrays whose lengths have names so far.
    named: HashSet<u32>,
    /// Text to insert at the start of the current body.
    pub(super) at_start: String,
}

impl Emitter<'_> {
    /// Collects the arrays from the declarations of an item.
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
        // The length of an array that had shared elements is already in a variable.
        let repeated = uses
            .into_iter()
            .filter(|&(number, count)| count > 1 && body.length_local(number).is_none());
        vlas.repeated.extend(repeated.map(|(number, _)| number));
        vlas
    }

    /// Returns the variable length arrays in a type as it is printed, each with an expression for its length in terms
    /// of `place`, which has that type.
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

    /// Returns the name of an array's length; `None` if it has none yet.
    pub(super) fn length_name(&self, number: u32) -> Option<String> {
        if let Some(local) = self.body.length_local(number) {
            return Some(self.local_name(local));
        }
        let named = self.vlas.named.contains(&number);
        named.then(|| format!("upcc_length{number}"))
    }

    /// Returns the lengths that need a name once `place` of this type has been declared, with their expressions.
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

    /// Returns the declarations that name the given lengths.
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

    /// Writes names for the lengths that the declaration just written has computed.
    pub(super) fn name_lengths(&mut self, decl: &Decl) {
        let lengths = self.lengths_of(decl);
        let text = self.naming(lengths);
        self.out.put(&text);
    }

    /// True for declarations that cannot stand in the clause of a loop, because names of lengths must follow them.
    pub(super) fn computes_lengths(&self, group: &DeclGroup) -> bool {
        group.decls.iter().any(|d| !self.lengths_of(d).is_empty())
    }

    /// Returns the declaration of a parameter. It is an array if its length has side effects, so that the declaration
    /// computes the length. `tags` are the tags to define in front of its type, in the scope of the parameters.
    pub(super) fn declare_param(
        &mut self,
        param: LocalId,
        ty: QualType,
        name: &str,
        tags: &[TagDef],
    ) -> String {
        if !tags.is_empty() {
            let tags = self.tags_as_operands(tags);
            let pointer = self.declare(ty, "*");
            return format!("__typeof__(*({tags}({pointer})0)) {name}");
        }
        let lengths = self.body.param_lengths.iter();
        let number = lengths.filter(|l| l.0 == param).map(|l| l.1).next();
        let length = number.and_then(|number| self.body.vlas.iter().find(|v| v.0 == number)?.1);
        match (length, self.module.types.pointee(ty)) {
            // C does not allow statement expressions in a parameter list.
            (Some(length), _) if self.find(length, &|k| matches!(k, ExprKind::StmtExpr(_))) => {
                let length = self.expr_aside(length);
                self.vlas.at_start.push_str(&format!(" (void)({length});"));
                self.declare(ty, name)
            }
            (Some(length), Some(elem)) if self.find(length, &ExprKind::has_side_effects) => {
                let quals = super::types::qualifiers(ty.quals);
                let length = self.expr_aside(length);
                self.declare(elem, &format!("{name}[{quals}{length}]"))
            }
            _ => self.declare(ty, name),
        }
    }

    /// True if an expression is, or contains, a node of the wanted kind.
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
