//! Declarations: specifiers and declarators.

use super::{ActionError, Builder, span, take};
use crate::ast::*;
use crate::context::Mark;
use crate::token::TokenKind;

/// One declaration specifier.
#[derive(Clone, Copy, Debug)]
pub enum Specifier {
    /// A single keyword: storage class, qualifier or basic type.
    Word(u32),
    /// `shared` with a layout qualifier.
    Shared(Layout, Span),
    AlignExpr(ExprId),
    AlignType(TypeNameId),
    Type(TypeSpec),
}

/// A declaration whose declarators are being read.
#[derive(Clone, Copy, Debug)]
pub struct Declaring {
    pub specs: SpecsId,
    /// Index of its first init-declarator.
    base: u32,
}

/// Everything before the body of a function definition.
#[derive(Clone, Copy, Debug)]
pub struct FunctionHead {
    pub specs: SpecsId,
    pub declarator: DeclaratorId,
    pub mark: Mark,
    /// Number of declarations before this one: the declarations of K&R parameters start at this index.
    pub decls: u32,
}

impl Builder<'_> {
    // Specifiers.

    /// Starts a list of specifiers.
    pub fn specs(&mut self, specifier: Specifier, lo: u32, hi: u32) -> SpecsId {
        let id = self.ast.push_specs(Specs {
            span: span(lo, hi),
            ..Specs::default()
        });
        self.more_specs(id, specifier, hi)
    }

    /// Returns the specifiers of a declaration that has none.
    pub fn no_specs(&mut self, at: u32) -> SpecsId {
        self.ast.push_specs(Specs {
            span: span(at, at),
            ..Specs::default()
        })
    }

    /// Adds the next specifier to a list.
    pub fn more_specs(&mut self, id: SpecsId, specifier: Specifier, hi: u32) -> SpecsId {
        let kind = match specifier {
            Specifier::Word(at) => self.tokens[at as usize].kind,
            _ => TokenKind::Basic(BasicType::Void),
        };
        let specs = &mut self.ast.specs[id.0 as usize];
        specs.span.hi = hi;
        match specifier {
            Specifier::Word(at) => {
                let class = kind.storage_bit() & !(storage::INLINE | storage::NORETURN);
                if specs.storage & class != 0 {
                    specs.repeated = Some(at);
                }
                specs.storage |= kind.storage_bit();
                add_qualifier(&mut specs.quals, kind, at);
                specs.types.extend(kind.basic_type().map(TypeSpec::Basic));
            }
            Specifier::Shared(layout, at) => add_layout(&mut specs.quals, layout, at),
            Specifier::AlignExpr(e) => specs.aligns.push(AlignSpec::Expr(e)),
            Specifier::AlignType(t) => specs.aligns.push(AlignSpec::Type(t)),
            Specifier::Type(t) => specs.types.push(t),
        }
        id
    }

    /// Adds the first qualifier of a pointer. Returns the index of the list on its stack.
    pub fn first_qual(&mut self, specifier: Specifier) -> u32 {
        self.quals.push(Quals::default());
        self.next_qual(self.quals.len() as u32 - 1, specifier)
    }

    /// Adds the next qualifier of a pointer.
    pub fn next_qual(&mut self, list: u32, specifier: Specifier) -> u32 {
        let tokens = self.tokens;
        if let Some(quals) = self.quals.last_mut() {
            match specifier {
                Specifier::Word(at) => add_qualifier(quals, tokens[at as usize].kind, at),
                Specifier::Shared(layout, at) => add_layout(quals, layout, at),
                // The grammar passes only qualifiers.
                Specifier::AlignExpr(_) | Specifier::AlignType(_) | Specifier::Type(_) => {}
            }
        }
        list
    }

    // Struct, union and enum.

    fn is_union(&self, at: u32) -> bool {
        self.tokens[at as usize].kind == TokenKind::Union
    }

    /// Builds `struct tag` without a body.
    pub fn record_ref(&mut self, lo: u32, tag: u32) -> TypeSpec {
        let spec = RecordSpec {
            is_union: self.is_union(lo),
            tag: Some(self.symbol(tag)),
            tag_tok: tag,
            members: None,
            span: span(lo, tag + 1),
        };
        TypeSpec::Record(self.ast.push_record(spec))
    }

    /// Builds `struct tag { ... }`.
    pub fn record(&mut self, lo: u32, tag: Option<u32>, members: u32, hi: u32) -> TypeSpec {
        let members = take(&mut self.members, members);
        let spec = RecordSpec {
            is_union: self.is_union(lo),
            tag: tag.map(|at| self.symbol(at)),
            tag_tok: tag.unwrap_or(lo),
            members: Some(members),
            span: span(lo, hi),
        };
        TypeSpec::Record(self.ast.push_record(spec))
    }

    /// The structure, union or enumeration of the current external declaration whose `}` is in front of token `end`.
    pub fn record_up_to(&self, end: u32) -> Option<TypeSpec> {
        let from = self.item_start;
        let ends = |span: Span| span.hi == end && span.lo >= from;
        let records = self.ast.records.iter().enumerate().rev();
        let mut records = records.take_while(|(_, record)| record.span.lo >= from);
        let enums = self.ast.enums.iter().enumerate().rev();
        let mut enums = enums.take_while(|(_, list)| list.span.lo >= from);
        let record = records.find(|(_, record)| record.members.is_some() && ends(record.span));
        let list = enums.find(|(_, list)| list.items.is_some() && ends(list.span));
        record
            .map(|(at, _)| TypeSpec::Record(RecordId(at as u32)))
            .or_else(|| list.map(|(at, _)| TypeSpec::Enum(EnumId(at as u32))))
    }

    /// Makes a node of a structure, union or enumeration at file scope whose last token the parser has read.
    pub fn read_record(&mut self, keyword: u32, tag: Option<u32>, hi: u32) -> Option<TypeSpec> {
        let is_enum = self.tokens[keyword as usize].kind == TokenKind::Enum;
        match is_enum {
            true if !self.enumerators.is_empty() => Some(self.enumeration(keyword, tag, 0, hi)),
            false if !self.members.is_empty() => Some(self.record(keyword, tag, 0, hi)),
            true | false => None,
        }
    }

    /// Returns the index at which the members of a record begin.
    pub fn member_base(&mut self) -> u32 {
        self.members.len() as u32
    }

    /// Adds a member declaration, whose declarators begin at `fields`.
    pub fn member(&mut self, specs: SpecsId, fields: u32, lo: u32, hi: u32) {
        let declarators = take(&mut self.fields, fields);
        let Specs {
            storage, span: at, ..
        } = self.ast[specs];
        if storage != 0 {
            self.complain(
                at,
                "storage class or function specifier in the declaration of a member",
            );
        }
        self.members.push(Member::Fields {
            specs,
            declarators,
            span: span(lo, hi),
        });
    }

    /// Adds a `_Static_assert` among members.
    pub fn member_assert(&mut self, check: StaticAssert) {
        self.members.push(Member::StaticAssert(check));
    }

    /// Returns the index at which the declarators of a member declaration begin.
    pub fn field_base(&mut self) -> u32 {
        self.fields.len() as u32
    }

    /// Adds one declarator of a member declaration. Returns its index.
    pub fn field(
        &mut self,
        declarator: Option<DeclaratorId>,
        bits: Option<ExprId>,
        lo: u32,
        hi: u32,
    ) -> u32 {
        self.fields.push(FieldDeclarator {
            declarator,
            bits,
            span: span(lo, hi),
        });
        self.fields.len() as u32 - 1
    }

    /// Builds `enum tag` without a body.
    pub fn enum_ref(&mut self, lo: u32, tag: u32) -> TypeSpec {
        let spec = EnumSpec {
            tag: Some(self.symbol(tag)),
            tag_tok: tag,
            items: None,
            span: span(lo, tag + 1),
        };
        TypeSpec::Enum(self.ast.push_enum(spec))
    }

    /// Builds `enum tag { ... }`.
    pub fn enumeration(&mut self, lo: u32, tag: Option<u32>, items: u32, hi: u32) -> TypeSpec {
        let items = take(&mut self.enumerators, items);
        let spec = EnumSpec {
            tag: tag.map(|at| self.symbol(at)),
            tag_tok: tag.unwrap_or(lo),
            items: Some(items),
            span: span(lo, hi),
        };
        TypeSpec::Enum(self.ast.push_enum(spec))
    }

    /// Adds an enumerator, whose scope begins after its value (C11 6.2.1p7). Returns its index.
    pub fn enumerator(&mut self, tok: u32, value: Option<ExprId>) -> u32 {
        let name = self.symbol(tok);
        self.names.declare(name, false);
        self.enumerators.push(Enumerator { name, tok, value });
        self.enumerators.len() as u32 - 1
    }

    // Declarators.

    /// Builds a declarator that consists of a name.
    pub fn name_declarator(&mut self, at: u32) -> DeclaratorId {
        let name = Some(self.symbol(at));
        self.ast.push_declarator(Declarator {
            name,
            name_tok: at,
            derived: Vec::new(),
            span: span(at, at + 1),
        })
    }

    /// Builds an empty abstract declarator before token `at`.
    pub fn empty_declarator(&mut self, at: u32) -> DeclaratorId {
        self.ast.push_declarator(Declarator {
            name: None,
            name_tok: at,
            derived: Vec::new(),
            span: span(at, at),
        })
    }

    /// Adds a `*`, with the qualifiers at `quals`, in front of a declarator.
    pub fn pointer(&mut self, id: DeclaratorId, quals: Option<u32>, lo: u32) -> DeclaratorId {
        let quals = match quals {
            Some(list) => take(&mut self.quals, list).pop().unwrap_or_default(),
            None => Quals::default(),
        };
        let declarator = &mut self.ast.declarators[id.0 as usize];
        declarator.derived.push(Derived::Pointer(quals));
        declarator.span.lo = lo;
        id
    }

    /// Puts parentheses around a declarator. The scope that they opened is not one: its declarations stay.
    pub fn grouped(&mut self, mark: Mark, id: DeclaratorId, lo: u32, hi: u32) -> DeclaratorId {
        self.names.forget(mark);
        self.ast.declarators[id.0 as usize].span = span(lo, hi);
        id
    }

    /// Appends the suffix read last to a declarator.
    pub fn suffixed(&mut self, id: DeclaratorId, hi: u32) -> DeclaratorId {
        let suffix = self.suffixes.pop();
        let declarator = &mut self.ast.declarators[id.0 as usize];
        declarator.derived.extend(suffix);
        declarator.span.hi = hi;
        id
    }

    /// Reads `[ ... ]`.
    pub fn array_suffix(&mut self, size: ArraySize, quals: u16, is_static: bool, lo: u32, hi: u32) {
        let quals = Quals {
            bits: quals,
            ..Quals::default()
        };
        self.suffixes.push(Derived::Array {
            size,
            quals,
            is_static,
            span: span(lo, hi),
        });
    }

    /// The bit of a qualifier inside `[ ]`.
    pub fn qualifier_bit(&self, at: u32) -> u16 {
        self.tokens[at as usize].kind.qualifier_bit()
    }

    /// Reads `( ... )` of a function declarator, whose parameters begin at `params`.
    pub fn function_suffix(
        &mut self,
        mark: Mark,
        params: Option<u32>,
        variadic: bool,
        lo: u32,
        hi: u32,
    ) {
        let params = params.map_or_else(Vec::new, |base| take(&mut self.params, base));
        self.end_params(mark, Params::Prototype { params, variadic }, lo, hi);
    }

    /// Reads `( a, b )` of an old-style definition.
    pub fn names_suffix(&mut self, mark: Mark, names: u32, lo: u32, hi: u32) {
        let names = take(&mut self.param_names, names);
        self.end_params(mark, Params::Names(names), lo, hi);
    }

    fn end_params(&mut self, mark: Mark, params: Params, lo: u32, hi: u32) {
        let changed = self.names.close_and_keep(mark);
        if !changed.is_empty() {
            self.parameter_scopes.insert(lo, changed);
        }
        self.suffixes.push(Derived::Function {
            params,
            span: span(lo, hi),
        });
    }

    /// Adds a parameter, whose name is visible to the parameters after it. Returns its index.
    pub fn param(&mut self, specs: SpecsId, declarator: DeclaratorId, lo: u32, hi: u32) -> u32 {
        if let Some(name) = self.ast[declarator].name {
            self.names.declare(name, false);
        }
        let Specs {
            storage: words,
            span: at,
            ..
        } = self.ast[specs];
        if words & !storage::REGISTER != 0 {
            self.complain(
                at,
                "storage class or function specifier in the declaration of a parameter",
            );
        }
        self.params.push(Param {
            specs,
            declarator,
            forward: false,
            span: span(lo, hi),
        });
        self.params.len() as u32 - 1
    }

    /// Returns the index of the next parameter.
    pub fn param_base(&self) -> u32 {
        self.params.len() as u32
    }

    /// Marks the parameters in front of a `;` as forward declarations.
    pub fn forward_params(&mut self, from: u32, to: u32) {
        for param in &mut self.params[from as usize..to as usize] {
            param.forward = true;
        }
    }

    /// Adds a name of an old-style parameter list. Returns its index.
    pub fn param_name(&mut self, at: u32) -> u32 {
        let name = self.symbol(at);
        self.param_names.push((name, at));
        self.param_names.len() as u32 - 1
    }

    /// Builds a type name; `declarator` is abstract.
    pub fn type_name(
        &mut self,
        specs: SpecsId,
        declarator: DeclaratorId,
        lo: u32,
        hi: u32,
    ) -> TypeNameId {
        let Specs {
            storage, span: at, ..
        } = self.ast[specs];
        if storage != 0 {
            self.complain(at, "storage class or function specifier in a type name");
        }
        self.ast.push_type_name(TypeName {
            specs,
            declarator,
            span: span(lo, hi),
        })
    }

    // Declarations.

    fn declare(&mut self, specs: SpecsId, declarator: DeclaratorId) {
        if let Some(name) = self.ast[declarator].name {
            let is_typedef = self.ast[specs].storage & storage::TYPEDEF != 0;
            self.names.declare(name, is_typedef);
        }
    }

    /// Begins a declaration with its specifiers and first declarator: the scope of the name begins after them (C11
    /// 6.2.1p7).
    pub fn first_declarator(
        &mut self,
        specs: SpecsId,
        declarator: DeclaratorId,
    ) -> (Declaring, DeclaratorId) {
        self.declare(specs, declarator);
        (
            Declaring {
                specs,
                base: self.init_declarators.len() as u32,
            },
            declarator,
        )
    }

    /// Adds `, declarator`.
    pub fn next_declarator(
        &mut self,
        so_far: Declaring,
        declarator: DeclaratorId,
    ) -> (Declaring, DeclaratorId) {
        self.declare(so_far.specs, declarator);
        (so_far, declarator)
    }

    /// Finishes an init-declarator, after what follows its declarator has been read.
    pub fn init_declarator(
        &mut self,
        (so_far, declarator): (Declaring, DeclaratorId),
        asm_label: Option<Span>,
        init: Option<InitId>,
        hi: u32,
    ) -> Declaring {
        let span = span(self.ast[declarator].span.lo, hi);
        self.init_declarators.push(InitDeclarator {
            declarator,
            asm_label,
            init,
            span,
        });
        so_far
    }

    /// Finishes a declaration at its `;`.
    pub fn declaration(&mut self, so_far: Declaring, lo: u32, hi: u32) -> DeclId {
        let declarators = take(&mut self.init_declarators, so_far.base);
        let kind = DeclKind::Vars {
            specs: so_far.specs,
            declarators,
        };
        self.ast.push_decl(Declaration {
            kind,
            span: span(lo, hi),
        })
    }

    /// Builds a declaration without declarators.
    pub fn empty_declaration(&mut self, specs: SpecsId, lo: u32, hi: u32) -> DeclId {
        let kind = DeclKind::Vars {
            specs,
            declarators: Vec::new(),
        };
        self.ast.push_decl(Declaration {
            kind,
            span: span(lo, hi),
        })
    }

    /// Builds a `_Static_assert` declaration.
    pub fn assert_declaration(&mut self, check: StaticAssert) -> DeclId {
        self.ast.push_decl(Declaration {
            kind: DeclKind::StaticAssert(check),
            span: check.span,
        })
    }

    // Function definitions.

    /// Reads the part of a function before its body or parameter declarations: declares the function and opens the
    /// scope of its parameters.
    pub fn function_head(
        &mut self,
        specs: SpecsId,
        declarator: DeclaratorId,
    ) -> Result<FunctionHead, ActionError> {
        let at = self.names.lookahead();
        let body = self
            .tokens
            .get(at as usize)
            .is_some_and(|t| t.kind == TokenKind::LBrace);
        let list = match self.ast[declarator].derived.first() {
            Some(Derived::Function {
                params: Params::Names(_),
                span,
            }) => span.lo,
            Some(Derived::Function {
                params: Params::Prototype { params, .. },
                span,
            }) if body || params.is_empty() => span.lo,
            _ => return Err(ActionError::EndOfDeclaration(at)),
        };
        self.declare(specs, declarator);
        let mark = self.names.open();
        for (name, is_typedef) in self.parameter_scopes.remove(&list).unwrap_or_default() {
            self.names.declare(name, is_typedef);
        }
        let head = FunctionHead {
            specs,
            declarator,
            mark,
            decls: self.ast.decls.len() as u32,
        };
        if self.function.is_none() {
            self.function = Some(head);
        }
        Ok(head)
    }

    /// Finishes a function after its body.
    pub fn finish_function(
        &mut self,
        head: FunctionHead,
        kr_decls: (u32, u32),
        body: StmtId,
    ) -> FunctionDef {
        self.names.close(head.mark);
        if self
            .function
            .is_some_and(|f| f.declarator == head.declarator)
        {
            self.function = None;
        }
        FunctionDef {
            specs: head.specs,
            declarator: head.declarator,
            kr_decls,
            body,
        }
    }
}

fn add_qualifier(quals: &mut Quals, kind: TokenKind, at: u32) {
    let bit = kind.qualifier_bit();
    quals.bits |= bit;
    if bit & (qual::SHARED | qual::STRICT | qual::RELAXED) != 0 {
        quals.upc_span = span(at, at + 1);
    }
    if bit & qual::STRICT != 0 {
        quals.strict.get_or_insert(span(at, at + 1));
    }
    if bit & qual::RELAXED != 0 {
        quals.relaxed.get_or_insert(span(at, at + 1));
    }
}

fn add_layout(quals: &mut Quals, layout: Layout, at: Span) {
    quals.bits |= qual::SHARED;
    quals.layouts.push((layout, at));
    quals.upc_span = at;
}
