/* The shared objects of data.c and data_other.c. */
UPCR_SHARED_EXTERN(defined_here);
UPCR_SHARED_EXTERN(common_both);
UPCR_SHARED_EXTERN(strong_here);
int other_inits(void);
upcr_pts_t other_local(void), other_common(void), other_strong(void);
