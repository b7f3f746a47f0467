enum color { RED; GREEN }; //~ E0100 @17 expected `}` before `;`
int f(void) { return RED; }
