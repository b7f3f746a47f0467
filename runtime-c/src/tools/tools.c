/* The bundled tools, and the choice of the one that receives events. */
#include "runtime.h"

#include <string.h>

#include "gasp_upc.h"
#include "options.h"
#include "tools/tool.h"
#include "tools/tools.def"

/* The word that `upcc -inst-toolname=WORD` put into the program at the link. If no bundled tool has that name, it is the name of the user's tool, as
   in Berkeley UPC. */
extern const char upcr_linked_tool[] __attribute__((__weak__));

static const struct upcr_tool *const tools[] = {UPCR_TOOLS(UPCR_TOOL_ADDRESS) NULL};

static const struct upcr_tool *find(const char *word)
{
    for (int i = 0; tools[i] != NULL; i++)
        if (strcmp(tools[i]->name, word) == 0)
            return tools[i];
    return NULL;
}

const struct upcr_tool *upcr_tool_choose(void)
{
    const char *word = upcr_options.tool;
    const struct upcr_tool *tool;
    if (upcr_tool_pupc_present())
        return &upcr_tool_pupc;
    if (word == NULL)
        return upcr_linked_tool != NULL ? find(upcr_linked_tool) : NULL;
    if (upcr_tool_is_library(word))
        return upcr_tool_load(word);
    tool = find(word);
    if (tool == NULL && strcmp(word, "none") != 0)
        upcr_fatal("UPC_TOOL: there is no tool '%s': give " UPCR_TOOLS(UPCR_TOOL_WORD) "none, or a shared library", word);
    return tool;
}

unsigned upcr_tool_next_event(void)
{
    static unsigned next = GASP_UPC_USEREVT_START;
    unsigned tag = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED);
    if (tag > GASP_UPC_USEREVT_END)
        upcr_die("pupc_create_event: there are only %d user events (GASP_UPC_USEREVT_START to GASP_UPC_USEREVT_END)",
                 GASP_UPC_USEREVT_END - GASP_UPC_USEREVT_START + 1);
    return tag;
}
