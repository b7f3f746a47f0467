//! Prints types as a C programmer writes them: `shared [4] int *`, `int (*)[3]`.

use super::*;
use std::fmt::Write;
use upcc_grammar::symbol::Interner;

/// The text printed for the tag of a type without one.
pub const ANONYMOUS: &str = "<anonymous>";

impl Types {
    /// Returns the type name.
    pub fn display(&self, qt: QualType, names: &Interner) -> String {
        self.declare(qt, "", names)
    }

    /// Returns the declaration of `name` with the type: `int (*f)(void)`.
    pub fn declare(&self, qt: QualType, name: &str, names: &Interner) -> String {
        let mut declarator = name.to_string();
        let mut qt = qt;
        // Proceed from the name outwards; a pointer in front of an array or function needs parentheses.
        loop {
            match self.get(qt.ty) {
                &Type::Pointer(to) => {
                    let quals = qual_prefix(qt);
                    declarator = format!(
                        "*{}{declarator}",
                        if declarator.is_empty() {
                            quals.trim_end()
                        } else {
                            &quals
                        }
                    );
                    if matches!(self.get(to.ty), Type::Array(..) | Type::Function(_)) {
                        declarator = format!("({declarator})");
                    }
                    qt = to;
                }
                &Type::Array(elem, len) => {
                    // Writing to a String cannot fail.
                    let _ = match len {
                        ArrayLen::Fixed(n) => write!(declarator, "[{n}]"),
                        ArrayLen::PerThread(1) => write!(declarator, "[THREADS]"),
                        ArrayLen::PerThread(n) => write!(declarator, "[{n}*THREADS]"),
                        ArrayLen::Incomplete => write!(declarator, "[]"),
                        ArrayLen::Variable(_) => write!(declarator, "[*]"),
                    };
                    qt = elem;
                }
                Type::Function(f) => {
                    declarator.push_str(&self.params(f, names));
                    qt = f.ret;
                }
                _ => break,
            }
        }
        let base = format!("{}{}", qual_prefix(qt), self.base_name(qt.ty, names));
        match declarator.chars().next() {
            None => base,
            Some('[') if name.is_empty() => base + &declarator,
            Some(_) => format!("{base} {declarator}"),
        }
    }

    fn params(&self, f: &FuncType, names: &Interner) -> String {
        if !f.prototype {
            return "()".to_string();
        }
        let mut list: Vec<String> = f.params.iter().map(|&p| self.display(p, names)).collect();
        if f.variadic {
            list.push("...".to_string());
        } else if list.is_empty() {
            list.push("void".to_string());
        }
        format!("({})", list.join(", "))
    }

    fn base_name(&self, ty: TypeId, names: &Interner) -> String {
        match *self.get(ty) {
            Type::Void => "void".into(),
            Type::Int(kind) => kind.name().into(),
            Type::Float(kind) => kind.name().into(),
            Type::Complex(kind) => format!("_Complex {}", kind.name()),
            Type::ComplexInt(kind) => format!("_Complex {}", kind.name()),
            Type::Enum(id) => tagged("enum", self.enumeration(id).tag, names),
            Type::Record(id) => {
                let record = self.record(id);
                tagged(
                    if record.is_union { "union" } else { "struct" },
                    record.tag,
                    names,
                )
            }
            Type::Vector(elem, bytes) => {
                format!(
                    "__attribute__((vector_size({bytes}))) {}",
                    self.display(QualType::plain(elem), names)
                )
            }
            Type::VaList => "__builtin_va_list".into(),
            Type::Typedef(id) => names.name(self.typedef(id).name).into(),
            Type::Unknown => "<unknown type>".into(),
            // `declare` removes these.
            Type::Pointer(_) | Type::Array(..) | Type::Function(_) => String::new(),
        }
    }
}

fn tagged(keyword: &str, tag: Option<Symbol>, names: &Interner) -> String {
    match tag {
        Some(tag) => format!("{keyword} {}", names.name(tag)),
        None => format!("{keyword} {ANONYMOUS}"),
    }
}

/// The qualifiers, each followed by a space.
fn qual_prefix(qt: QualType) -> String {
    let mut text = String::new();
    for (bit, name) in QUAL_NAMES {
        if qt.quals.has(bit) {
            text.push_str(name);
            if bit == Quals::SHARED {
                match qt.block {
                    0 => text.push_str(" []"),
                    1 => {}
                    n => text.push_str(&format!(" [{n}]")),
                }
            }
            text.push(' ');
        }
    }
    text
}

const QUAL_NAMES: [(Quals, &str); 7] = [
    (Quals::STRICT, "strict"),
    (Quals::RELAXED, "relaxed"),
    (Quals::SHARED, "shared"),
    (Quals::CONST, "const"),
    (Quals::VOLATILE, "volatile"),
    (Quals::RESTRICT, "restrict"),
    (Quals::ATOMIC, "_Atomic"),
];

impl Quals {
    /// Returns the qualifiers as a message names them: `const` and `strict`.
    pub fn words(self) -> String {
        let names = QUAL_NAMES.iter().filter(|&&(bit, _)| self.has(bit));
        let quoted: Vec<String> = names.map(|(_, name)| format!("`{name}`")).collect();
        quoted.join(" and ")
    }
}

impl IntKind {
    /// The C name.
    pub const fn name(self) -> &'static str {
        match self {
            IntKind::Bool => "_Bool",
            IntKind::Char | IntKind::UnsignedPlainChar => "char",
            IntKind::SChar => "signed char",
            IntKind::UChar => "unsigned char",
            IntKind::Short => "short",
            IntKind::UShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UInt => "unsigned int",
            IntKind::Long => "long",
            IntKind::ULong => "unsigned long",
            IntKind::LongLong => "long long",
            IntKind::ULongLong => "unsigned long long",
            IntKind::Int128 => "__int128",
            IntKind::UInt128 => "unsigned __int128",
        }
    }
}

impl FloatKind {
    /// The C name.
    pub const fn name(self) -> &'static str {
        match self {
            FloatKind::Float16 => "_Float16",
            FloatKind::Float => "float",
            FloatKind::Double => "double",
            FloatKind::LongDouble => "long double",
            FloatKind::Float32 => "_Float32",
            FloatKind::Float64 => "_Float64",
            FloatKind::Float128 => "_Float128",
            FloatKind::Float32x => "_Float32x",
            FloatKind::Float64x => "_Float64x",
            FloatKind::Decimal32 => "_Decimal32",
            FloatKind::Decimal64 => "_Decimal64",
            FloatKind::Decimal128 => "_Decimal128",
        }
    }
}
