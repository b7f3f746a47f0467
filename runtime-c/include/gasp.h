/* <gasp.h>: the Global Address Space Performance tool interface, version 1.5, for tools. C, C++ and UPC; docs/events.md says how a tool is
   linked. */
#pragma GCC system_header
#ifndef UPCR_GASP_H
#define UPCR_GASP_H

#include <stdarg.h>

#define GASP_VERSION 20060914

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { GASP_MODEL_UPC, GASP_MODEL_TITANIUM, GASP_MODEL_CAF, GASP_MODEL_MPI, GASP_MODEL_SHMEM } gasp_model_t;

/* Their names before version 1.5. */
#define GASP_LANG_UPC      GASP_MODEL_UPC
#define GASP_LANG_TITANIUM GASP_MODEL_TITANIUM
#define GASP_LANG_CAF      GASP_MODEL_CAF
#define GASP_LANG_MPI      GASP_MODEL_MPI
#define GASP_LANG_SHMEM    GASP_MODEL_SHMEM
typedef gasp_model_t gasp_lang_t;

typedef enum { GASP_START, GASP_END, GASP_ATOMIC } gasp_evttype_t;

/* What the tool keeps for a thread. */
struct _gasp_context_S;
typedef struct _gasp_context_S *gasp_context_t;

/* A tool defines these. Each thread calls the first before main; the job has started, and the tool may change argc and argv. Where the
   position of an event is not known, filename is null and the numbers are 0; a filename stays valid and may be compared by address. */
extern gasp_context_t gasp_init(gasp_model_t srcmodel, int *argc, char ***argv);
extern void gasp_event_notify(gasp_context_t context, unsigned int evttag, gasp_evttype_t evttype, const char *filename, int linenum, int colnum, ...);
extern void gasp_event_notifyVA(gasp_context_t context, unsigned int evttag, gasp_evttype_t evttype, const char *filename, int linenum, int colnum,
                                va_list varargs);
extern int gasp_control(gasp_context_t context, int on);
extern unsigned int gasp_create_event(gasp_context_t context, const char *name, const char *desc);

#ifdef __cplusplus
}
#endif

/* Events of C and of UPC */
#include "gasp_upc.h"

#endif
