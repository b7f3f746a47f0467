// question: what a phase between two barriers reads is what the phases before it have written, however the phases repeat
// counts: UPC_BARRIER=145*THREADS, UPC_NOTIFY=24*THREADS, UPC_WAIT=24*THREADS, UPC_FENCE=12*THREADS, UPC_MEMGET=12*THREADS
// counts: UPC_PUT=129670*THREADS+12, UPC_PUT.remote=4*THREADS*(THREADS>1), UPC_GET=64828*THREADS, UPC_GET.remote=(64828*THREADS-12)*(THREADS>1)
#include "check.h"
#include <upc_relaxed.h>

#define W 600
#define ROWS 3

shared [W] double rows[ROWS * THREADS][W], others[ROWS * THREADS][W];
shared int flags[4 * THREADS];
static double copy[W];

static double value(int row, int j, int phase) { return row * 10000.0 + j * 3 + phase * 0.5; }

static void write_own(int phase)
{
    for (int r = 0; r < ROWS; r++)
        for (int j = 0; j < W; j++)
            rows[MYTHREAD + r * THREADS][j] = value(MYTHREAD + r * THREADS, j, phase);
    flags[MYTHREAD + THREADS * (phase % 4)] = phase;
}

static void write_others(int phase)
{
    for (int r = 0; r < ROWS; r++)
        for (int j = 0; j < W; j++)
            others[MYTHREAD + r * THREADS][j] = value(MYTHREAD + r * THREADS, j, phase);
}

static void read_row(int row, int phase)
{
    double s = 0, expected = 0;
    for (int j = 0; j < W; j++)
        s += rows[row][j];
    for (int j = 0; j < W; j++)
        expected += value(row, j, phase);
    CHECK(s == expected);
}

static void read_other(int row, int phase)
{
    double s = 0, expected = 0;
    for (int j = 1; j < W - 1; j++)
        s += others[row][j];
    for (int j = 1; j < W - 1; j++)
        expected += value(row, j, phase);
    CHECK(s == expected);
}

/* The same rows in every phase. */
static void alike(int next)
{
    for (int phase = 0; phase < 12; phase++) {
        write_own(phase);
        upc_barrier;
        CHECK(flags[next + THREADS * (phase % 4)] == phase);
        read_row(next, phase);
        read_row(next + THREADS, phase);
        upc_barrier;
    }
}

/* Two arrays in turn, and barriers without reads. */
static void in_turn(int next)
{
    for (int phase = 0; phase < 12; phase++) {
        if (phase % 2 == 0)
            write_own(phase);
        else
            write_others(phase);
        upc_barrier;
        upc_notify;
        upc_wait;
        if (phase % 2 == 0)
            read_row(next, phase);
        else
            read_other(next, phase);
        upc_notify 3;
        upc_wait 3;
    }
}

/* After some rounds, the rows are others, and one of them is written before it is read. */
static void changing(int next)
{
    for (int phase = 0; phase < 24; phase++) {
        int row = next + THREADS * (phase < 9 ? 0 : phase < 15 ? 2 : phase % 3);
        write_own(phase);
        upc_barrier;
        if (phase % 5 == 4)
            rows[row][W - 1] = -1;
        read_row(phase % 5 == 4 ? next + THREADS * ((row / THREADS + 1) % ROWS) : row, phase);
        CHECK(phase % 5 != 4 || rows[row][W - 1] == -1);
        upc_barrier;
    }
}

/* A strict access and a fence between barriers. */
static strict shared int turn;
static void with_fences(int next)
{
    for (int phase = 0; phase < 12; phase++) {
        write_own(phase);
        upc_barrier;
        read_row(next, phase);
        if (MYTHREAD == 0)
            turn = phase;
        upc_fence;
        upc_memget(copy, rows[next], sizeof copy);
        CHECK(copy[7] == value(next, 7, phase));
        read_row(next, phase);
        upc_barrier;
        CHECK(turn == phase);
        upc_barrier;
    }
}

int main(void)
{
    int next = (MYTHREAD + 1) % THREADS;
    alike(next);
    in_turn(next);
    changing(next);
    with_fences(next);
    alike((MYTHREAD + THREADS - 1) % THREADS);
    return pass();
}
