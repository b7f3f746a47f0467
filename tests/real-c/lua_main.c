/* Runs a Lua script: the Lua half of the suite real-c. */
#include <stdio.h>
#include "lua.h"
#include "lualib.h"
#include "lauxlib.h"

int main(int argc, char **argv)
{
    lua_State *state = luaL_newstate();
    int status;
    if (!state || argc < 2)
        return 2;
    luaL_openlibs(state);
    status = luaL_dofile(state, argv[1]);
    if (status)
        printf("error: %s\n", lua_tostring(state, -1));
    lua_close(state);
    return status;
}
