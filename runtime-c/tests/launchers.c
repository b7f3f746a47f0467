/* How launchers connect: codes by the vectors of RFC 4231, the addresses that are chosen, and strangers that connect first. */
#define _GNU_SOURCE
#include "test.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "transport/messages/launcher_address.c"
#include "transport/messages/launcher_bytes.c"
#include "transport/messages/launcher_join.c"
#include "transport/messages/sha256.c"

enum { SILENT = 70, LONGEST_MS = 10000 };

/* Keys and data that are a byte repeated have a count. */
static const struct vector {
    const char *key;
    size_t key_count;
    const char *data;
    size_t data_count;
    const char *code;
} vectors[] = {
    {"\x0b", 20, "Hi There", 0, "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
    {"Jefe", 0, "what do ya want for nothing?", 0, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
    {"\xaa", 20, "\xdd", 50, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
    {"\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19", 0, "\xcd", 50,
     "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"},
    {"\xaa", 131, "Test Using Larger Than Block-Size Key - Hash Key First", 0, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
    {"\xaa", 131,
     "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the "
     "HMAC algorithm.",
     0, "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"},
};

static size_t spread(const char *text, size_t count, char *bytes)
{
    if (count == 0)
        return strlen(strcpy(bytes, text));
    memset(bytes, text[0], count);
    return count;
}

static void check_codes(void)
{
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        char key[256], data[256], text[2 * SHA256_BYTES + 1];
        uint8_t code[SHA256_BYTES];
        size_t key_bytes = spread(vectors[i].key, vectors[i].key_count, key), bytes = spread(vectors[i].data, vectors[i].data_count, data);
        sha256_hmac(key, key_bytes, data, bytes, code);
        for (int b = 0; b < SHA256_BYTES; b++)
            sprintf(text + 2 * b, "%02x", code[b]);
        CHECK(strcmp(text, vectors[i].code) == 0);
    }
}

static struct launcher_address address_of(const char *text, int prefix)
{
    struct launcher_address address = {.family = strchr(text, ':') != NULL ? AF_INET6 : AF_INET, .prefix = (uint8_t)prefix};
    CHECK(inet_pton(address.family, text, address.bytes) == 1);
    return address;
}

/* Checks that a launcher listens at exactly this address for a child; "": at all of its own. */
static void check_choice(const char *child_address, bool here, const char *expected)
{
    struct launcher_place mine = {{address_of("10.0.0.1", 20), address_of("192.168.5.1", 16), address_of("fd00::1", 64)}, "a"};
    struct launcher_place child = {{address_of(child_address, 64)}, "b"};
    struct launcher_address chosen[LAUNCHER_ADDRESSES] = {{.family = 0}};
    launcher_choose_addresses(&mine, &child, here, chosen);
    launcher_choose_addresses(&mine, &child, here, chosen);
    if (*expected == '\0') {
        CHECK(memcmp(chosen, mine.address, sizeof chosen) == 0);
        return;
    }
    struct launcher_address only = address_of(expected, 0);
    CHECK(chosen[0].family == only.family && memcmp(chosen[0].bytes, only.bytes, sizeof only.bytes) == 0 && chosen[1].family == 0);
}

static void check_addresses(void)
{
    struct launcher_address v4 = address_of("10.1.2.3", 24), v6 = address_of("fd00::7", 64);
    check_choice("10.0.15.7", false, "10.0.0.1");
    check_choice("192.168.0.9", false, "192.168.5.1");
    check_choice("fd00::9", false, "fd00::1");
    check_choice("10.0.16.1", false, "");
    check_choice("fd00:0:0:1::9", false, "");
    check_choice("10.0.0.7", true, "127.0.0.1");
    CHECK(is_allowed("ib0,eth1", "eth1", &v4) && !is_allowed("ib0,eth1", "eth0", &v4));
    CHECK(is_allowed("10.1.0.0/16", "eth0", &v4) && !is_allowed("10.2.0.0/16", "eth0", &v4) && !is_allowed("10.1.0.0/16", "eth0", &v6));
    CHECK(is_allowed("fd00::/8", "eth0", &v6) && !is_allowed("10.1.0.0/33", "eth0", &v4));
}

/* The child that has the key, or not; its status is whether it could join. */
static pid_t start_child(const struct launcher_address *at, const char *key, int ms)
{
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    struct launcher_offer offer = {.place = {.address = {*at}, .machine = "parent"}};
    memset(offer.key, key[0], sizeof offer.key);
    launcher_tree.me = 1;
    snprintf(launcher_tree.machine, sizeof launcher_tree.machine, "child");
    _exit(launcher_join_parent(&offer, join_ms() + ms));
}

static bool ends_with(pid_t pid, int status)
{
    int got;
    return waitpid(pid, &got, 0) == pid && WIFEXITED(got) && WEXITSTATUS(got) == status;
}

/* Strangers connect first: more that say nothing than the launcher keeps, one that talks, one with another key. */
static void check_join(const char *loopback)
{
    struct launcher_address at = address_of(loopback, 0);
    int listeners[LAUNCHER_ADDRESSES] = {launcher_listen(&at), -1, -1, -1, -1, -1, -1, -1}, stranger[SILENT];
    uint8_t key[LAUNCHER_KEY];
    char noise[sizeof(struct launcher_hello)] = {1};
    memset(key, 'k', sizeof key);
    CHECK(listeners[0] >= 0 && at.port != 0);
    for (int i = 0; i < SILENT; i++)
        CHECK((stranger[i] = launcher_connect(&at, LONGEST_MS)) >= 0);
    CHECK(launcher_write(stranger[0], noise, sizeof noise));
    launcher_tree.me = 0;
    launcher_tree.threads = 2;
    for (int i = 0; i < LAUNCHER_CHILDREN; i++)
        launcher_tree.child[i] = (struct launcher_peer){.thread = -1, .fd = -1};
    pid_t wrong = start_child(&at, "w", 0), child = start_child(&at, "k", LONGEST_MS);
    int64_t start = join_ms();
    CHECK(launcher_join_children(listeners, key, start + LONGEST_MS));
    CHECK(join_ms() - start < LONGEST_MS / 2);
    CHECK(launcher_tree.child[0].thread == 1 && strcmp(launcher_tree.child[0].machine, "child") == 0);
    CHECK(ends_with(child, true));
    close(listeners[0]);
    for (int i = 0; i < SILENT; i++)
        close(stranger[i]);
    CHECK(ends_with(wrong, false));
    close(launcher_tree.child[0].fd);
}

int main(void)
{
    check_codes();
    check_addresses();
    check_join("127.0.0.1");
    struct launcher_address at = address_of("::1", 0);
    if (launcher_listen(&at) >= 0)
        check_join("::1");
    else
        puts("launchers: this system has no IPv6, which is not tested");
    return 0;
}
