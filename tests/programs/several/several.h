extern shared int common[4 * THREADS];
extern shared int tentative;
extern shared int defined_there;
extern shared [3] int blocked_there[6 * THREADS];
extern shared int *initialised;
void other_init(void);
int other_same_name(void);
int other_sum(shared int *p);
shared int *other_place(int n);
int in_c(int n);
extern int counter_in_c;
/* A private tentative definition in a header: one object for all translation units. */
int private_tentative;
