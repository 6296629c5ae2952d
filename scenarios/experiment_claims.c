#include "scenarios/experiment_claims.h"

#include "scenarios/experiment.h"

#include <math.h>
#include <string.h>

static base_status read_whose(const scn_settings *settings, const config_setting_t *setting,
                              void *of_paper)
{
    char *text;
    const base_status status = scn_setting_text(settings, setting, &text);
    if (status != BASE_OK) {
        return status;
    }
    *(bool *)of_paper = strcmp(text, "paper") == 0;
    return *(bool *)of_paper || strcmp(text, "ours") == 0
               ? BASE_OK
               : scn_setting_fail(settings, setting, "whose is \"paper\" or \"ours\", not '%s'",
                                  text);
}

/** A number, or the text "paper", which stands for `paper`. */
static base_status read_limit(const scn_settings *settings, const config_setting_t *setting,
                              double paper, double *limit)
{
    const char *const text = config_setting_get_string(setting);
    if (!text) {
        return scn_setting_number(settings, setting, -1e300, 1e300, limit);
    }
    *limit = paper;
    if (strcmp(text, "paper") != 0) {
        return scn_setting_fail(settings, setting, "a limit is a number or \"paper\", not '%s'",
                                text);
    }
    return isnan(paper) ? scn_setting_fail(settings, setting, "the claim has no key 'paper'")
                        : BASE_OK;
}

static base_status read_at_least(const scn_settings *settings, const config_setting_t *setting,
                                 void *claim)
{
    scn_claim *const c = claim;
    return read_limit(settings, setting, c->paper, &c->at_least);
}

static base_status read_at_most(const scn_settings *settings, const config_setting_t *setting,
                                void *claim)
{
    scn_claim *const c = claim;
    return read_limit(settings, setting, c->paper, &c->at_most);
}

/** Limits come after `paper`, which they may refer to. */
#define IN_CLAIM(member) offsetof(scn_claim, member)
static const scn_key claim_keys[] = {
    {"id", SCN_TEXT, scn_always, IN_CLAIM(id), 0, 0, NULL},
    {"claim", SCN_TEXT, scn_always, IN_CLAIM(claim), 0, 0, NULL},
    {"whose", SCN_OTHER, scn_always, IN_CLAIM(of_paper), 0, 0, read_whose},
    {"paper", SCN_NUMBER, NULL, IN_CLAIM(paper), -1e300, 1e300, NULL},
    {"expected", SCN_FLAG, NULL, IN_CLAIM(expected), 0, 0, NULL},
    {"measure", SCN_TEXT, scn_always, IN_CLAIM(measure), 0, 0, NULL},
    {"of", SCN_TEXT, NULL, IN_CLAIM(of), 0, 0, NULL},
    {"where", SCN_TEXT, NULL, IN_CLAIM(where), 0, 0, NULL},
    {"experiments", SCN_TEXT, NULL, IN_CLAIM(experiments), 0, 0, NULL},
    {"scenarios", SCN_TEXT, NULL, IN_CLAIM(scenarios), 0, 0, NULL},
    {"bodies", SCN_TEXT, NULL, IN_CLAIM(bodies), 0, 0, NULL},
    {"variants", SCN_TEXT, NULL, IN_CLAIM(variants), 0, 0, NULL},
    {"against", SCN_TEXT, NULL, IN_CLAIM(against), 0, 0, NULL},
    {"together", SCN_TEXT, NULL, IN_CLAIM(together), 0, 0, NULL},
    {"at_least", SCN_OTHER, NULL, 0, 0, 0, read_at_least},
    {"at_most", SCN_OTHER, NULL, 0, 0, 0, read_at_most},
    {NULL, SCN_OTHER, NULL, 0, 0, 0, NULL},
};
_Static_assert(sizeof claim_keys / sizeof *claim_keys <= SCN_KEYS_MAX + 1, "rows of a table");

/** Checks the rules that involve several keys. */
static base_status check_claim(const scn_settings *settings, const config_setting_t *group,
                               const scn_experiment *experiment, const scn_claim *claim)
{
    if (isnan(claim->at_least) && isnan(claim->at_most)) {
        return scn_setting_fail(settings, group, "claim '%s' needs at_least or at_most", claim->id);
    }
    if (claim->at_least > claim->at_most) {
        return scn_setting_fail(settings, group, "claim '%s': at_least %g is above at_most %g",
                                claim->id, claim->at_least, claim->at_most);
    }
    if (claim->of_paper && !experiment->paper) {
        return scn_setting_fail(settings, group,
                                "claim '%s' is the paper's, and the experiment has no key 'paper'",
                                claim->id);
    }
    for (size_t i = 0; i < experiment->claim_count; i++) {
        if (strcmp(experiment->claims[i].id, claim->id) == 0) {
            return scn_setting_fail(settings, group, "claim '%s' is there twice", claim->id);
        }
    }
    return BASE_OK;
}

base_status scn_read_claims(const scn_settings *settings, const config_setting_t *list,
                            void *experiment)
{
    scn_experiment *const e = experiment;
    base_status status = scn_setting_list(settings, list);
    if (status != BASE_OK) {
        return status;
    }
    e->claims =
        base_arena_alloc(settings->arena, (size_t)config_setting_length(list), sizeof *e->claims);
    if (!e->claims) {
        return scn_settings_memory(settings);
    }
    for (int i = 0; i < config_setting_length(list) && status == BASE_OK; i++) {
        const config_setting_t *const group = config_setting_get_elem(list, (unsigned)i);
        scn_claim claim = {.paper = NAN, .at_least = NAN, .at_most = NAN};
        claim.line = config_setting_source_line(group);
        status = scn_setting_group(settings, group, claim_keys, &claim);
        if (status == BASE_OK) {
            status = check_claim(settings, group, e, &claim);
        }
        if (status == BASE_OK) {
            e->claims[e->claim_count++] = claim;
        }
    }
    return status;
}
