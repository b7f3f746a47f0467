//! Lowers declarations: storage of shared objects, and static objects whose initialisers C would reject.

use super::Lower;
use crate::diag::{ice, known};
use crate::ids::TiVec;
use crate::il::{
    Body, Decl, DeclGroup, InitId, Item, ItemKind, Linkage, Object, ObjectId, SharedDef, StmtKind,
};
use crate::types::{QualType, Quals, Size, Types};
use hashbrown::HashSet;
use upcc_grammar::ast::{Span, storage};

/// The shared objects that a file-scope declaration initialises.
pub(super) fn initialised_objects(
    items: &[Item],
    objects: &TiVec<ObjectId, Object>,
    types: &Types,
) -> HashSet<ObjectId> {
    let mut found = HashSet::new();
    for item in items.iter().filter(|i| !i.verbatim) {
        let ItemKind::Decl(group) = &item.kind else {
            continue;
        };
        for decl in &group.decls {
            if let Decl::Object {
                object,
                init: Some(_),
                ..
            } = decl
                && types.is_shared(objects[*object].ty)
            {
                found.insert(*object);
            }
        }
    }
    found
}

/// Creates an item of the passes, at a position of the source.
pub(super) fn generated_group(decls: Vec<Decl>, body: Body, span: Span) -> Item {
    Item {
        span,
        verbatim: false,
        kind: ItemKind::Decl(DeclGroup {
            span,
            verbatim: false,
            tags: Vec::new(),
            decls,
        }),
        body,
    }
}

impl Lower<'_> {
    /// Lowers a declaration at file scope.
    pub(super) fn file_scope_group(&mut self, group: &mut DeclGroup) {
        if group.verbatim {
            return;
        }
        let mut decls = Vec::with_capacity(group.decls.len());
        for decl in std::mem::take(&mut group.decls) {
            let Some((object, storage, init)) = self.shared_object(&decl) else {
                decls.push(self.decl(decl));
                continue;
            };
            decls.extend(self.shared_storage(object, storage, init));
            if let Some(init) = init {
                self.store_initialiser(object, init);
            }
        }
        group.decls = decls;
    }

    /// Returns the object, its storage class and its initialiser if this declares a shared object.
    fn shared_object(&self, decl: &Decl) -> Option<(ObjectId, u16, Option<InitId>)> {
        match *decl {
            Decl::Object {
                object,
                storage,
                init,
                ..
            } if self.is_shared_object(object) => Some((object, storage, init)),
            Decl::Local { .. }
            | Decl::Object { .. }
            | Decl::Typedef { .. }
            | Decl::StaticAssert
            | Decl::Length { .. }
            | Decl::Shared { .. } => None,
        }
    }

    fn is_shared_object(&self, object: ObjectId) -> bool {
        let o = &self.objects[object];
        !o.is_function && self.types.is_shared(o.ty)
    }

    /// Lowers a declaration in a block. Returns the statement for what is left of it.
    pub(super) fn block_group(&mut self, mut group: DeclGroup) -> StmtKind {
        self.lower_group(&mut group);
        StmtKind::Decl(group)
    }

    /// Lowers a declaration in a block: static objects that need the runtime move to file scope.
    pub(super) fn lower_group(&mut self, group: &mut DeclGroup) {
        if group.verbatim {
            return;
        }
        let mut decls = Vec::with_capacity(group.decls.len());
        for decl in std::mem::take(&mut group.decls) {
            match decl {
                Decl::Object {
                    object,
                    storage,
                    init,
                    ..
                } if self.is_shared_object(object) => {
                    self.hoisted_name(object, storage);
                    let shared = self.shared_storage(object, storage, init);
                    // A local variable may hide the name, so the block declares it again.
                    if storage & storage::EXTERN != 0 && self.is_local_name(object) {
                        decls.extend(shared.clone());
                    }
                    self.hoisted.extend(shared);
                    if let Some(init) = init {
                        self.store_initialiser(object, init);
                    }
                }
                Decl::Object {
                    object,
                    storage,
                    init: Some(init),
                    ty,
                    attrs,
                    asm_label,
                } if !self.is_constant_init(init) && self.is_local_type(ty) => {
                    let (done, once) = self.initialise_once(object, init);
                    self.after.push(once);
                    let ty = self.writable(ty);
                    let bare = Decl::Object {
                        object,
                        storage,
                        init: self.room_for_elements(init),
                        ty,
                        attrs,
                        asm_label,
                    };
                    decls.extend([bare, done]);
                }
                Decl::Object {
                    object,
                    storage,
                    init: Some(init),
                    ty,
                    attrs,
                    asm_label,
                } if !self.is_constant_init(init) => {
                    self.hoisted_name(object, storage);
                    let ty = self.writable(ty);
                    let room = self.hoisted_room_for_elements(init);
                    self.hoisted.push(Decl::Object {
                        object,
                        storage,
                        init: room,
                        ty,
                        attrs,
                        asm_label,
                    });
                    self.store_initialiser(object, init);
                }
                other @ (Decl::Local { .. }
                | Decl::Object { .. }
                | Decl::Typedef { .. }
                | Decl::StaticAssert
                | Decl::Length { .. }
                | Decl::Shared { .. }) => decls.push(self.decl(other)),
            }
        }
        group.decls = decls;
    }

    /// True for objects of a record that the current function defines, which does not exist outside the function.
    fn is_local_type(&self, ty: QualType) -> bool {
        self.types
            .record_id(self.types.ultimate(ty))
            .is_some_and(|id| self.types.record(id).span.lo >= self.item_start)
    }

    /// True if a variable of the current function has the object's name.
    fn is_local_name(&self, object: ObjectId) -> bool {
        let name = Some(self.objects[object].name);
        self.body.locals.iter().any(|l| l.name == name)
    }

    /// Gives a block-scope static a name that is unused at file scope.
    fn hoisted_name(&mut self, object: ObjectId, storage: u16) {
        let o = &self.objects[object];
        if storage & storage::EXTERN != 0 || o.emit_name.is_some() {
            return;
        }
        let function = self.function.map_or("", |f| self.names.name(f));
        let name = self.names.name(o.name);
        let number = self.generated + 1;
        let emit_name = format!("upcc_{function}_{name}_{number}");
        self.generated = number;
        self.objects[object].emit_name = Some(emit_name);
    }

    /// Declares a shared object to the runtime. Its definition is emitted once.
    fn shared_storage(
        &mut self,
        object: ObjectId,
        storage: u16,
        init: Option<InitId>,
    ) -> Option<Decl> {
        let (ty, linkage, asked, span) = {
            let o = &self.objects[object];
            (o.ty, o.linkage, o.align, o.span)
        };
        // The declaration with the initialiser determines the size.
        let elsewhere = storage & storage::EXTERN != 0 || self.initialised.contains(&object);
        let def = if elsewhere && init.is_none() {
            SharedDef::Extern
        } else if !self.defined.insert(object) {
            return None;
        } else {
            match linkage {
                Linkage::None | Linkage::Internal => SharedDef::Local,
                Linkage::External if self.initialised.contains(&object) => SharedDef::Define,
                Linkage::External => SharedDef::Common,
            }
        };
        let align = self.types.align_of(ty).max(asked.unwrap_or(1));
        let elements = init.and_then(|init| self.flexible_elements(init));
        Some(Decl::Shared {
            object,
            def,
            bytes: self.portion(ty, span) + elements.map_or(0, |e| e.bytes),
            align,
        })
    }

    /// Bytes of a shared object in the portion of one thread: every thread's portion is as large as the largest.
    fn portion(&self, ty: QualType, span: Span) -> u64 {
        let (elem, block) = known(
            self.types.shared_elem(ty),
            span,
            "storage of no shared object",
        );
        // The type of an `extern` declaration may be incomplete.
        let size = self.types.fixed_size(elem).unwrap_or(0);
        // A tentative array without extent has one element (C11 6.9.2p2).
        let total = self.types.size_of(ty).unwrap_or(Size::Fixed(size));
        let elements = |bytes: u64| bytes.checked_div(size).unwrap_or(0);
        let block = u64::from(block);
        let in_blocks = |elements: u64, threads: u64| {
            let blocks = elements.div_ceil(block);
            if blocks == 1 && threads > 0 {
                return elements;
            }
            blocks.div_ceil(threads).saturating_mul(block)
        };
        let elements = match (total, self.static_threads) {
            (Size::Fixed(bytes), _) if block == 0 || !self.types.is_array(ty) => elements(bytes),
            (Size::Fixed(bytes), Some(threads)) => in_blocks(elements(bytes), u64::from(threads)),
            // Sema has rejected it.
            (Size::Fixed(bytes), None) => elements(bytes),
            // ceil(ceil(K * THREADS / B) / THREADS) = ceil(K / B)
            (Size::PerThread(bytes), _) => match block {
                0 => elements(bytes),
                _ => elements(bytes).div_ceil(block).saturating_mul(block),
            },
            (Size::Variable, _) => ice(span, "a shared object of variable size"),
        };
        elements.saturating_mul(size)
    }

    /// Lowers everything except shared objects and initialisers for the runtime.
    fn decl(&mut self, decl: Decl) -> Decl {
        match decl {
            Decl::Local {
                init: Some(init), ..
            } => {
                self.init(init);
                decl
            }
            Decl::Object {
                object,
                storage,
                init,
                ty,
                attrs,
                asm_label,
            } => Decl::Object {
                object,
                storage,
                init: init.and_then(|init| self.static_init(object, init)),
                ty: self.writable(ty),
                attrs,
                asm_label,
            },
            Decl::Local { init: None, .. }
            | Decl::Typedef { .. }
            | Decl::StaticAssert
            | Decl::Shared { .. } => decl,
            Decl::Length { local, value } => Decl::Length {
                local,
                value: self.value(value),
            },
        }
    }

    /// The type of a static object that the initialiser function may have to write: pointers-to-shared and records with
    /// such members are not `const` to the C compiler, which would put them into read-only memory.
    fn writable(&mut self, ty: QualType) -> QualType {
        let elem = self.types.ultimate(ty);
        let holds_pts = self.types.is_pts(elem)
            || self.types.record_id(elem).is_some_and(|id| {
                let body = self.types.record(id).body.as_ref();
                body.is_some_and(|b| b.has_shared)
            });
        if !holds_pts || !elem.quals.has(Quals::CONST) {
            return ty;
        }
        self.without_const(ty)
    }

    pub(super) fn without_const(&mut self, ty: QualType) -> QualType {
        let ty = self.types.resolve(ty);
        if let Some((elem, len)) = self.types.array(ty) {
            let elem = self.without_const(elem);
            return QualType::plain(self.types.array_of(elem, len));
        }
        QualType {
            quals: ty.quals.without(Quals::CONST),
            ..ty
        }
    }

    /// Returns the initialiser of a static object if C accepts it; otherwise the initialiser function stores it.
    fn static_init(&mut self, object: ObjectId, init: InitId) -> Option<InitId> {
        if self.body.init(init).verbatim {
            return Some(init);
        }
        if self.is_constant_init(init) {
            self.init(init);
            return Some(init);
        }
        self.store_initialiser(object, init);
        self.room_for_elements(init)
    }
}
