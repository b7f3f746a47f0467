// question: main gets its arguments and environment, standard output of all threads arrives, unflushed output too
// threads: 1 3 8
// set: UPC_TEST_WORD=hello
// stdout: thread 0 says hello
// counts: UPC_BARRIER=THREADS, C_FUNC=2*THREADS
#include "check.h"
#include <stdlib.h>
#include <string.h>

int main(int argc, char *argv[], char **envp)
{
    const char *word = getenv("UPC_TEST_WORD");
    CHECK(argc == 1 && argv[0] && argv[1] == NULL && envp && envp[0]);
    CHECK(word && !strcmp(word, "hello"));
    printf("thread %d says %s\n", MYTHREAD, word);
    return pass();
}
