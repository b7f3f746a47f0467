/* Names of files and events that would be script in a page that did not escape them. */
#include <stdio.h>
#include <upc.h>
#include <pupc.h>

shared int a[THREADS];

#line 1 "</script><script>stolen = 1</script>.upc"
static void work(void)
{
    for (int i = 0; i < 200; i++)
        a[(MYTHREAD + 1) % THREADS] += 1;
}

#line 1 "<img src=x onerror=stolen=1>"
static void more(void)
{
    for (int i = 0; i < 200; i++)
        a[(MYTHREAD + 1) % THREADS] += 2;
}

#line 1 "\"><svg onload=stolen=1>&lt;b&gt;.upc"
int main(void)
{
    unsigned event = pupc_create_event("</script><script>stolen = 1</script>", "<b onclick='stolen = 1'>%d");
    pupc_event_start(event, 1);
    work();
    upc_barrier;
    more();
    pupc_event_end(event, 1);
    upc_barrier;
    if (MYTHREAD == 0)
        printf("PASS\n");
    return 0;
}
