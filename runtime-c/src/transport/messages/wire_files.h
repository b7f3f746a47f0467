/* The folder of the files by which the wire's processes on a machine share memory. */
#ifndef UPCR_MESSAGES_WIRE_FILES_H
#define UPCR_MESSAGES_WIRE_FILES_H

/* The variable of the environment by which the wire finds the folder; NULL: it leaves no files behind. The wire defines
   it, as what wire.h declares. */
extern const char *const wire_files_variable;

/* Called before the fork: makes the folder of the job's files on this machine. In the thread, when the wire has started:
   the variable has the user's value again. */
void net_files_start(void);
void net_files_started(void);

/* In the launcher, when its thread has ended normally; when the job has failed. The files of the whole machine go then. */
void net_files_end(void);
void net_files_remove(void);

#endif
