//! UPC's requirements on declarations of shared objects (UPC 6.5.2).

use super::*;
use crate::types::Size;

/// Largest portion of a shared object on one thread, in bytes: the address range of the widest pointer-to-shared.
const LARGEST_PORTION: u64 = 1 << 47;

impl Context<'_> {
    /// Checks that no shared object has automatic storage duration (UPC 6.5.2p9). Returns the corrected type and
    /// storage class. An automatic object declared by GNU `typeof` of a shared expression, as macros do, has that type
    /// without its UPC qualifiers.
    pub(super) fn check_shared(
        &mut self,
        ty: QualType,
        storage: u16,
        level: Level,
        declared: &Declared,
        from_typeof: bool,
    ) -> (QualType, u16) {
        if !self.types.is_shared(ty) {
            return (ty, storage);
        }
        let span = declared.name_span;
        let name = match declared.name {
            Some(name) => self.name(name),
            None => "",
        };
        if has(storage, storage::THREAD | storage::REGISTER) {
            let message = format!("`{name}` is shared, so it cannot be thread-local or `register`");
            let help = "remove `shared` or the storage class";
            self.error(codes::SHARED_THREAD_LOCAL, span, message, help);
            let kept = storage & !(storage::THREAD | storage::REGISTER);
            return (ty, kept | storage::STATIC);
        }
        let automatic = level != Level::File && !has(storage, storage::STATIC | storage::EXTERN);
        if automatic && from_typeof && declared.derived == 0 {
            return (self.types.unshared(ty), storage);
        }
        if automatic || has(storage, storage::AUTO) {
            let message = format!("shared object `{name}` with automatic storage duration");
            let help = "make it `static shared`, move it to file scope, or use a pointer-to-shared (`shared T *p`)";
            // What a lock lacks is reported where its size is needed.
            if self.lock_help(ty).is_none() {
                self.error(codes::SHARED_AUTOMATIC, span, message, help);
            }
            return (ty, storage & !storage::AUTO | storage::STATIC);
        }
        (ty, storage)
    }

    /// Checks that, in the dynamic THREADS environment, a shared array with a definite block size has THREADS as a
    /// factor of one dimension (UPC 6.5.2.1p2).
    pub(super) fn check_threads(&mut self, ty: QualType, storage: u16, span: Span) {
        let Some((_, block)) = self.types.shared_elem(ty) else {
            return;
        };
        let is_array = self.types.is_array(ty);
        // A length known only at run time has its own message.
        let complete = self.types.is_complete(ty) && !self.is_variable(ty);
        if self.opts.static_threads.is_none()
            && is_array
            && complete
            && block != 0
            && !self.counts_threads(ty)
        {
            let message = format!(
                "the number of elements of `{}` does not depend on THREADS",
                self.show(ty)
            );
            let help = "multiply one dimension by THREADS, use `shared []` to keep it on one thread, or compile with `-T=N`";
            self.error(codes::THREADS_REQUIRED, span, message, help);
            return;
        }
        let portion = match self.types.size_of(ty) {
            Some(Size::Fixed(n)) if block == 0 => n,
            Some(Size::Fixed(n)) => n / u64::from(self.opts.static_threads.unwrap_or(1).max(1)),
            Some(Size::PerThread(n)) => n,
            Some(Size::Variable) | None => return,
        };
        if portion > LARGEST_PORTION && !has(storage, storage::EXTERN) {
            let message =
                format!("{portion} bytes of this object would have affinity to one thread");
            self.error(
                codes::SHARED_TOO_LARGE,
                span,
                message,
                "make the array smaller",
            );
        }
    }

    /// Reports an initialiser of a shared array whose size depends on THREADS.
    pub(super) fn check_shared_initializer(&mut self, ty: QualType, span: Span) {
        if self.counts_threads(ty) && self.types.is_shared(ty) {
            let message = "a shared array whose size depends on THREADS cannot have an initialiser";
            let help =
                "assign the elements in a loop at the start of `main`, or compile with `-T=N`";
            self.error(codes::SHARED_INITIALIZER, span, message, help);
        }
    }

    /// Reports `[*]` in a typedef, which UPC 6.5.1.1p6 forbids.
    pub(super) fn typedef_star(&mut self, ty: QualType, span: Span) -> QualType {
        if !self.has_star(ty) {
            return ty;
        }
        let message = "layout qualifier `[*]` in a typedef: the block size can be computed only in the declaration of an array";
        let help = "give the block size, or put `shared [*]` into the declaration of the array";
        self.error(codes::STAR_IN_TYPEDEF, span, message, help);
        self.replace_star(ty, 1)
    }
}
