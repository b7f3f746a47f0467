//! Prints statements.

use super::super::model::*;
use super::{Does, Text, dim_text, layout};

impl Text<'_> {
    pub(super) fn body(&mut self, body: &[Stmt]) {
        for stmt in body {
            self.stmt(stmt);
        }
    }

    fn block(&mut self, head: &str, body: &[Stmt]) {
        self.open(&format!("{head} {{"));
        self.body(body);
        self.close("}");
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Store {
                target,
                op,
                value,
                into,
            } => self.store(target, *op, value, *into),
            Stmt::StorePointer { target, to } => {
                let to = self.address(to);
                let target = self.access(target, Does::Writes);
                self.line(&format!("{target} = {to};"));
            }
            Stmt::StepPointer { target, by, down } => self.step_pointer(target, *by, *down),
            Stmt::Switch { value, cases } => self.switch(value, cases),
            Stmt::Skip { .. } | Stmt::Escape { .. } | Stmt::Jump { .. } | Stmt::Leave { .. } => {
                self.jump(stmt)
            }
            Stmt::Event { event, body } => self.event(*event, body),
            Stmt::Mark { event, value } => self.mark(*event, value),
            Stmt::Uninstrumented { body } => self.uninstrumented_block(body),
            Stmt::Copy { to, from } => {
                let from = self.read(from);
                let to = self.access(to, Does::Writes);
                self.line(&format!("{to} = {from};"));
            }
            Stmt::Sum { sum, factor, value } => {
                let value = self.expr(value);
                match factor {
                    1 => self.line(&format!("x{sum} += {value};")),
                    _ => self.line(&format!("x{sum} = x{sum} * {factor} + {value};")),
                }
            }
            Stmt::If {
                test,
                then,
                otherwise,
            } => self.choice(test, then, otherwise),
            Stmt::Guard {
                owner,
                access,
                skip,
                body,
            } => self.guard(*owner, access, *skip, body),
            Stmt::Loop(of) => self.counting(of),
            Stmt::Local { .. } | Stmt::Pointer { .. } => self.declaration(stmt),
            Stmt::Derived {
                var,
                of,
                offsets,
                near,
                far,
            } => self.derived(*var, *of, *offsets, [near, far]),
            Stmt::Walk(walk) => self.walk(walk),
            Stmt::Outlined {
                object,
                pointers,
                from,
                body,
            } => self.outlined(*object, *pointers, *from, body),
            Stmt::Mine {
                object,
                pointer,
                var,
                body,
            } => self.mine(*object, *pointer, *var, body),
            Stmt::Recast {
                object,
                at,
                block,
                generic,
                offset,
                sum,
            } => {
                let (block, phase) = (*block, self.kept_phase(*object, *block, *generic));
                let way = if *generic { "(shared void *)" } else { "" };
                self.recast(*object, at, (block, way, &phase), *offset, *sum);
            }
            Stmt::Transfer(transfer) => self.transfer(transfer),
            Stmt::Locked {
                lock,
                attempt,
                body,
            } => self.locked(*lock, *attempt, body),
            Stmt::Atomic {
                target,
                op,
                operand,
                strict,
                extension,
            } => self.atomic(target, *op, operand, *strict, *extension),
            Stmt::Ordered { strict, body } => self.ordered(*strict, body),
            Stmt::Fence => {
                self.raises("UPC_FENCE");
                self.line(if self.upc { "upc_fence;" } else { ";" });
            }
        }
    }

    /// Prints a jump, or statements with the label that a jump goes to.
    fn jump(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Skip { test, label, body } => {
                let test = self.expr(test);
                self.line(&format!("if ({test})"));
                self.line(&format!("    goto skip{label};"));
                self.body(body);
                self.line(&format!("skip{label}: ;"));
            }
            Stmt::Escape { label, body } => {
                self.body(body);
                self.line(&format!("out{label}: ;"));
            }
            Stmt::Jump { test, label } => {
                let test = self.expr(test);
                self.line(&format!("if ({test})"));
                self.line(&format!("    goto out{label};"));
            }
            Stmt::Leave { test, ends } => {
                let test = self.expr(test);
                self.line(&format!("if ({test})"));
                self.line(if *ends { "    break;" } else { "    continue;" });
            }
            _ => {}
        }
    }

    fn guard(&mut self, owner: Owner, access: &Access, skip: bool, body: &[Stmt]) {
        let owned = self.owned(owner, access);
        match skip {
            true => {
                self.line(&format!("if (!({owned}))"));
                self.line("    continue;");
                self.body(body);
            }
            false => self.block(&format!("if ({owned})"), body),
        }
    }

    /// Prints a block that declares a variable.
    fn declaration(&mut self, stmt: &Stmt) {
        let (line, body) = match stmt {
            Stmt::Local { var, value, body } => {
                let value = self.expr(value);
                (format!("long i{var} = {value};"), body)
            }
            Stmt::Pointer { pointer, to, body } => {
                let value = self.address(to);
                let target = self.target(to.object);
                (format!("{target} *p{pointer} = {value};"), body)
            }
            _ => return,
        };
        self.open("{");
        self.line(&line);
        self.body(body);
        self.close("}");
    }

    fn ordered(&mut self, strict: bool, body: &[Stmt]) {
        self.open("{");
        if self.upc {
            let order = if strict { "strict" } else { "relaxed" };
            self.line(&format!("#pragma upc {order}"));
        }
        self.body(body);
        self.close("}");
    }

    fn step_pointer(&mut self, target: &Access, by: u32, down: bool) {
        let Leaf::Pointer(to) = self.program.leaf(target) else {
            return;
        };
        let (read, step, set) = (
            self.read(target),
            self.access(target, Does::Updates),
            self.access(target, Does::Writes),
        );
        let (test, sign, end) = match down {
            true => (
                format!("{read} - B{to}_ >= {by}"),
                "-",
                format!("N{to}_ - 1"),
            ),
            false => (
                format!("{read} - B{to}_ + {by} < N{to}_"),
                "+",
                "0".to_string(),
            ),
        };
        self.line(&format!("if ({test})"));
        match by {
            1 => self.line(&format!("    {step}{sign}{sign};")),
            2 => self.line(&format!("    {sign}{sign}{step}, {step} {sign}= 1;")),
            by => self.line(&format!("    {step} {sign}= {by};")),
        }
        self.line("else");
        self.line(&format!("    {set} = B{to}_ + ({end});"));
    }

    fn choice(&mut self, test: &Expr, then: &[Stmt], otherwise: &[Stmt]) {
        let test = self.expr(test);
        self.open(&format!("if ({test}) {{"));
        self.body(then);
        if !otherwise.is_empty() {
            self.depth -= 1;
            self.open("} else {");
            self.body(otherwise);
        }
        self.close("}");
    }

    fn store(&mut self, target: &Access, op: Op, value: &Expr, into: Option<usize>) {
        let does = match op {
            Op::Set => Does::Writes,
            _ => Does::Updates,
        };
        let value = self.expr(value);
        let value = match self.program.leaf(target) {
            // The value has so few bits that the sums of many are exact.
            Leaf::Scalar(scalar) if scalar.is_complex() => format!("mix_({value})"),
            Leaf::Scalar(scalar) if scalar.is_floating() => format!("(long)(({value}) & 255)"),
            _ => value,
        };
        let lvalue = self.access(target, does);
        let text = match op {
            Op::Set => format!("{lvalue} = {value}"),
            Op::Add => format!("{lvalue} += {value}"),
            Op::Sub => format!("{lvalue} -= {value}"),
            Op::Mul => format!("{lvalue} *= {value}"),
            Op::Xor => format!("{lvalue} ^= {value}"),
            Op::Or => format!("{lvalue} |= {value}"),
            Op::And => format!("{lvalue} &= {value}"),
            Op::Shl => format!("{lvalue} <<= 1"),
            Op::Shr => format!("{lvalue} >>= 1"),
            Op::Increment => format!("{lvalue}++"),
            Op::Decrement => format!("{lvalue}--"),
            Op::BeforeIncrement => format!("++{lvalue}"),
        };
        match into {
            Some(sum) => self.line(&format!("x{sum} += (long)({text});")),
            None => self.line(&format!("{text};")),
        }
    }

    /// Returns the first value, the end and the kind of the numbers of a span.
    fn bounds(&self, span: Span) -> (String, String) {
        let less = |size: String, margin: u32| match margin {
            0 => size,
            _ => format!("{size} - {margin}"),
        };
        match span {
            Span::Shape {
                shape,
                scale: 1,
                margin,
            } => (margin.to_string(), less(format!("S{shape}_"), margin)),
            Span::Shape {
                shape,
                scale,
                margin,
            } => (
                margin.to_string(),
                less(format!("S{shape}_ / {scale}"), margin),
            ),
            Span::Dim { shape, dim, margin } => {
                let size = dim_text(self.program.shapes[shape].dims[dim]);
                (margin.to_string(), less(size, margin))
            }
            Span::Rest {
                shape,
                from,
                margin,
            } => (margin.to_string(), format!("S{shape}_ - {}", from + margin)),
            Span::Count(count) => ("0".to_string(), count.to_string()),
        }
    }

    fn counting(&mut self, of: &Loop) {
        let (low, high) = self.bounds(of.span);
        let ty = match (of.unsigned, of.wide) {
            (false, false) => "int",
            (true, false) => "unsigned",
            (false, true) => "long",
            (true, true) => "size_t",
        };
        let i = format!("i{}", of.var);
        if of.pragma {
            self.line("#pragma GCC ivdep");
        }
        let step = match of.step {
            1 => format!("{i}++"),
            by => format!("{i} += {by}"),
        };
        match &of.kind {
            LoopKind::For if of.down => {
                // The variable is signed, because it ends below 0.
                let by = of.step;
                let head = format!("for (long {i} = {high} - 1; {i} >= {low}; {i} -= {by})");
                self.block(&head, &of.body);
            }
            LoopKind::For => {
                let head = format!("for ({ty} {i} = {low}; {i} < {high}; {step})");
                self.block(&head, &of.body);
            }
            LoopKind::While => {
                self.open("{");
                self.line(&format!("{ty} {i} = {low} - {};", of.step));
                let head = format!("while (({i} += {}) < {high})", of.step);
                self.block(&head, &of.body);
                self.close("}");
            }
            LoopKind::DoWhile => {
                self.open("{");
                self.line(&format!("{ty} {i} = {low};"));
                self.open(&format!("if ({i} < {high}) do {{"));
                self.body(&of.body);
                self.close(&format!("}} while (({i} += {}) < {high});", of.step));
                self.close("}");
            }
            LoopKind::Again => {
                self.open("{");
                self.line(&format!("{ty} {i} = {low};"));
                self.open(&format!("if ({i} < {high}) {{"));
                self.line(&format!("again{}: ;", of.var));
                self.body(&of.body);
                self.line(&format!("if (({i} += {}) < {high})", of.step));
                self.line(&format!("    goto again{};", of.var));
                self.close("}");
                self.close("}");
            }
            LoopKind::Stride { offset } => {
                // -n is n * (THREADS - 1) modulo THREADS.
                let first = format!("(MYTHREAD + ({low} + {offset}) * (THREADS - 1)) % THREADS");
                let head =
                    format!("for ({ty} {i} = {low} + {first}; {i} < {high}; {i} += THREADS)");
                self.block(&head, &of.body);
            }
            LoopKind::Forall(affinity) => {
                self.raises("UPC_FORALL");
                let head = self.forall(affinity, &format!("{ty} {i} = {low}"), &i, &high, &step);
                self.block(&head, &of.body);
            }
        }
    }

    fn forall(
        &mut self,
        affinity: &Affinity,
        first: &str,
        i: &str,
        high: &str,
        step: &str,
    ) -> String {
        let (text, thread) = match affinity {
            Affinity::None => (String::new(), None),
            Affinity::Continue => ("continue".to_string(), None),
            Affinity::Number {
                of,
                over,
                spread,
                shift,
            } => {
                let number = self.number(of);
                let text = match (over, spread) {
                    (_, true) if *shift == 0 => format!("({number}) * THREADS / {over}"),
                    (_, true) => format!("({number}) * THREADS / {over} + {shift}"),
                    (1, false) => format!("{number} + {shift}"),
                    (_, false) => format!("({number}) / {over} + {shift}"),
                };
                (text.clone(), Some(format!("({text}) % THREADS")))
            }
            Affinity::Address(access) => match self.upc {
                true => (self.address(access), None),
                false => (String::new(), Some(self.thread_of(access))),
            },
        };
        match (self.upc, thread) {
            (true, _) => format!("upc_forall ({first}; {i} < {high}; {step}; {text})"),
            (false, None) => format!("for ({first}; {i} < {high}; {step})"),
            // Inside another loop that distributes its iterations, a thread executes all iterations.
            (false, Some(thread)) => {
                let (name, value) = first.split_once('=').unwrap_or((first, ""));
                format!(
                    "for ({name}= (forall_++,{value}); {i} < {high} || (forall_--, 0); {step}) \
                     if (forall_ > 1 || {thread} == MYTHREAD)"
                )
            }
        }
    }

    fn walk(&mut self, walk: &Walk) {
        let (object, p) = (walk.object, format!("p{}", walk.pointer));
        let target = self.target(object);
        let first = format!("B{object}_ + {}", walk.margin);
        let end = format!("B{object}_ + (N{object}_ - {})", walk.margin);
        let times = format!("(N{object}_ - {}) / {}", 2 * walk.margin, walk.step);
        let counted = matches!(walk.kind, WalkKind::Counted | WalkKind::Backwards);
        let start = match walk.kind {
            WalkKind::Backwards => end.clone(),
            _ => first,
        };
        if !walk.outlined {
            self.open("{");
            self.line(&format!("{target} *{p} = {start};"));
            match counted {
                true => self.line(&format!("long n{} = {times};", walk.pointer)),
                false => self.line(&format!("{target} *e{} = {end};", walk.pointer)),
            }
            self.walk_loop(walk);
            self.close("}");
            return;
        }
        let name = format!("walk{}", self.next);
        self.next += 1;
        let second = match counted {
            true => format!("long n{}", walk.pointer),
            false => format!("{target} *e{}", walk.pointer),
        };
        let head = format!("static void {name}({target} *{p}, {second}) {{");
        self.helper(&head, |text| text.walk_loop(walk));
        let second = if counted { &times } else { &end };
        self.line(&format!("{name}({start}, {second});"));
    }

    /// Prints a function in front of the one that is being printed.
    fn helper(&mut self, head: &str, body: impl FnOnce(&mut Self)) {
        let depth = std::mem::replace(&mut self.depth, 0);
        let outer = std::mem::take(&mut self.out);
        // A pragma reaches no further than the text around it.
        let uncounted = std::mem::replace(&mut self.uncounted, false);
        self.open(head);
        body(self);
        self.close("}");
        self.uncounted = uncounted;
        let helper = std::mem::replace(&mut self.out, outer);
        self.helpers.push_str(&helper);
        self.depth = depth;
    }

    /// Prints a function that is called with pointers to two elements of an object.
    fn outlined(&mut self, object: usize, [p, q]: [Var; 2], [a, b]: [u32; 2], body: &[Stmt]) {
        let target = self.target(object);
        let name = format!("shift{}", self.next);
        self.next += 1;
        let head = format!("static void {name}({target} *p{p}, {target} *p{q}) {{");
        self.helper(&head, |text| text.body(body));
        self.line(&format!("{name}(B{object}_ + {a}, B{object}_ + {b});"));
    }

    fn walk_loop(&mut self, walk: &Walk) {
        let number = walk.pointer;
        let step = match walk.step {
            1 => format!("p{number}++"),
            by => format!("p{number} += {by}"),
        };
        match walk.kind {
            WalkKind::ToEnd => {
                let head = format!("for (; p{number} != e{number}; {step})");
                self.block(&head, &walk.body);
            }
            WalkKind::Before => {
                let head = format!("for (; p{number} < e{number}; {step})");
                self.block(&head, &walk.body);
            }
            WalkKind::Counted => {
                let head = format!("for (; n{number} > 0; n{number}--, {step})");
                self.block(&head, &walk.body);
            }
            WalkKind::Backwards => {
                self.open(&format!("while (n{number}-- > 0) {{"));
                self.line(&format!("p{number} -= {};", walk.step));
                self.body(&walk.body);
                self.close("}");
            }
        }
    }

    fn mine(&mut self, object: usize, pointer: Var, var: Var, body: &[Stmt]) {
        let element = self.element(object);
        self.open(&format!("if (COUNT{object}_ > 0) {{"));
        if self.upc {
            self.line(&format!(
                "{element} *l{pointer} = ({element} *)&B{object}_[FIRST{object}_];"
            ));
        }
        let head = format!("for (long i{var} = 0; i{var} < COUNT{object}_; i{var}++)");
        self.block(&head, body);
        self.close("}");
    }

    /// Returns the phase that a pointer to element `k_` has after the cast (UPC 6.4.3p2, p3).
    fn kept_phase(&self, object: usize, block: u32, generic: bool) -> String {
        let own = self.program.block(object);
        match block > 1 && own > 0 && (generic || block == own) {
            true => format!("k_ % {own}"),
            false => "0".to_string(),
        }
    }

    fn recast(
        &mut self,
        object: usize,
        at: &Expr,
        (block, way, phase): (u32, &str, &str),
        offset: u32,
        sum: usize,
    ) {
        let at = self.expr(at);
        let element = self.element(object);
        let run = self.program.run_of(object);
        self.open("{");
        self.line(&format!("long k_ = (unsigned long)({at}) % N{object}_;"));
        self.line(&format!(
            "long g_ = remap_(THREADS, N{object}_, {run}, k_, {block}, {phase}, {offset});"
        ));
        let value = match (self.upc, self.uncounted) {
            (true, _) => format!(
                "(({}{element} *){way}&B{object}_[k_])[{offset}]",
                layout(block, self.program.objects[object].strict)
            ),
            (false, true) => format!("B{object}_[g_]"),
            (false, false) => format!("*R_(T{object}_(g_), &B{object}_[g_])"),
        };
        self.line("if (g_ >= 0)");
        self.line(&format!(
            "    x{sum} += {};",
            self.number_in(object, &value)
        ));
        self.close("}");
    }
}
