// The default code model reaches 2 GB of static data.
shared [] char half[1500000000];
shared [] char half_too[1500000000]; //~ E0520 @16 less than 2 GB
extern shared [] char elsewhere[1500000000];
