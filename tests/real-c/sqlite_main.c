/* Runs the SQL text of a file in a memory database and prints every row: the sqlite3 half of the suite real-c. */
#include <stdio.h>
#include <stdlib.h>
#include "sqlite3.h"

static int print_row(void *unused, int columns, char **values, char **names)
{
    (void)unused;
    for (int i = 0; i < columns; i++)
        printf("%s%s=%s", i ? "|" : "", names[i], values[i] ? values[i] : "NULL");
    putchar('\n');
    return 0;
}

static char *read_file(const char *name)
{
    FILE *file = fopen(name, "rb");
    char *text = NULL;
    size_t used = 0, room = 0;
    if (!file)
        return NULL;
    for (int c; (c = getc(file)) != EOF;) {
        if (used + 1 >= room && !(text = realloc(text, room = room * 2 + 4096)))
            return NULL;
        text[used++] = (char)c;
    }
    fclose(file);
    if (text)
        text[used] = 0;
    return text;
}

int main(int argc, char **argv)
{
    sqlite3 *db;
    char *error = NULL;
    char *sql = argc > 1 ? read_file(argv[1]) : NULL;
    if (!sql || sqlite3_open(":memory:", &db) != SQLITE_OK)
        return 2;
    if (sqlite3_exec(db, sql, print_row, NULL, &error) != SQLITE_OK) {
        printf("error: %s\n", error);
        return 1;
    }
    printf("memory high water nonzero: %d\n", sqlite3_memory_highwater(0) > 0);
    sqlite3_close(db);
    free(sql);
    return 0;
}
