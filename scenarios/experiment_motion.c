/** Where the frames of a scenario come from, and what is known of them. */
#include "scenarios/experiment.h"

#include "geometry/pose.h"

#include <math.h>
#include <string.h>

/** What a sampler may have, and which kinds have no use for some of it (bits by kind). */
static const char *const sampler_keys[] = {"kind",   "target", "lo",   "hi",
                                           "frames", "seed",   "step", NULL};
static const struct {
    const char *key;
    unsigned kinds;
} idle_keys[] = {
    {"target", 1u << SCN_BOXES                                                       },
    {"lo",     1u << SCN_BOXES                                                       },
    {"hi",     1u << SCN_BOXES | 1u << SCN_TUMBLE                                    },
    {"step",   1u << SCN_BOXES | 1u << SCN_TUMBLE | 1u << SCN_SPHERE | 1u << SCN_GRID},
};

#define FRAMES_MAX ((uint64_t)100000000)
#define FRAME_S    0.001

/* As in trajectory files. */
#define QUATERNION_TOLERANCE 1e-3
#define QUATERNION_ROUNDING  1e-14

base_status scn_resolve_path(const scn_settings *settings, char **path)
{
    const char *const slash = strrchr(settings->path, '/');
    if ((*path)[0] == '/' || !slash) {
        return BASE_OK;
    }
    const size_t folder = (size_t)(slash - settings->path) + 1, length = strlen(*path);
    char *const joined = base_arena_alloc(settings->arena, folder + length + 1, 1);
    if (!joined) {
        return scn_settings_memory(settings);
    }
    memcpy(joined, settings->path, folder);
    memcpy(joined + folder, *path, length + 1);
    *path = joined;
    return BASE_OK;
}

/* --- Samplers --------------------------------------------------------------------------------- */

/** The error of a parser of names, with the setting's line in front. */
static base_status fail_parse(const scn_settings *settings, const config_setting_t *setting,
                              const base_error *reason)
{
    return scn_setting_fail(settings, setting, "%s", reason->text);
}

/** A value that the sampler would not look at is a misunderstanding. */
static base_status check_idle(const scn_settings *settings, const config_setting_t *group,
                              scn_sampler_kind kind)
{
    for (size_t i = 0; i < sizeof idle_keys / sizeof *idle_keys; i++) {
        const config_setting_t *const setting = config_setting_get_member(group, idle_keys[i].key);
        if (setting && (idle_keys[i].kinds & 1u << kind)) {
            return scn_setting_fail(settings, setting, "sampler '%s' takes no '%s'",
                                    scn_sampler_kind_name(kind), idle_keys[i].key);
        }
    }
    return BASE_OK;
}

static base_status read_kind(const scn_settings *settings, const config_setting_t *group,
                             scn_sampler *sampler)
{
    config_setting_t *setting;
    char *text;
    base_error reason;
    base_status status = scn_setting_member(settings, group, "kind", &setting);
    if (status == BASE_OK) {
        status = scn_setting_text(settings, setting, &text);
    }
    if (status == BASE_OK && scn_sampler_kind_parse(text, &sampler->kind, &reason) != BASE_OK) {
        return fail_parse(settings, setting, &reason);
    }
    if (status == BASE_OK) {
        status = check_idle(settings, group, sampler->kind);
    }
    setting = config_setting_get_member(group, "target");
    if (status != BASE_OK || !setting) {
        return status;
    }
    status = scn_setting_text(settings, setting, &text);
    if (status == BASE_OK && scn_target_parse(text, &sampler->target, &reason) != BASE_OK) {
        return fail_parse(settings, setting, &reason);
    }
    if (status == BASE_OK && sampler->kind == SCN_GRID && sampler->target != SCN_TARGET_DISTANCE) {
        return scn_setting_fail(settings, setting, "sampler 'grid' takes distances only");
    }
    return status;
}

static base_status read_number(const scn_settings *settings, const config_setting_t *group,
                               const char *key, scn_range range, double *value)
{
    const config_setting_t *const setting = config_setting_get_member(group, key);
    return setting ? scn_setting_number(settings, setting, range, value) : BASE_OK;
}

static base_status read_values(const scn_settings *settings, const config_setting_t *group,
                               scn_sampler *sampler)
{
    const double most = sampler->target == SCN_TARGET_VOLUME ? 1 : 1000;
    base_status status = read_number(settings, group, "lo", (scn_range){0, most}, &sampler->lo);
    config_setting_t *hi = NULL;
    sampler->hi = sampler->lo;
    if (status == BASE_OK && sampler->kind != SCN_TUMBLE && sampler->kind != SCN_BOXES) {
        status = scn_setting_member(settings, group, "hi", &hi);
    }
    if (status == BASE_OK) {
        status = read_number(settings, group, "hi", (scn_range){sampler->lo, most}, &sampler->hi);
    }
    return status;
}

static base_status read_sampler(const scn_settings *settings, const config_setting_t *group,
                                scn_sampler *sampler)
{
    base_status status = scn_setting_group(settings, group, sampler_keys);
    if (status == BASE_OK) {
        status = read_kind(settings, group, sampler);
    }
    if (status == BASE_OK) {
        status = read_values(settings, group, sampler);
    }
    if (status == BASE_OK) {
        status = read_number(settings, group, "step", (scn_range){1e-6, 1}, &sampler->step);
    }
    config_setting_t *setting;
    uint64_t frames;
    if (status == BASE_OK) {
        status = scn_setting_member(settings, group, "frames", &setting);
    }
    if (status == BASE_OK) {
        status = scn_setting_count(settings, setting, 1, FRAMES_MAX, &frames);
    }
    if (status != BASE_OK) {
        return status;
    }
    sampler->frames = (size_t)frames;
    setting = config_setting_get_member(group, "seed");
    return setting ? scn_setting_count(settings, setting, 0, INT64_MAX, &sampler->seed) : BASE_OK;
}

/* --- Poses ------------------------------------------------------------------------------------ */

static base_status read_pose(const scn_settings *settings, const config_setting_t *list,
                             scn_frame *frame)
{
    double v[7] = {0, 0, 0, 0, 0, 0, 1};
    base_status status = scn_setting_list(settings, list);
    const int count = config_setting_length(list);
    if (status == BASE_OK && count != 3 && count != 7) {
        return scn_setting_fail(
            settings, list, "a pose has 3 or 7 numbers (x, y, z, qx, qy, qz, qw), not %d", count);
    }
    for (int i = 0; i < count && status == BASE_OK; i++) {
        status = scn_setting_number(settings, config_setting_get_elem(list, (unsigned)i),
                                    (scn_range){-1e15, 1e15}, &v[i]);
    }
    const double length = sqrt(v[3] * v[3] + v[4] * v[4] + v[5] * v[5] + v[6] * v[6]);
    if (status == BASE_OK && !(fabs(length - 1) <= QUATERNION_TOLERANCE)) {
        return scn_setting_fail(settings, list, "quaternion of length %.6g, not 1", length);
    }
    frame->position = vec3_make(v[0], v[1], v[2]);
    const geo_quat q = {v[3], v[4], v[5], v[6]};
    frame->orientation = fabs(length - 1) > QUATERNION_ROUNDING ? geo_quat_normalize(q) : q;
    return status;
}

static base_status read_poses(const scn_settings *settings, const config_setting_t *list,
                              scn_motion *motion)
{
    base_status status = scn_setting_list(settings, list);
    if (status != BASE_OK) {
        return status;
    }
    motion->frame_count = (size_t)config_setting_length(list);
    motion->frames = base_arena_alloc(settings->arena, motion->frame_count, sizeof(scn_frame));
    if (!motion->frames) {
        return scn_settings_memory(settings);
    }
    for (size_t i = 0; i < motion->frame_count && status == BASE_OK; i++) {
        scn_frame *const frame = &motion->frames[i];
        *frame = (scn_frame){.t_s = FRAME_S * (double)i, .target = NAN, .achieved = NAN};
        status = read_pose(settings, config_setting_get_elem(list, (unsigned)i), frame);
    }
    return status;
}

static base_status read_trajectory(const scn_settings *settings, const config_setting_t *group,
                                   scn_motion *motion)
{
    config_setting_t *setting;
    base_status status = scn_setting_member(settings, group, "trajectory", &setting);
    if (status != BASE_OK) {
        return status;
    }
    switch (config_setting_type(setting)) {
    case CONFIG_TYPE_GROUP:
        return read_sampler(settings, setting, &motion->sampler);
    case CONFIG_TYPE_LIST:
    case CONFIG_TYPE_ARRAY:
        return read_poses(settings, setting, motion);
    case CONFIG_TYPE_STRING:
        status = scn_setting_text(settings, setting, &motion->path);
        return status == BASE_OK ? scn_resolve_path(settings, &motion->path) : status;
    default:
        return scn_setting_fail(settings, setting,
                                "'trajectory' is neither a path nor a group { kind = ...; } nor a "
                                "list of poses");
    }
}

/* --- Known answers ---------------------------------------------------------------------------- */

/** One answer of the quantity `bit`: a number, or "a" or "b" for a volume. */
static base_status read_answer(const scn_settings *settings, const config_setting_t *setting,
                               unsigned bit, scn_known *known)
{
    const char *const text = config_setting_get_string(setting);
    if (text && bit == SCN_KNOWN_VOLUME && (strcmp(text, "a") == 0 || strcmp(text, "b") == 0)) {
        known->mask |= *text == 'a' ? SCN_KNOWN_WHOLE_A : SCN_KNOWN_WHOLE_B;
        return BASE_OK;
    }
    known->mask |= bit;
    return scn_setting_number(settings, setting, (scn_range){0, 1e60},
                              bit == SCN_KNOWN_VOLUME ? &known->volume_m3 : &known->distance_m);
}

static base_status read_answers(const scn_settings *settings, const config_setting_t *group,
                                const char *key, unsigned bit, scn_motion *motion)
{
    const config_setting_t *const setting = config_setting_get_member(group, key);
    if (!setting || !config_setting_is_aggregate(setting)) {
        return setting ? read_answer(settings, setting, bit, &motion->known) : BASE_OK;
    }
    base_status status = scn_setting_list(settings, setting);
    const size_t count = (size_t)config_setting_length(setting);
    if (status == BASE_OK && !motion->frames) {
        return scn_setting_fail(
            settings, setting, "'%s' is a list, which needs a list of poses: say one for all", key);
    }
    if (status == BASE_OK && count != motion->frame_count) {
        return scn_setting_fail(settings, setting, "'%s' has %zu answers for a list of %zu poses",
                                key, count, motion->frame_count);
    }
    for (size_t i = 0; i < count && status == BASE_OK; i++) {
        status = read_answer(settings, config_setting_get_elem(setting, (unsigned)i), bit,
                             &motion->frames[i].known);
    }
    return status;
}

base_status scn_read_motion(const scn_settings *settings, const config_setting_t *group,
                            scn_motion *motion)
{
    base_status status = read_trajectory(settings, group, motion);
    if (status == BASE_OK) {
        status = read_answers(settings, group, "known_distance_m", SCN_KNOWN_DISTANCE, motion);
    }
    if (status == BASE_OK) {
        status = read_answers(settings, group, "known_volume_m3", SCN_KNOWN_VOLUME, motion);
    }
    return status;
}
