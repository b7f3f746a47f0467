/* The contract between emitted code and the runtime (README.md in this folder).

   Emitted C includes this file first and then holds the user's own, already preprocessed text. So nothing here may
   include a system header, use a library macro, or define a name that does not begin with upcr_ or UPCR_. Everything
   compiles as gnu89 and later, with gcc and clang. */
#ifndef UPCR_UPCR_H
#define UPCR_UPCR_H

#include "upcr/base.h"
#include "upcr/divide.h"
#ifdef UPCR_PTS_STRUCT
#include "upcr/pts_struct.h"
#else
#include "upcr/pts_packed.h"
#endif
#include "upcr/data.h"
#include "upcr/dwarf.h"
#include "upcr/access.h"
#include "upcr/atomic_inline.h"
#include "upcr/sync.h"
#ifdef UPCR_CHECKS
#include "upcr/checks.h"
#endif
#ifdef UPCR_INST
#include "upcr/inst.h"
#endif

#endif
