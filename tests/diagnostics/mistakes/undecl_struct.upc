struct node *n;
int f(void) { return n->value + n->next->value + n->count; } //~ E0204 @22 member `value` of `struct node`, whose definition is not known here
