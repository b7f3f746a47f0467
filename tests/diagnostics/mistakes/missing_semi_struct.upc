struct p { int x; int y; } //~ E0100 @27 expected `;` after `}`
int f(struct p *a) { return a->x; }
int g(struct p *a) { return a->y; }
