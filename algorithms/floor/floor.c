/** An algorithm that does nothing: its times are the cost of the harness itself. */
#include "algorithms/life.h"
#include "algorithms/registry.h"

static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings, (void)quantity;
    return ALG_NOT_ANSWERED;
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role,
                          void **prepared, alg_build_info *info, alg_message *message)
{
    (void)settings, (void)mesh, (void)role;
    *info = (alg_build_info){0};
    return alg_create(sizeof(base_arena), prepared, message);
}

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving,
                       const alg_request *request, void **state, alg_message *message)
{
    (void)settings, (void)fixed, (void)moving, (void)request;
    return alg_create(sizeof(base_arena), state, message);
}

static void query(void *state, const geo_pose *pose, alg_answer *answer)
{
    (void)state, (void)pose;
    answer->outcome = ALG_CONVERGED;
}

static const char *const no_counters[] = {NULL};

const alg_algorithm alg_floor = {
    .abi_version = ALG_ABI_VERSION,
    .name = "floor",
    .summary = "answers nothing: the cost of the harness itself",
    .source = "",
    .counters = no_counters,
    .contract = contract,
    .prepare = prepare,
    .dispose = alg_destroy,
    .bind = bind,
    .release = alg_destroy,
    .query = query,
};
