/* Fatal signals of a thread. */
#ifndef UPCR_CRASH_H
#define UPCR_CRASH_H

/* Installs handlers: a fatal signal then records a crash for the job's report, and afterwards acts as it would have. */
void upcr_crash_watch(void);

#endif
