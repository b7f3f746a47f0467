#define N (3
int a[N]; //~ E0100 @8 expected `)` before `]`
int b;
