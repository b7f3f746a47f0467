//! Shared structs, members, bit-fields; structs with pointers-to-shared in them.

use crate::assert_translation;

#[test]
fn members_of_shared_structs() {
    assert_translation!(
        r#"
struct point { int x, y; struct { short a[4]; } in; };
shared struct point s, a[10*THREADS];
int f(shared struct point *p, int i)
{
    s.x = s.y;
    a[i].y += p->x;
    p->in.a[i] = a[3].in.a[2];
    shared [] short *q = &p->in.a[1];
    shared [] int *r = &s.x;
    return q[i] + *r;
}
"#
    );
}

#[test]
fn assignment_in_all_directions() {
    assert_translation!(
        r#"
struct pair { int a, b; };
shared struct pair s, t;
struct pair get(void);
void take(struct pair);
int f(struct pair p, struct pair *q)
{
    s = p;
    p = s;
    s = t;
    *q = t = s;
    s = get();
    take(s);
    return get().a + (s = t).b;
}
"#
    );
}

#[test]
fn bit_fields() {
    assert_translation!(
        r#"
struct flags { unsigned ready : 1; int level : 5; struct { unsigned deep : 3; }; };
typedef struct { struct { int w : 4; } in; } holder;
shared struct flags f1;
shared holder h;
int f(shared struct flags *p)
{
    f1.ready = 1;
    p->level = f1.level + 1;
    p->level++;
    p->deep = 2;
    h.in.w ^= 3;
    return p->deep - 5 < 0;
}
"#
    );
}

#[test]
fn list_across_threads() {
    assert_translation!(
        r#"
struct node { int value; shared struct node *next; };
typedef shared struct node node_t;
int length(node_t *head)
{
    int n = 0;
    for (node_t *p = head; p; p = p->next)
        n += p->value;
    return n + head->next->next->value;
}
"#
    );
}

#[test]
fn records_with_pointers_to_shared() {
    assert_translation!(
        r#"
typedef struct {
    shared [] double *data;
    int n : 4, m;
    union { shared int *i; char c; };
    struct inner { shared char *s[2]; } in;
    double tail[];
} __attribute__((aligned(16))) mixed;
double f(mixed *m, int i)
{
    m->i = 0;
    m->in.s[i]++;
    m->data = m->data + m->n;
    return m->data[i] + *m->in.s[1] + m->tail[2];
}
"#
    );
}

#[test]
fn unions_and_compound_literals() {
    assert_translation!(
        r#"
shared int x;
union u { shared int *p; long n; };
struct s { shared int *p; int n; };
int use(struct s);
int f(int i)
{
    union u u = { &x };
    struct s s = { .n = i, .p = &x };
    s = (struct s){ u.p, 2 };
    return use((struct s){ &x, i }) + *s.p;
}
"#
    );
}

#[test]
fn packed_members() {
    assert_translation!(
        r#"
struct in { char c; long l; };
struct __attribute__((packed)) packed { char c; int i; struct in in; int bits : 9; int n[2]; };
strict shared struct packed s;
long f(shared [] struct packed *p, struct in *in, int k)
{
    p->c = 1;
    p->i += 2;
    *in = p->in = *in;
    p->in.l++;
    p->n[k] = p->bits;
    s.bits = k;
    return s.n[1] + p->n[k];
}
"#
    );
}
