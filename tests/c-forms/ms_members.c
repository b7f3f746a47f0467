// -fms-extensions
// Records with a tag and typedef names as unnamed members.

extern int printf(const char *, ...);

struct point { int x, y; };
typedef struct { char red, blue; } colour;
struct pixel {
    struct point;
    colour;
    union depth { int near; float far; };
    int z;
};

static struct pixel pixels[] = {{{1, 2}, {3, 4}, {5}, 6}, {.y = 7, .blue = 8, .near = 9}};

int main(void) {
    struct pixel *p = &pixels[1];
    p->x += p->y + p->blue + p->near;
    printf("%d %d %d %d\n", p->x, pixels[0].red, pixels[0].z, (int)sizeof *p);
    return 0;
}
