// Where two declarations clash, the earlier one is shown too.
#include <upc.h>

int again; //~2 the earlier declaration
float again; //~ E0200 @7

typedef int word; //~2 the earlier declaration
typedef float word; //~ E0200

shared [4] int blocks[4 * THREADS]; //~2 the earlier declaration
extern shared [2] int blocks[4 * THREADS]; //~ E0200

shared strict int flag; //~2 the earlier declaration
extern shared relaxed int flag; //~ E0200

int full = 1; //~2 the first definition is here
int full = 2; //~ E0201

int twice(void) { return 1; } //~2 the first definition is here
int twice(void) { return 2; } //~ E0201

int open(int x); //~2 the earlier declaration
static int open(int x); //~ E0225

struct tag { int x; }; //~2 the first definition is here
struct tag { int y; }; //~ E0201

enum colour { RED }; //~2 the first definition is here
enum colour { GREEN }; //~ E0201

struct kind { int x; }; //~2 declared here
union kind *kind; //~ E0211

enum { RED }; //~ E0200
//~^^^^^^^2 declared here

struct members {
    int x; //~2 the first is here
    float x; //~ E0210
};

void parameters(int a, //~2 the first is here
    float a) //~ E0201
{
    int local; //~2 the first declaration is here
    int local; //~ E0201
}

static //~2 the first is here
    extern int storage; //~ E0202 @5 `static` and `extern`

typedef struct inner { int x; } //~2 the first is here
    static inner_t; //~ E0202

int old_style(a)
    int a; //~2 the first is here
    int a; //~ E0201
{
    return a;
}

void local_labels(void)
{
    __label__ out, //~2 the first is here
        in, out; //~ E0405
    goto out;
out:
in:
    ;
}
