#define GREETING "good morning"
const char *greeting(void);
