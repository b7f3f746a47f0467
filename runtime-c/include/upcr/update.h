/* Updates: `*p op= v`, made by the thread to which *p has affinity. They need no answer, so many travel in one message. */
#ifndef UPCR_UPDATE_H
#define UPCR_UPDATE_H

/* Integers of both signs have the same sum, and a difference is the sum with the negative value. */
enum upcr_update {
    UPCR_UPDATE_NONE,
    UPCR_UPDATE_ADD,
    UPCR_UPDATE_AND,
    UPCR_UPDATE_OR,
    UPCR_UPDATE_XOR,
    UPCR_UPDATE_ADD_FLOATING, /* float or double */
};

#endif
