#ifdef __cplusplus
extern "C" {
#endif
/* Every thread adds what count says of its number; the sum, on every thread. */
int work(void);
int count(int thread);
#ifdef __cplusplus
}
#endif
