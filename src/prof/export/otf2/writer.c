/* Writes an OTF2 archive from the lines of standard input, by means of the OTF2 library: upcprof export --format otf2 compiles and starts this program.

   usage: writer FOLDER NAME

   E LANE TIME REGION       the lane enters a region
   X LANE TIME REGION       it leaves it
   G LANE TIME PEER BYTES   it has read from the memory of the thread PEER, by an operation that ends now
   P LANE TIME PEER BYTES   it has written to it
   r REGION ROLE LINE       a region; its name, and the name of its file, are the next lines
   l LANE THREAD            a lane; its name is the next line. The lanes 0 to THREADS - 1 are the first pthreads of the threads
   t THREADS FIRST LAST START   the last line: times in nanoseconds since the start, the start in nanoseconds since 1970

   All events come before all definitions, and the regions and lanes in the order of their numbers. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <otf2/otf2.h>

enum { MOST_LINE = 1 << 16 };

static OTF2_Archive *archive;
static OTF2_GlobalDefWriter *definitions;
static OTF2_EvtWriter **lanes;
static uint64_t lane_count;
static uint32_t strings;
static char line[MOST_LINE];

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static void check(OTF2_ErrorCode code)
{
    if (code != OTF2_SUCCESS)
        fail(OTF2_Error_GetDescription(code));
}

static OTF2_FlushType before_flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
    (void)data, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static OTF2_TimeStamp after_flush(void *data, OTF2_FileType type, OTF2_LocationRef location)
{
    (void)data, (void)type, (void)location;
    return 0;
}

static OTF2_FlushCallbacks flushes = {.otf2_pre_flush = before_flush, .otf2_post_flush = after_flush};

/* Returns the writer of a lane, made when its first event comes. */
static OTF2_EvtWriter *lane(uint64_t number)
{
    if (number >= lane_count) {
        lanes = realloc(lanes, (number + 1) * sizeof *lanes);
        if (lanes == NULL)
            fail("out of memory");
        memset(lanes + lane_count, 0, (number + 1 - lane_count) * sizeof *lanes);
        lane_count = number + 1;
    }
    if (lanes[number] == NULL)
        lanes[number] = OTF2_Archive_GetEvtWriter(archive, number);
    if (lanes[number] == NULL)
        fail("no writer of events");
    return lanes[number];
}

static void event(char kind, uint64_t number, uint64_t time, uint64_t what, uint64_t bytes)
{
    static uint64_t transfers;
    OTF2_EvtWriter *of = lane(number);
    switch (kind) {
    case 'E':
        check(OTF2_EvtWriter_Enter(of, NULL, time, (OTF2_RegionRef)what));
        return;
    case 'X':
        check(OTF2_EvtWriter_Leave(of, NULL, time, (OTF2_RegionRef)what));
        return;
    case 'G':
        check(OTF2_EvtWriter_RmaGet(of, NULL, time, 0, (uint32_t)what, bytes, ++transfers));
        break;
    default:
        check(OTF2_EvtWriter_RmaPut(of, NULL, time, 0, (uint32_t)what, bytes, ++transfers));
        break;
    }
    check(OTF2_EvtWriter_RmaOpCompleteBlocking(of, NULL, time, 0, transfers));
}

static OTF2_StringRef string(const char *text)
{
    check(OTF2_GlobalDefWriter_WriteString(definitions, strings, text));
    return strings++;
}

static const char *next_line(void)
{
    if (fgets(line, sizeof line, stdin) == NULL)
        return NULL;
    line[strcspn(line, "\n")] = '\0';
    return line;
}

static OTF2_StringRef next_string(void)
{
    const char *text = next_line();
    return string(text != NULL ? text : "");
}

static void region(uint32_t number, uint64_t role, uint32_t first_line)
{
    const OTF2_StringRef name = next_string(), file = next_string();
    check(OTF2_GlobalDefWriter_WriteRegion(definitions, number, name, name, 0, (OTF2_RegionRole)role, OTF2_PARADIGM_UPC, OTF2_REGION_FLAG_NONE, file,
                                           first_line, first_line));
}

/* Each thread is a group of its lanes. */
static void define_lane(uint64_t number, uint32_t thread)
{
    uint64_t events = 0;
    const OTF2_StringRef name = next_string();
    check(OTF2_EvtWriter_GetNumberOfEvents(lane(number), &events));
    if (number == thread)
        check(OTF2_GlobalDefWriter_WriteLocationGroup(definitions, thread, name, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP));
    check(OTF2_GlobalDefWriter_WriteLocation(definitions, number, name, OTF2_LOCATION_TYPE_CPU_THREAD, events, thread));
}

/* The window by which threads access one another's memory. */
static void define_memory(uint32_t threads)
{
    uint64_t *members = malloc((threads + 1) * sizeof *members);
    if (members == NULL)
        fail("out of memory");
    for (uint32_t i = 0; i < threads; i++)
        members[i] = i;
    check(OTF2_GlobalDefWriter_WriteGroup(definitions, 0, string("UPC threads"), OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_UPC, OTF2_GROUP_FLAG_NONE,
                                          threads, members));
    check(OTF2_GlobalDefWriter_WriteGroup(definitions, 1, string("all threads"), OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_UPC, OTF2_GROUP_FLAG_NONE, threads,
                                          members));
    const OTF2_StringRef name = string("shared memory");
    check(OTF2_GlobalDefWriter_WriteComm(definitions, 0, name, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    check(OTF2_GlobalDefWriter_WriteRmaWin(definitions, 0, name, 0, OTF2_RMA_WIN_FLAG_NONE));
    free(members);
}

static void begin_definitions(void)
{
    for (uint64_t i = 0; i < lane_count; i++)
        if (lanes[i] != NULL) {
            OTF2_DefWriter *of = OTF2_Archive_GetDefWriter(archive, i);
            check(OTF2_Archive_CloseDefWriter(archive, of));
        }
    definitions = OTF2_Archive_GetGlobalDefWriter(archive);
    (void)string("");
    check(OTF2_GlobalDefWriter_WriteParadigm(definitions, OTF2_PARADIGM_UPC, string("UPC"), OTF2_PARADIGM_CLASS_PROCESS));
    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions, 0, string("machine"), string("machine"), OTF2_UNDEFINED_SYSTEM_TREE_NODE));
}

int main(int count, char **words)
{
    uint64_t numbers[4];
    char kind = 0;
    if (count != 3)
        fail("usage: writer FOLDER NAME");
    archive = OTF2_Archive_Open(words[1], words[2], OTF2_FILEMODE_WRITE, 1 << 20, 4 << 20, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive == NULL)
        fail("the archive cannot be made");
    check(OTF2_Archive_SetFlushCallbacks(archive, &flushes, NULL));
    check(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
    check(OTF2_Archive_OpenEvtFiles(archive));
    while (kind != 't' && next_line() != NULL) {
        memset(numbers, 0, sizeof numbers);
        (void)sscanf(line, "%c %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, &kind, &numbers[0], &numbers[1], &numbers[2], &numbers[3]);
        if (strchr("EXGP", kind) != NULL) {
            event(kind, numbers[0], numbers[1], numbers[2], numbers[3]);
            continue;
        }
        if (definitions == NULL) {
            check(OTF2_Archive_OpenDefFiles(archive));
            begin_definitions();
        }
        if (kind == 'r')
            region((uint32_t)numbers[0], numbers[1], (uint32_t)numbers[2]);
        else if (kind == 'l')
            define_lane(numbers[0], (uint32_t)numbers[1]);
    }
    if (kind != 't')
        fail("the input ends early");
    define_memory((uint32_t)numbers[0]);
    check(OTF2_GlobalDefWriter_WriteClockProperties(definitions, 1000000000, numbers[1], numbers[2] - numbers[1] + 1, numbers[3]));
    check(OTF2_Archive_CloseDefFiles(archive));
    for (uint64_t i = 0; i < lane_count; i++)
        check(OTF2_Archive_CloseEvtWriter(archive, lanes[i]));
    check(OTF2_Archive_CloseEvtFiles(archive));
    check(OTF2_Archive_Close(archive));
    return 0;
}
