// UPC 6.5.1.1 p5: members of structures and unions are not shared; what they point at may be.

typedef shared [2] int two_t;

struct a { shared int x; }; //~ E0501 @23 a member cannot be shared
struct b { char *shared x; }; //~ E0501 @25
union c { shared [4] int x[4]; }; //~ E0501 @26
struct d { two_t x; }; //~ E0501 @18
struct e { struct { shared int x; } in; }; //~ E0501 @32
struct f { shared int x : 3; }; //~ E0501 @23
struct g { shared int *x; shared [4] char **y; two_t *z; int (*call)(shared int *); };
shared struct g whole;
