// flags: -funsigned-char -fshort-enums -fpack-struct=2
// question: flags that change types and layouts govern shared data as they do private data
// counts: UPC_BARRIER=2*THREADS, UPC_PUT=6*THREADS, UPC_PUT.remote=6*THREADS*(THREADS>1), UPC_GET=8*THREADS, UPC_GET.remote=0
#include <upc.h>
#include "check.h"

enum colour { RED, GREEN, BLUE };
struct cell { char c; enum colour colour; double d; char last; };
shared struct cell cells[2 * THREADS];
shared [3] char bytes[3 * THREADS];
shared enum colour colours[THREADS];

int main(void)
{
    CHECK(sizeof(struct cell) == 12 && sizeof(enum colour) == 1 && upc_elemsizeof(cells) == 12);
    CHECK(upc_localsizeof(cells) == 24 && upc_localsizeof(bytes) == 3);
    int next = (MYTHREAD + 1) % THREADS;
    cells[next].c = 200;
    cells[next].colour = BLUE;
    cells[next].d = 0.5;
    cells[THREADS + next].last = '\377';
    bytes[3 * next + 2] = 0xfe;
    colours[next] = GREEN;
    upc_barrier;
    struct cell *mine = (struct cell *)&cells[MYTHREAD];
    CHECK(mine->c == 200 && mine->colour == BLUE && mine->d == 0.5 && mine[1].last == 255);
    CHECK(cells[MYTHREAD].c > 0 && cells[MYTHREAD].c + 100 == 300 && -cells[MYTHREAD].c == -200);
    CHECK(bytes[3 * MYTHREAD + 2] == 254 && bytes[3 * MYTHREAD + 2] >> 1 == 127);
    CHECK(cells[MYTHREAD].colour - 3 < 0 && colours[MYTHREAD] == GREEN);
    switch (cells[MYTHREAD].c) {
    case '\310':
        break;
    default:
        CHECK(!"a char above 127");
    }
    return pass();
}
