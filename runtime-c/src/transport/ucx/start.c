/* The start and end of the wire by UCX. PMIx says who is in the job, hands each process the addresses of the others, and
   ends the job. */
#include "runtime.h"

#include <dirent.h>
#include <pmix.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucs/config/global_opts.h>
#include <unistd.h>

#include "transport/host/host.h"
#include "transport/messages/net.h"
#include "transport/messages/wire.h"
#include "transport/messages/wire_files.h"
#include "transport/ucx/ucx.h"

static const char address_key[] = "upcr.ucp";

const char wire_starter[] = "the launcher";
const char *const wire_files_variable = NULL;

struct ucx_job ucx;

static ucp_context_h context;
static ucp_ep_h *endpoints; /* by number; NULL: not connected */
static pmix_proc_t self;
static bool has_server;            /* a launcher has started this process and speaks PMIx */
static ucs_status_t lost = UCS_OK; /* why a connection has failed */

/* ---- Failures ------------------------------------------------------------------------------------------------------- */

/* A connection is mostly lost because its other process has died. That one's launcher reports the reason and ends this
   process, which must not be faster: it waits for longer than launchers need to notice that a machine is lost. */
static void fail(const char *call, ucs_status_t status)
{
    const unsigned others_report = 10;
    sleep(others_report);
    net_fail(call, ucs_status_string(status));
}

void ucx_check(ucs_status_t status, const char *call)
{
    if (status != UCS_OK)
        fail(call, status);
}

void ucx_check_connections(void)
{
    if (__builtin_expect(lost != UCS_OK, 0))
        fail("UCX", lost);
}

static void check_pmix(pmix_status_t status, const char *call)
{
    if (status != PMIX_SUCCESS)
        net_fail(call, PMIx_Error_string(status));
}

/* UCX calls this within ucp_worker_progress, from which the process must not be ended. */
static void on_failure(void *unused, ucp_ep_h endpoint, ucs_status_t status)
{
    (void)unused, (void)endpoint;
    lost = status;
}

/* ---- The launcher --------------------------------------------------------------------------------------------------- */

void wire_check_launcher(void)
{
    struct host_launched launched = host_launched();
    if (launched.processes < 2 || getenv("PMIX_RANK") != NULL)
        return;
    if (launched.number == 0)
        upcr_fatal("the launcher has started %d processes but does not speak PMIx, by which they would find one another: start them with "
                   "upcrun -n %d, Open MPI's mpirun, or srun --mpi=pmix",
                   launched.processes, launched.processes);
    sleep(2); /* the end of a process may end all, and the first one reports */
    _exit(1);
}

static void reject_single(int threads)
{
    upcr_fatal("the program must run on %d threads, but the launcher has started 1 process: start it with upcrun -n %d, Open MPI's mpirun, or "
               "srun --mpi=pmix",
               threads, threads);
}

/* Asks for something that is known of the whole job; NULL: it is not. */
static pmix_value_t *ask(const char *key)
{
    pmix_proc_t all;
    pmix_value_t *value = NULL;
    PMIX_LOAD_PROCID(&all, self.nspace, PMIX_RANK_WILDCARD);
    return PMIx_Get(&all, key, NULL, 0, &value) == PMIX_SUCCESS ? value : NULL;
}

/* Reads "0,1,5". */
static void read_neighbours(const char *text)
{
    ucx.neighbours = net_memory((size_t)ucx.processes * sizeof *ucx.neighbours);
    while (*text != '\0' && ucx.neighbour_count < ucx.processes) {
        char *end;
        ucx.neighbours[ucx.neighbour_count++] = (int)strtol(text, &end, 10);
        text = *end == ',' ? end + 1 : "";
    }
}

static void join_job(void)
{
    ucx.processes = 1;
    has_server = PMIx_Init(&self, NULL, 0) == PMIX_SUCCESS;
    if (!has_server) {
        read_neighbours("0");
        return;
    }
    pmix_value_t *size = ask(PMIX_JOB_SIZE);
    pmix_value_t *peers = ask(PMIX_LOCAL_PEERS);
    if (size != NULL)
        ucx.processes = (int)size->data.uint32;
    ucx.number = (int)self.rank;
    if (size != NULL && ucx.processes > 1 && peers == NULL)
        upcr_fatal("the launcher does not say which processes are on one machine (PMIX_LOCAL_PEERS): start the program with upcrun -n %d", ucx.processes);
    read_neighbours(peers != NULL && ucx.processes > 1 ? peers->data.string : "0");
}

/* ---- Addresses and connections -------------------------------------------------------------------------------------- */

/* Shows the others where this process can be reached. */
static void publish(void)
{
    ucp_address_t *address;
    size_t bytes;
    pmix_value_t value = {.type = PMIX_BYTE_OBJECT};
    pmix_info_t collect;
    bool yes = true;
    ucx_check(ucp_worker_get_address(ucx.worker, &address, &bytes), "ucp_worker_get_address");
    value.data.bo.bytes = (char *)address;
    value.data.bo.size = bytes;
    check_pmix(PMIx_Put(PMIX_GLOBAL, address_key, &value), "PMIx_Put");
    check_pmix(PMIx_Commit(), "PMIx_Commit");
    PMIX_INFO_LOAD(&collect, PMIX_COLLECT_DATA, &yes, PMIX_BOOL);
    check_pmix(PMIx_Fence(NULL, 0, &collect, 1), "PMIx_Fence");
    ucp_worker_release_address(ucx.worker, address);
}

static bool is_neighbour(int number)
{
    for (int i = 0; i < ucx.neighbour_count; i++)
        if (ucx.neighbours[i] == number)
            return true;
    return false;
}

/* UCX uses no shared memory for connections whose loss it has to report. The launchers notice what happens on a machine
   themselves. */
static ucp_ep_h connect_to(int number)
{
    pmix_proc_t peer;
    pmix_value_t *value;
    ucp_ep_h endpoint;
    PMIX_LOAD_PROCID(&peer, self.nspace, (pmix_rank_t)number);
    check_pmix(PMIx_Get(&peer, address_key, NULL, 0, &value), "PMIx_Get");
    const ucp_ep_params_t params = {
        .field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE | UCP_EP_PARAM_FIELD_ERR_HANDLER,
        .address = (const ucp_address_t *)(const void *)value->data.bo.bytes,
        .err_mode = is_neighbour(number) ? UCP_ERR_HANDLING_MODE_NONE : UCP_ERR_HANDLING_MODE_PEER,
        .err_handler.cb = on_failure,
    };
    ucx_check(ucp_ep_create(ucx.worker, &params, &endpoint), "ucp_ep_create");
    PMIX_VALUE_RELEASE(value);
    return endpoint;
}

ucp_ep_h ucx_endpoint(int number)
{
    if (__builtin_expect(endpoints[number] == NULL, 0))
        endpoints[number] = connect_to(number);
    return endpoints[number];
}

void ucx_await(void *operation, const char *call)
{
    if (operation == NULL)
        return;
    if (UCS_PTR_IS_ERR(operation))
        ucx_check(UCS_PTR_STATUS(operation), call);
    ucs_status_t status;
    while ((status = ucp_request_check_status(operation)) == UCS_INPROGRESS) {
        ucx_check_connections();
        if (ucp_worker_progress(ucx.worker) == 0)
            sched_yield();
    }
    ucp_request_free(operation);
    ucx_check(status, call);
}

/* ---- Start and end -------------------------------------------------------------------------------------------------- */

/* Returns whether a device of this machine can access memory of others by itself. */
static bool has_fabric(void)
{
    DIR *devices = opendir("/sys/class/infiniband");
    bool found = false;
    if (devices == NULL)
        return false;
    for (const struct dirent *device; !found && (device = readdir(devices)) != NULL;)
        found = device->d_name[0] != '.';
    closedir(devices);
    return found;
}

/* Over TCP the defaults of UCX cut a message of 8 KB in two, and ask before each piece of a long transfer. What is longer
   than a piece still asks, so that nobody has to keep it. The user's own settings hold. */
static void suit_tcp(ucp_config_t *config)
{
    static const char *const settings[][2] = {{"TCP_TX_SEG_SIZE", "64k"}, {"TCP_RX_SEG_SIZE", "128k"}, {"RNDV_THRESH", "256k"}};
    char variable[32];
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        snprintf(variable, sizeof variable, "UCX_%s", settings[i][0]);
        if (getenv(variable) == NULL)
            (void)ucp_config_modify(config, settings[i][0], settings[i][1]);
    }
}

static void make_worker(void)
{
    ucp_config_t *config;
    const ucp_params_t of_context = {
        .field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_ESTIMATED_NUM_EPS | UCP_PARAM_FIELD_ESTIMATED_NUM_PPN,
        .features = UCP_FEATURE_TAG | UCP_FEATURE_AM | UCP_FEATURE_WAKEUP,
        .estimated_num_eps = (size_t)ucx.processes,
        .estimated_num_ppn = (size_t)ucx.neighbour_count,
    };
    const ucp_worker_params_t of_worker = {
        .field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
        .thread_mode = UCS_THREAD_MODE_SERIALIZED,
    };
    /* UCX would print the loss of a connection in addition to the runtime's report. */
    if (getenv("UCX_LOG_LEVEL") == NULL)
        ucs_global_opts_set_value("LOG_LEVEL", "fatal");
    ucx_check(ucp_config_read(NULL, NULL, &config), "ucp_config_read");
    if (!has_fabric())
        suit_tcp(config);
    ucs_status_t status = ucp_init(&of_context, config, &context);
    ucp_config_release(config);
    ucx_check(status, "ucp_init");
    ucx_check(ucp_worker_create(context, &of_worker, &ucx.worker), "ucp_worker_create");
}

int wire_start(int threads)
{
    join_job();
    if (ucx.processes == 1 && threads != 1)
        reject_single(threads);
    make_worker();
    endpoints = net_memory((size_t)ucx.processes * sizeof *endpoints);
    memset(endpoints, 0, (size_t)ucx.processes * sizeof *endpoints);
    ucx_receive_messages();
    if (has_server)
        publish();
    return ucx.processes;
}

int wire_number(void)
{
    return ucx.number;
}

void wire_describe(char *text, size_t capacity)
{
    snprintf(text, capacity, "messages by UCX %s", ucp_get_version_string());
}

static void on_fence(pmix_status_t status, void *over)
{
    (void)status;
    atomic_store_explicit((atomic_bool *)over, true, memory_order_release);
}

/* The others may still need this process's answers to end their connections. */
static void meet_at_the_end(void)
{
    static atomic_bool over;
    if (!has_server || PMIx_Fence_nb(NULL, 0, NULL, 0, on_fence, &over) != PMIX_SUCCESS)
        return;
    while (!atomic_load_explicit(&over, memory_order_acquire))
        if (ucp_worker_progress(ucx.worker) == 0)
            sched_yield();
}

void wire_end(void)
{
    meet_at_the_end();
    ucp_worker_destroy(ucx.worker);
    ucp_cleanup(context);
    if (has_server)
        PMIx_Finalize(NULL, 0);
}

void wire_abort(int status)
{
    if (has_server)
        PMIx_Abort(status, NULL, NULL, 0);
}
