#define WORD 5
