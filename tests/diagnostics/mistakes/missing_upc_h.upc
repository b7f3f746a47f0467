shared int x;
int main(void)
{
    shared int *p = upc_all_alloc(THREADS, 4); //~ E0300 @21 `upc_all_alloc` is not declared
    upc_lock_t *l = upc_all_lock_alloc();
    upc_lock(l);
    x = MYTHREAD;
    upc_unlock(l);
    upc_barrier;
    return *p;
}
