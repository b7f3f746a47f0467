/* Events that programs report themselves. The functions of <pupc.h> have no definition of their own, because a PUPC 1.1 tool defines some of them. */
#include "gasp/gasp_runtime.h"

int upcr_inst_pupc_control(upcr_site *site, int on)
{
    (void)site;
    return gasp_control(upcr_inst_context, on);
}

upcr_u32 upcr_inst_pupc_create_event(upcr_site *site, const char *name, const char *description, ...)
{
    (void)site;
    return gasp_create_event(upcr_inst_context, name, description);
}

#define DELIVER_USER(site, tag, type)                  \
    do {                                               \
        va_list arguments;                             \
        if (!upcr_inst_on)                             \
            return;                                    \
        va_start(arguments, tag);                      \
        upcr_inst_deliver(site, tag, type, arguments); \
        va_end(arguments);                             \
    } while (0)

void upcr_inst_pupc_event_start(upcr_site *site, upcr_u32 tag, ...)
{
    DELIVER_USER(site, tag, GASP_START);
    upcr_inst_site = NULL;
}

void upcr_inst_pupc_event_end(upcr_site *site, upcr_u32 tag, ...)
{
    DELIVER_USER(site, tag, GASP_END);
}

void upcr_inst_pupc_event_atomic(upcr_site *site, upcr_u32 tag, ...)
{
    DELIVER_USER(site, tag, GASP_ATOMIC);
}
