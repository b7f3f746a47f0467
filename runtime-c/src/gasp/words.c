/* Calls a tool that takes an event's arguments one by one. */
#include "gasp/gasp_runtime.h"

/* x86-64 and ARM pass integers and floating-point numbers in separate registers, so a function that is called with the first eight of each
   finds its arguments in any order. No event of the table has more. */
void upcr_inst_pass_words(upcr_notify_words *notify, gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line, int column,
                          va_list arguments)
{
    enum { MOST = 8 };
    long words[MOST];
    double numbers[MOST];
    va_list again;
    va_copy(again, arguments);
    for (int i = 0; i < MOST; i++)
        words[i] = va_arg(arguments, long);
    for (int i = 0; i < MOST; i++)
        numbers[i] = va_arg(again, double);
    va_end(again);
    notify(context, tag, type, file, line, column, words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7], numbers[0], numbers[1],
           numbers[2], numbers[3], numbers[4], numbers[5], numbers[6], numbers[7]);
}
