//! Prints `main`: the phases, one after the other, and the output at the end.

use super::super::model::*;
use super::Text;

impl Text<'_> {
    /// Prints the check of all objects that a thread makes after each phase.
    pub(super) fn report(&mut self, used: &[usize]) {
        let objects = self.program.objects.len();
        self.open("static void report(int phase) {");
        self.open("if (MYTHREAD == phase % THREADS) {");
        for &object in used {
            let place = format!("results_[phase * {objects} + {object}]");
            match self.upc {
                true => self.line(&format!("{place} = hash{object}();")),
                false => self.line(&format!("*W_(0, &{place}) = hash{object}();")),
            }
        }
        self.close("}");
        self.close("}");
    }

    pub(super) fn main(&mut self) {
        self.open("int main(void) {");
        self.all("setup();");
        if !self.upc {
            self.line("memset(counts_, 0, sizeof counts_);");
            self.line("memset(events_, 0, sizeof events_);");
            self.all_raise("UPC_BARRIER");
        }
        for (number, phase) in self.program.phases.iter().enumerate() {
            let mut barrier = "upc_barrier;".to_string();
            let mut split = None;
            match phase {
                Phase::Collective(_) => self.line(&format!("phase{number}();")),
                Phase::Compute {
                    split: inner,
                    named,
                    ..
                } => {
                    self.all_without_barrier(&format!("phase{number}();"));
                    if *named {
                        barrier = format!("upc_barrier {number} * THREADS;");
                    }
                    split = inner.as_ref();
                }
            }
            match (self.upc, split) {
                (true, Some(_)) => {
                    // A value that only one of them has is compared with nothing.
                    let (notify, wait) = match (barrier != "upc_barrier;", number % 3) {
                        (true, _) => (format!(" {number}"), format!(" {number}")),
                        (false, 0) => (String::new(), String::new()),
                        (false, 1) => (String::new(), format!(" {number}")),
                        (false, _) => (format!(" {number}"), String::new()),
                    };
                    self.line(&format!("upc_notify{notify};"));
                    self.line(&format!("split{number}();"));
                    self.line(&format!("upc_wait{wait};"));
                }
                (true, None) => self.line(&barrier),
                (false, Some(_)) => {
                    self.all_without_barrier(&format!("split{number}();"));
                    self.all_raise("UPC_NOTIFY");
                    self.all_raise("UPC_WAIT");
                }
                (false, None) => self.all_raise("UPC_BARRIER"),
            }
            self.all(&format!("report({number});"));
            self.all_raise("UPC_BARRIER");
        }
        self.line("finish();");
        self.line("return 0;");
        self.close("}");
    }

    /// Prints the output of the program's results.
    pub(super) fn finish(&mut self) {
        let phases = self.program.phases.len();
        self.open("static void finish(void) {");
        match self.upc {
            true => self.end_of_upc(phases),
            false => self.end_of_oracle(phases),
        }
        self.close("}");
    }

    /// Prints a part that every thread executes.
    pub(super) fn all_without_barrier(&mut self, text: &str) {
        match self.upc {
            true => self.line(text),
            false => self.line(&format!(
                "for (MYTHREAD = 0; MYTHREAD < THREADS; MYTHREAD++) {text}"
            )),
        }
        if !self.upc {
            self.line("MYTHREAD = 0;");
        }
    }

    /// Prints that the oracle counts an event of every thread.
    pub(super) fn all_raise(&mut self, event: &str) {
        if !self.upc {
            self.line(&format!(
                "for (int t_ = 0; t_ < THREADS; t_++) events_[t_][{event}]++;"
            ));
        }
    }

    pub(super) fn all(&mut self, text: &str) {
        self.all_without_barrier(text);
        if self.upc {
            self.line("upc_barrier;");
        }
    }

    fn print_results(&mut self, phases: usize) {
        let objects = self.program.objects.len();
        self.line(&format!("for (int p = 0; p < {phases}; p++)"));
        self.line(&format!("    for (int o = 0; o < {objects}; o++)"));
        self.line(&format!(
            "        printf(\"phase %d a%d %016lx\\n\", p, o, results_[p * {objects} + o]);"
        ));
    }

    fn end_of_upc(&mut self, phases: usize) {
        for sum in 0..SUMS {
            self.line(&format!("sums_[MYTHREAD * {SUMS} + {sum}] = x{sum};"));
        }
        self.line("upc_barrier;");
        self.open("if (MYTHREAD == 0) {");
        self.print_results(phases);
        self.line("for (int t = 0; t < THREADS; t++)");
        self.line(&format!("    for (int s = 0; s < {SUMS}; s++)"));
        self.line(&format!(
            "        printf(\"thread %d x%d %016lx\\n\", t, s, sums_[t * {SUMS} + s]);"
        ));
        self.close("}");
    }

    fn end_of_oracle(&mut self, phases: usize) {
        self.print_results(phases);
        self.line("for (int t = 0; t < THREADS; t++)");
        self.line(&format!("    for (int s = 0; s < {SUMS}; s++)"));
        self.line("        printf(\"thread %d x%d %016lx\\n\", t, s, x_[t][s]);");
        self.line("for (int t = 0; t < THREADS; t++)");
        self.line(
            "    printf(\"counts %d %ld %ld %ld %ld\\n\", t, counts_[t][0], counts_[t][1], counts_[t][2], counts_[t][3]);",
        );
        self.line("for (int t = 0; t < THREADS; t++)");
        self.line("    for (int e = 0; e < EVENTS_; e++)");
        self.line("        printf(\"event %d %s %ld\\n\", t, names_[e], events_[t][e]);");
    }
}
