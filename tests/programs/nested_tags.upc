// question: tags defined inside the specifiers of shared declarations, with attributes: each is defined once, and keeps its own attributes
// counts: UPC_BARRIER=2*THREADS, UPC_PUT=5, UPC_PUT.remote=0, UPC_GET=5*THREADS, UPC_GET.remote=5*(THREADS-1)
#include "check.h"

shared struct __attribute__((packed)) { char a; int b; } before;
shared struct { char a; int b; } __attribute__((packed)) behind;
shared struct outer { struct inner { int x; } b; enum __attribute__((packed)) color { RED, GREEN } c; struct { char s; } u; } whole;
shared enum __attribute__((packed)) { LOW, HIGH } level;
struct linked { char c; struct { char q; _Alignas(16) int x; } in; shared struct linked *next; char d; } here;
struct inner private_inner;
int vectors[2] = {sizeof(int __attribute__((vector_size(16)))), 0};

int main(void)
{
    CHECK(sizeof before == 5 && sizeof behind == 5 && sizeof level == 1 && sizeof whole == 8);
    CHECK(sizeof here.in == 32 && sizeof(struct linked) == (48 + sizeof here.next + 1 + 15) / 16 * 16 && vectors[0] == 16);
    if (MYTHREAD == 0) {
        before.b = 3;
        whole.b.x = 4;
        whole.c = GREEN;
        whole.u.s = 5;
        level = HIGH;
    }
    upc_barrier;
    private_inner = whole.b;
    CHECK(before.b == 3 && private_inner.x == 4 && whole.c == GREEN && whole.u.s == 5 && level == HIGH && here.next == NULL);
    return pass();
}
