/* What sky.upc shares with stars.upc. */
#ifndef SKY_H
#define SKY_H
#define STARS 7
extern shared int brightness[STARS * THREADS];
void shine(void);
#endif
