// UPC 6.5.1.1 p4: strict and relaxed come with shared.

typedef shared int shared_t;

strict int a; //~ E0504 @1 `strict` and `relaxed` qualify shared types only
relaxed char *b; //~ E0504 @1
int *strict c; //~ E0504 @6
void f(relaxed int x); //~ E0504 @8
struct s { strict int x; }; //~ E0504 @12
strict shared int d;
strict shared_t e;
shared int *shared strict g;
