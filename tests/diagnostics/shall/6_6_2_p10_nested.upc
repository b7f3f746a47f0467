// UPC 6.6.2 p10: nested upc_forall is obsolescent: only the outermost affinity chooses the thread.

shared int a[THREADS];

void f(int n)
{
    int i, j;
    upc_forall (i = 0; i < n; i++; i)
        upc_forall (j = 0; j < n; j++; &a[j]) //~ W0703 @9 the affinity of a nested upc_forall has no effect: the outer loop has chosen the thread
            a[j] = i;
    upc_forall (i = 0; i < n; i++; continue)
        upc_forall (j = 0; j < n; j++; &a[j])
            a[j] = i;
    upc_forall (i = 0; i < n; i++; i)
        upc_forall (j = 0; j < n; j++; continue)
            a[j] = i;
}
