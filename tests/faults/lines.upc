// Lines of 10 to 20,000 bytes, written in every way, on the stream that argv[1] names; the suite `faults` looks whether they are whole.
// A line: thread, length of the text, the text (the thread's letter), thread. No newline after the last word.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc.h>

enum { LINES = 60, LONGEST = 20000 };

int main(int argc, char **argv)
{
    FILE *file = argc > 1 && strcmp(argv[1], "stderr") == 0 ? stderr : stdout;
    static char text[LONGEST + 1];
    unsigned seed = (unsigned)MYTHREAD + 1;
    for (int i = 0; i < LINES; i++) {
        int length = 10 + rand_r(&seed) % (i % 2 == 0 ? LONGEST - 10 : 90);
        memset(text, 'a' + MYTHREAD, (size_t)length);
        text[length] = '\0';
        fprintf(file, "%d ", MYTHREAD);
        fprintf(file, "%d ", length);
        if (i % 4 == 0)
            fputs(text, file);
        else if (i % 4 == 1)
            fprintf(file, "%s", text);
        else if (i % 4 == 2)
            fwrite(text, 1, (size_t)length, file);
        else
            for (int j = 0; j < length; j++)
                putc(text[j], file);
        fprintf(file, " %d\n", MYTHREAD);
        if (i % 20 == 0)
            upc_barrier;
    }
    fprintf(file, "end");
    return 0;
}
