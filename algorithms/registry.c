#include "algorithms/entries.h"
#include "algorithms/life.h"

#include <string.h>

/** The one table that grows: entries of plug-ins, and those of the truth that suite/ adds. */
static const alg *entries[ALG_REGISTRY_MAX + 1] = {
    &alg_null,         &alg_brute,  &alg_ist, &alg_ist_triangles, &alg_ist_exact, &alg_ist_budget,
    &alg_ist_deadline, &alg_faulty, NULL,
};

const alg *const *const alg_registry = entries;

const alg *alg_find(const char *name)
{
    for (size_t i = 0; alg_registry[i]; i++) {
        if (strcmp(alg_registry[i]->name, name) == 0) {
            return alg_registry[i];
        }
    }
    return NULL;
}

/** [a-z0-9-]+, or with another character in the place of '-'. */
static bool is_name(const char *text, char joint)
{
    if (!text) {
        return false;
    }
    const char *c = text;
    while ((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == joint) {
        c++;
    }
    return c != text && !*c;
}

static alg_status check_parameter(const alg *a, size_t i, alg_message *message)
{
    const alg_parameter *const p = &a->parameters[i];
    if (!is_name(p->name, '-') || !p->help || (p->type == ALG_CHOICE) == !p->choices) {
        return alg_fail(message, ALG_FAILED, "'%s': parameter %zu lacks name, help or choices",
                        a->name, i + 1);
    }
    if (i > 0 && strcmp(a->parameters[i - 1].name, p->name) >= 0) {
        return alg_fail(message, ALG_FAILED, "'%s': its parameters are not sorted at '%s'", a->name,
                        p->name);
    }
    if (!(p->lowest <= p->fallback && p->fallback <= p->highest)) {
        return alg_fail(message, ALG_FAILED, "'%s': default of '%s' is %g, not from %g to %g",
                        a->name, p->name, p->fallback, p->lowest, p->highest);
    }
    return ALG_OK;
}

static alg_status check_functions(const alg *a, alg_message *message)
{
    const char *const missing = !a->contract                                ? "contract"
                                : !a->prepare                               ? "prepare"
                                : !a->dispose                               ? "dispose"
                                : !a->bind                                  ? "bind"
                                : !a->release                               ? "release"
                                : !a->query                                 ? "query"
                                : (a->flags & ALG_KEEPS_STATE) && !a->reset ? "reset"
                                : a->save && !a->load                       ? "load"
                                : a->load && !a->save                       ? "save"
                                                                            : NULL;
    return missing ? alg_fail(message, ALG_FAILED, "'%s' has no function '%s'", a->name, missing)
                   : ALG_OK;
}

/** what: "counter" or "fact". NULL is an empty list. */
static alg_status check_names(const alg *a, const char *what, const char *const *names, size_t most,
                              alg_message *message)
{
    for (size_t i = 0; names && names[i]; i++) {
        if (i == most || !is_name(names[i], '_')) {
            return alg_fail(message, ALG_FAILED, "'%s': %s %zu is no name, or over %zu", a->name,
                            what, i + 1, most);
        }
    }
    return ALG_OK;
}

alg_status alg_check(const alg *algorithm, alg_message *message)
{
    const alg *const a = algorithm;
    if (a->abi_version != ALG_ABI_VERSION) {
        return alg_fail(message, ALG_FAILED,
                        "it was built for version %u of the contract, this is version %d",
                        a->abi_version, ALG_ABI_VERSION);
    }
    if (!is_name(a->name, '-')) {
        return alg_fail(message, ALG_FAILED, "'%.60s' is no name: letters a to z, digits and '-'",
                        a->name ? a->name : "");
    }
    if (!a->summary || !a->source || a->parameter_count > ALG_PARAMETERS_MAX ||
        (a->parameter_count > 0 && !a->parameters)) {
        return alg_fail(message, ALG_FAILED,
                        "'%s' lacks summary or source, or has over %d parameters", a->name,
                        ALG_PARAMETERS_MAX);
    }
    alg_status status = check_functions(a, message);
    if (status != ALG_OK) {
        return status;
    }
    for (size_t i = 0; i < a->parameter_count; i++) {
        status = check_parameter(a, i, message);
        if (status != ALG_OK) {
            return status;
        }
    }
    status = check_names(a, "counter", a->counters, ALG_COUNTERS_MAX, message);
    if (status != ALG_OK) {
        return status;
    }
    return check_names(a, "fact", a->facts, ALG_FACTS_MAX, message);
}

alg_status alg_register(const alg *algorithm, alg_message *message)
{
    const alg_status status = alg_check(algorithm, message);
    if (status != ALG_OK) {
        return status;
    }
    if (alg_find(algorithm->name)) {
        return alg_fail(message, ALG_FAILED, "there is an algorithm '%s' already", algorithm->name);
    }
    size_t count = 0;
    while (entries[count]) {
        count++;
    }
    if (count == ALG_REGISTRY_MAX) {
        return alg_fail(message, ALG_FAILED, "no room for '%s': %d algorithms are registered",
                        algorithm->name, ALG_REGISTRY_MAX);
    }
    entries[count] = algorithm;
    return ALG_OK;
}
