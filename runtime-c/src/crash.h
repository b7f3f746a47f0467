/* Fatal signals of a thread. */
#ifndef UPCR_CRASH_H
#define UPCR_CRASH_H

/* From now on a fatal signal leaves a note for the job's report and then acts as it would have. */
void upcr_crash_watch(void);

#endif
