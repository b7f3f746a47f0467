/* Writes dirty bytes back: those in the masks, packed into one message for each destination. */
#include "cache/bulk.h"

enum {
    SEGMENTS = 512,        /* of one message, at most */
    BUCKETS = 64,          /* chains by which a flush sorts lines by thread */
    PART_BYTES = 16 << 10, /* of lines that the sender sends at once */
    FEW = 2 * UPCR_CACHE_VICTIMS,
    SHORT_BYTES = 32,
};

static struct upcr_iov iov[SEGMENTS];
static size_t iov_count;

/* Which thread sends lines: the main thread, which waits for long segments and measures, or the sender, whose segments are short enough to be
   copied at once. */
struct sending {
    struct upcr_cache_counts *counts;
    struct upcr_batch *puts; /* NULL: the main thread's */
    size_t longest;          /* largest bytes of a segment of the iovec */
};

static const struct sending by_main = {&upcr_cache.counts, NULL, SIZE_MAX};

/* Whether segments fill only a small part of a message. The transport collects short puts of several evictions, and sends them as one. */
static bool are_few(void)
{
    size_t short_ones = 0;
    while (short_ones < iov_count && iov[short_ones].n <= SHORT_BYTES)
        short_ones++;
    return iov_count <= FEW && short_ones == iov_count;
}

static void put_one_by_one(size_t thread)
{
    for (size_t i = 0; i < iov_count; i++)
        upcr_tp_put(upcr_make(thread, 0, iov[i].offset), iov[i].bytes, iov[i].n);
}

static void send_to(const struct sending *sending, size_t thread)
{
    if (iov_count == 0)
        return;
    if (sending->puts != NULL) {
        upcr_tp_start_put_iov((int)thread, iov, iov_count, sending->puts);
    } else {
        uint64_t begin = upcr_cost_begin(UPCR_COST_IOV);
        if (are_few())
            put_one_by_one(thread);
        else
            upcr_tp_put_iov((int)thread, iov, iov_count);
        upcr_cost_end(UPCR_COST_IOV, begin, iov_count);
    }
    sending->counts->puts++;
    iov_count = 0;
}

/* Returns the first bit from `from` on that is set (or clear, if `flip` is all ones) in `count` words; 64 * count if none is. */
static size_t next_bit(const uint64_t *words, size_t count, size_t from, uint64_t flip)
{
    for (size_t word = from / 64; word < count; word++) {
        uint64_t bits = words[word] ^ flip;
        if (word == from / 64)
            bits &= ~(uint64_t)0 << from % 64;
        if (bits != 0)
            return word * 64 + (size_t)__builtin_ctzll(bits);
    }
    return count * 64;
}

/* Each run of dirty bytes in a line becomes a segment of the iovec. */
static void pack(const struct sending *sending, uint32_t slot)
{
    const uint64_t *dirty = upcr_cached_dirty(slot);
    uint64_t tag = upcr_cache.line[slot].tag;
    size_t words = upcr_cache.line_bytes / 64, to;
    for (size_t from = next_bit(dirty, words, 0, 0); from < words * 64; from = next_bit(dirty, words, to, 0)) {
        to = next_bit(dirty, words, from, ~(uint64_t)0);
        if (to - from > sending->longest)
            to = from + sending->longest;
        if (iov_count == SEGMENTS)
            send_to(sending, upcr_cached_thread(tag));
        iov[iov_count++] = (struct upcr_iov){upcr_cached_offset(tag) + from, upcr_cached_data(slot) + from, to - from};
        sending->counts->bytes_out += to - from;
    }
    sending->counts->lines_out++;
}

static void clean(uint32_t slot)
{
    memset(upcr_cached_dirty(slot), 0, upcr_cache.line_bytes / 64 * sizeof(uint64_t));
    upcr_cache.line[slot].state &= (uint8_t)~UPCR_LINE_DIRTY;
}

static void pack_and_clean(uint32_t slot)
{
    pack(&by_main, slot);
    clean(slot);
}

static bool is_dirty_of(uint32_t slot, size_t thread)
{
    const struct upcr_cached *line = &upcr_cache.line[slot];
    return line->tag != 0 && (line->state & UPCR_LINE_DIRTY) != 0 && upcr_cached_thread(line->tag) == thread;
}

void upcr_writeback_line(uint32_t slot)
{
    size_t thread = upcr_cached_thread(upcr_cache.line[slot].tag);
    pack_and_clean(slot);
    for (uint32_t victim = upcr_cache.lines; victim < upcr_cache.lines + UPCR_CACHE_VICTIMS; victim++)
        if (is_dirty_of(victim, thread))
            pack_and_clean(victim);
    send_to(&by_main, thread);
    /* Bytes of these lines that were known only because they were written are no longer known. */
    for (uint32_t victim = upcr_cache.lines; victim < upcr_cache.lines + UPCR_CACHE_VICTIMS; victim++)
        if (victim != slot && upcr_cache.line[victim].tag != 0 && (upcr_cache.line[victim].state & (UPCR_LINE_FULL | UPCR_LINE_DIRTY)) == 0)
            upcr_cached_drop(victim);
}

/* Sends the lines of one chain, one thread after the other. */
static void send_chain(const struct sending *sending, uint32_t chain)
{
    while (chain != UPCR_NO_SLOT) {
        size_t thread = upcr_cached_thread(upcr_cache.line[chain].tag);
        uint32_t left = UPCR_NO_SLOT, next;
        for (uint32_t slot = chain; slot != UPCR_NO_SLOT; slot = next) {
            next = upcr_cache.next_listed[slot];
            if (upcr_cached_thread(upcr_cache.line[slot].tag) == thread) {
                pack(sending, slot);
            } else {
                upcr_cache.next_listed[slot] = left;
                left = slot;
            }
        }
        send_to(sending, thread);
        chain = left;
    }
}

/* Sends the dirty bytes in the lines of some slots; returns the number of lines. The masks stay. */
static uint32_t send_slots(const struct sending *sending, const uint32_t *slots, uint32_t count)
{
    uint32_t chains[BUCKETS], dirty = 0;
    for (size_t i = 0; i < BUCKETS; i++)
        chains[i] = UPCR_NO_SLOT;
    /* Backwards, so that the chains have the order of the list, which is probably the order in which the program walked through memory. */
    for (uint32_t i = count; i-- != 0;) {
        uint32_t slot = slots[i];
        const struct upcr_cached *line = &upcr_cache.line[slot];
        if (line->tag == 0 || (line->state & UPCR_LINE_DIRTY) == 0)
            continue;
        uint32_t *chain = &chains[upcr_cached_thread(line->tag) % BUCKETS];
        upcr_cache.next_listed[slot] = *chain;
        *chain = slot;
        dirty++;
    }
    for (size_t i = 0; dirty != 0 && i < BUCKETS; i++)
        send_chain(sending, chains[i]);
    return dirty;
}

/* Forgets all lines. */
static void forget(void)
{
    for (uint32_t i = 0; i < upcr_cache.listed_count; i++) {
        uint32_t slot = upcr_cache.listed[i];
        upcr_cache.counts.invalidated += upcr_cache.line[slot].tag != 0;
        upcr_cached_drop(slot);
        upcr_cache.line[slot].state = 0;
    }
    upcr_cache.listed_count = upcr_cache.written_count = 0;
    upcr_collect_note(UPCR_COLLECTOR_CACHE, 0);
    upcr_cache.victims = 0;
    upcr_cache.next_victim = 0;
}

/* Lines stay in their slots, and lines that are known only because they were written keep their tags, so nothing changes for reads of the main
   thread in between. */
bool upcr_cache_send_some(struct upcr_batch *puts)
{
    struct sending by_sender = {&upcr_cache.sent, puts, UPCR_IOV_MOST};
    uint32_t most = PART_BYTES >> upcr_cache.shift, count = upcr_cache.written_count < most ? upcr_cache.written_count : most;
    if (count == 0 || !upcr_tp_may_put())
        return count != 0;
    (void)send_slots(&by_sender, upcr_cache.written, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = upcr_cache.written[i];
        upcr_cache.line[slot].state &= (uint8_t)~UPCR_LINE_WRITTEN;
        if ((upcr_cache.line[slot].state & UPCR_LINE_DIRTY) != 0)
            clean(slot);
    }
    upcr_cache.written_count -= count;
    memmove(upcr_cache.written, upcr_cache.written + count, upcr_cache.written_count * sizeof *upcr_cache.written);
    upcr_collect_note(UPCR_COLLECTOR_CACHE, upcr_cache.written_count);
    return upcr_cache.written_count != 0;
}

static void send_and_forget(void)
{
    upcr_stream_stop();
    (void)send_slots(&by_main, upcr_cache.listed, upcr_cache.listed_count);
    forget();
}

void upcr_writeback_enlarge(void)
{
    if (__builtin_expect(!upcr_growth_due(), 1))
        return;
    send_and_forget();
    upcr_cache_enlarge();
}

bool upcr_writeback_flush(void)
{
    upcr_region_forget();
    upcr_strip_forget();
    upcr_growth_forget();
    /* If a signal handler calls a fence during an operation of the cache, the operation is followed by a fence of its own. */
    if (upcr_cache.busy || upcr_cache.listed_count == 0)
        return false;
    uint32_t before = upcr_cache_enter();
    send_and_forget();
    upcr_cache_reshape();
    upcr_cache.counts.flushes++;
    upcr_cache_leave(before);
    return true;
}
