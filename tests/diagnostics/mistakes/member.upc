struct point { int x; int y; };
int f(struct point *p) { return p.x + p->z; } //~ E0312 @34 a `struct point *` has no members: `x` cannot be accessed //~ E0312 @42 `struct point` has no member `z`
