/* In place of the bundled tools: one that says what the runtime asks of it. */
#include "runtime.h"

#include <stdio.h>
#include <unistd.h>

#include "tools/tool.h"

static gasp_context_t init(int *argc, char ***argv)
{
    (void)argv;
    return *argc > 0 ? (gasp_context_t)&upcr_inst_site : NULL;
}

static void notify(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column, va_list arguments)
{
    bool same = upcr_inst_site == NULL ? file == NULL : file == upcr_inst_site->file && (int)upcr_inst_site->line == line;
    if (context != (gasp_context_t)&upcr_inst_site || !same || column > 100)
        printf("wrong place\n");
    if (tag == GASP_C_FUNC || tag == GASP_UPC_FORALL)
        printf("thread %d: %c\n", UPCR_MYTHREAD, "SEA"[type]);
    if (tag == GASP_UPC_NONCOLLECTIVE_EXIT || tag == GASP_UPC_COLLECTIVE_EXIT)
        printf("thread %d: exit %c %d at %d\n", UPCR_MYTHREAD, "SEA"[type], va_arg(arguments, int), line);
}

static void rescue(int signal)
{
    char line[] = "thread 0: rescued\n";
    (void)signal;
    line[7] = (char)('0' + UPCR_MYTHREAD);
    if (write(STDOUT_FILENO, line, sizeof line - 1) < 0)
        _exit(99);
}

static void finish(int status, bool collective)
{
    (void)collective;
    printf("thread %d: finished %d\n", UPCR_MYTHREAD, status);
}

static const struct upcr_tool tool = {
    .name = "test",
    .init = init,
    .notify = notify,
    .rescue = rescue,
    .finish = finish,
};

const struct upcr_tool *upcr_tool_choose(void)
{
    return &tool;
}

/* Few, so that they run out. */
unsigned upcr_tool_next_event(void)
{
    static unsigned next = GASP_UPC_USEREVT_START;
    if (next == GASP_UPC_USEREVT_START + 5)
        upcr_die("no more events");
    return next++;
}
