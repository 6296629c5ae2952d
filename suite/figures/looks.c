#include "suite/figures/looks.h"

#include "algorithms/registry.h"
#include "suite/results/run_folder.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { PAIRS_MAX = ALG_PARAMETERS_MAX + 1, TEXT_BYTES = 2 * BENCH_CONTESTANT_NAME_BYTES };

/** A substring of a name. */
typedef struct part {
    const char *begin;
    size_t length;
} part;

/** A variant's name, split. A mark, "@new", is a pair with the key "@". */
typedef struct parts {
    part algorithm;
    part keys[PAIRS_MAX], values[PAIRS_MAX];
    size_t pair_count;
    size_t algorithm_index; /* in the order of first appearance */
} parts;

static bool equal(part a, part b)
{
    return a.length == b.length && memcmp(a.begin, b.begin, a.length) == 0;
}

/** Returns the part of *text before any of `ends`, and advances *text to its end. */
static part up_to(const char **text, const char *ends)
{
    const part p = {*text, strcspn(*text, ends)};
    *text += p.length;
    return p;
}

static parts split_name(const char *name)
{
    parts p = {.algorithm = up_to(&name, ":@")};
    while (*name && p.pair_count < PAIRS_MAX) {
        const bool is_mark = *name++ == '@';
        p.keys[p.pair_count] = is_mark ? (part){name - 1, 1} : up_to(&name, "=,@");
        name += *name == '=';
        p.values[p.pair_count++] = up_to(&name, is_mark ? "" : ",@");
    }
    return p;
}

/**
 * Returns the value of the key in the variant's name; NULL if the name does not contain the key.
 */
static const part *value_of(const parts *variant, part key)
{
    for (size_t i = 0; i < variant->pair_count; i++) {
        if (equal(variant->keys[i], key)) {
            return &variant->values[i];
        }
    }
    return NULL;
}

static void append(char text[TEXT_BYTES], const char *between, part words)
{
    const size_t used = strlen(text);
    snprintf(text + used, TEXT_BYTES - used, "%s%.*s", used ? between : "", (int)words.length,
             words.begin);
}

static void append_pair(char text[TEXT_BYTES], const char *between, part key, part value)
{
    append(text, between, key);
    append(text, key.begin[0] == '@' ? "" : "=", value);
}

/* --- Variants of one algorithm ---------------------------------------------------------------- */

typedef struct group {
    const parts *all;
    size_t count; /* length of all */
    size_t index; /* of the algorithm */
    size_t members;
    part keys[PAIRS_MAX * 2]; /* keys in the names of the members */
    size_t key_count;
} group;

static bool is_member(const group *g, size_t i)
{
    return g->all[i].algorithm_index == g->index;
}

/**
 * Returns the number of members that have the key in their names. *shared is the value if all
 * members have the same value, otherwise NULL.
 */
static size_t count_having(const group *g, part key, const part **shared)
{
    const part *first = NULL;
    size_t having = 0;
    bool same = true;
    for (size_t i = 0; i < g->count; i++) {
        const part *const value = is_member(g, i) ? value_of(&g->all[i], key) : NULL;
        first = first ? first : value;
        having += value != NULL;
        same = same && (!value || equal(*value, *first));
    }
    *shared = same && having == g->members ? first : NULL;
    return having;
}

static group gather(const parts *all, size_t count, size_t index)
{
    group g = {.all = all, .count = count, .index = index};
    for (size_t i = 0; i < count; i++) {
        g.members += is_member(&g, i);
        for (size_t k = 0; is_member(&g, i) && k < all[i].pair_count; k++) {
            size_t at = 0;
            while (at < g.key_count && !equal(g.keys[at], all[i].keys[k])) {
                at++;
            }
            if (at == g.key_count && at < sizeof g.keys / sizeof *g.keys) {
                g.keys[g.key_count++] = all[i].keys[k];
            }
        }
    }
    return g;
}

static size_t count_differing(const group *g)
{
    size_t differing = 0;
    for (size_t k = 0; k < g->key_count; k++) {
        const part *shared;
        count_having(g, g->keys[k], &shared);
        differing += !shared;
    }
    return differing;
}

/**
 * Returns the default of a parameter as written in names; "" if the registry does not contain it.
 */
static part default_of(part algorithm, part key, char room[32])
{
    const part unknown = {"", 0};
    char name[BENCH_CONTESTANT_NAME_BYTES];
    snprintf(name, sizeof name, "%.*s", (int)algorithm.length, algorithm.begin);
    const alg_algorithm *const a = alg_find(name);
    for (size_t i = 0; a && i < a->parameter_count; i++) {
        const alg_parameter *const p = &a->parameters[i];
        if (!equal((part){p->name, strlen(p->name)}, key)) {
            continue;
        }
        const char *const word = alg_parameter_word(p, p->fallback);
        return word ? (part){word, strlen(word)}
                    : (part){room, (size_t)snprintf(room, 32, "%g", p->fallback)};
    }
    return unknown;
}

/** Appends the pairs in which the member differs from the others. */
static void put_differing(const group *g, const parts *member, char text[TEXT_BYTES])
{
    const bool only_one = count_differing(g) == 1;
    for (size_t k = 0; k < g->key_count; k++) {
        const part *shared;
        char room[32];
        const size_t having = count_having(g, g->keys[k], &shared);
        const part *const own = value_of(member, g->keys[k]);
        part value = own ? *own : (part){"", 0};
        if (!own && (only_one || 2 * having > g->members)) {
            value = default_of(member->algorithm, g->keys[k], room);
        }
        if (!shared && value.length > 0) {
            append_pair(text, " ", g->keys[k], value);
        }
    }
}

/**
 * Writes the pairs that all members have: "ist: packing=cover, voxels=64". Without such pairs it
 * writes the algorithm if name_it is true, otherwise "".
 */
static void put_shared(const group *g, bool name_it, char text[TEXT_BYTES])
{
    char pairs[TEXT_BYTES] = "";
    const parts *member = g->all;
    while (member->algorithm_index != g->index) {
        member++;
    }
    for (size_t k = 0; k < g->key_count; k++) {
        const part *shared;
        count_having(g, g->keys[k], &shared);
        if (shared) {
            append_pair(pairs, ", ", g->keys[k], *shared);
        }
    }
    *text = '\0';
    if (*pairs || name_it) {
        append(text, "", member->algorithm);
    }
    if (*pairs) {
        append(text, ": ", (part){pairs, strlen(pairs)});
    }
}

/* --- Labels ----------------------------------------------------------------------------------- */

/** Replaces equal labels by the full names, so that a reader cannot confuse two variants. */
static void make_distinct(const char *const *variants, size_t count, char (*labels)[TEXT_BYTES])
{
    for (size_t i = 0; i < count; i++) {
        bool alike = false;
        for (size_t j = i + 1; j < count; j++) {
            if (strcmp(labels[i], labels[j]) == 0) {
                snprintf(labels[j], TEXT_BYTES, "%s", variants[j]);
                alike = true;
            }
        }
        if (alike) {
            snprintf(labels[i], TEXT_BYTES, "%s", variants[i]);
        }
    }
}

/** Sets `shared` of each item; variants of one algorithm get the same pointer. */
static bool write_shared(const parts *all, size_t count, size_t algorithms, base_arena *arena,
                         bench_look *items)
{
    for (size_t index = 0; index < algorithms; index++) {
        const group g = gather(all, count, index);
        char text[TEXT_BYTES];
        put_shared(&g, algorithms == 1 && count > 1, text);
        const char *const kept = base_arena_text(arena, text);
        if (!kept) {
            return false;
        }
        for (size_t i = 0; i < count; i++) {
            items[i].shared = is_member(&g, i) ? kept : items[i].shared;
        }
    }
    return true;
}

base_status bench_looks_caption(const bench_look *items, size_t count, base_arena *arena,
                                const char **caption, base_error *err)
{
    char *const text = base_arena_alloc(arena, count + 1, TEXT_BYTES);
    *caption = text;
    size_t used = 0;
    for (size_t i = 0; text && i < count; i++) {
        bool first = *items[i].shared != '\0';
        for (size_t j = 0; j < i && first; j++) {
            first = items[j].shared != items[i].shared;
        }
        if (first) {
            used += (size_t)sprintf(text + used, "%s%s", used ? "; " : "", items[i].shared);
        }
    }
    return text ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
}

/* --- Colours, dashes, markers ----------------------------------------------------------------- */

enum { SHADES = 3, SHAPES = 7, SPARE_HUES = 3, SPARE_LOOKS = SPARE_HUES * SHAPES };

/** The look of a family in every figure: three shades of one hue, and a shape. */
typedef struct family_look {
    const char *names; /* algorithms, or the part of their names before '-', separated by blanks */
    uint32_t shades[SHADES];
    unsigned filled; /* gnuplot's point types of the shape; two crosses for imp */
    unsigned empty;
    bool library; /* another library, used by a plug-in */
} family_look;

/**
 * The hues are those of Okabe and Ito, which colour-blind readers can distinguish. Their yellow is
 * not used because it is too light on white. Methods with exact answers are black, and other
 * libraries are grey.
 */
static const family_look family_looks[] = {
    {"exact brute", {0x000000, 0x5C5C5C, 0x303030}, 13, 12, false},
    {"ist", {0x0072B2, 0x003F66, 0x62B4E8}, 7, 6, false},
    {"vps", {0xD55E00, 0x7A3500, 0xF59A56}, 5, 4, false},
    {"pst", {0x009E73, 0x005A41, 0x5CCCA8}, 9, 8, false},
    {"imp", {0xCC79A7, 0x7D3A5F, 0xE6B3CF}, 2, 3, false},
    {"lpd", {0xE69F00, 0x8A5F00, 0xF5CB73}, 11, 10, false},
    {"bounds", {0x56B4E9, 0x2A6F96, 0x9AD4F5}, 15, 14, false},
    {"fcl", {0x7F7F7F, 0x595959, 0xA6A6A6}, 1, 1, true},
    {"pqp", {0x999999, 0x737373, 0xB8B8B8}, 1, 1, true},
    {"bullet", {0x666666, 0x4D4D4D, 0x8C8C8C}, 1, 1, true},
    {"ode", {0x999999, 0x737373, 0xB8B8B8}, 3, 3, true},
    {"ccd", {0x666666, 0x4D4D4D, 0x8C8C8C}, 3, 3, true},
    {"cgal", {0x8C8C8C, 0x666666, 0xADADAD}, 1, 1, true},
    {"floor", {0xC8C8C8, 0xB0B0B0, 0xDADADA}, 1, 1, false},
};
enum { FAMILY_LOOKS = sizeof family_looks / sizeof *family_looks };

/** Hues of families that are not in the table above, such as those of plug-ins. */
static const uint32_t spare_hues[SPARE_HUES][SHADES] = {
    {0x882255, 0x551535, 0xC46A94},
    {0x332288, 0x1D134F, 0x7A6CC9},
    {0x999933, 0x5C5C1F, 0xC7C770},
};
static const unsigned shapes[SHAPES][2] = {
    {7, 6}, {5, 4}, {9, 8}, {13, 12}, {11, 10}, {15, 14}, {3, 2},
};

/** Returns the index of an algorithm's family in family_looks, or FAMILY_LOOKS. */
static size_t find_family_look(part family)
{
    size_t i = 0;
    for (; i < FAMILY_LOOKS; i++) {
        for (const char *names = family_looks[i].names; *names; names += *names == ' ') {
            if (equal(up_to(&names, " "), family)) {
                return i;
            }
        }
    }
    return i;
}

/**
 * Returns the part of an algorithm's name before '-'; "exact" for "brute", which is in the same
 * folder.
 */
static part family_of(part algorithm)
{
    const char *name = algorithm.begin;
    part family = up_to(&name, "-:@");
    const size_t known = find_family_look(family);
    if (known < FAMILY_LOOKS) {
        const char *names = family_looks[known].names;
        family = up_to(&names, " ");
    }
    return family;
}

bool bench_look_is_library(const char *variant)
{
    const size_t known = find_family_look(family_of((part){variant, strlen(variant)}));
    return known < FAMILY_LOOKS && family_looks[known].library;
}

/**
 * Returns the look that is computed from the family's name, or the next free one if another family
 * of the figure has it.
 */
static family_look spare_look(part family, bool taken[SPARE_LOOKS])
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < family.length; i++) {
        hash = (hash ^ (unsigned char)family.begin[i]) * 16777619u;
    }
    size_t index = hash % SPARE_LOOKS;
    for (int tries = 0; taken[index] && tries < SPARE_LOOKS; tries++) {
        index = (index + 1) % SPARE_LOOKS;
    }
    taken[index] = true;
    family_look look = {.filled = shapes[index / SPARE_HUES][0],
                        .empty = shapes[index / SPARE_HUES][1]};
    memcpy(look.shades, spare_hues[index % SPARE_HUES], sizeof look.shades);
    return look;
}

/**
 * Sets the look of a family's member number `member`. The first six have the shape of the family,
 * filled and empty, in three shades; each further six have the next shape.
 */
static void put_look(const family_look *family, size_t member, bench_look *look)
{
    const bool empty = member % 2 == 1;
    unsigned marker = empty ? family->empty : family->filled;
    const size_t turn = member / (2 * SHADES);
    if (turn > 0) {
        size_t shape = 0;
        while (shape < SHAPES - 1 && shapes[shape][0] != family->filled) {
            shape++;
        }
        marker = shapes[(shape + turn) % SHAPES][empty];
    }
    snprintf(look->colour, sizeof look->colour, "#%06X", (unsigned)family->shades[member % SHADES]);
    look->dash = (unsigned)(member % BENCH_DASHES) + 1;
    look->marker = marker;
}

static void put_looks(const parts *all, size_t count, bench_look *looks)
{
    bool taken[SPARE_LOOKS] = {false};
    for (size_t i = 0; i < count; i++) {
        const part family = family_of(all[i].algorithm);
        bool first = true;
        for (size_t j = 0; j < i && first; j++) {
            first = !equal(family_of(all[j].algorithm), family);
        }
        if (!first) {
            continue;
        }
        const size_t known = find_family_look(family);
        const family_look look =
            known < FAMILY_LOOKS ? family_looks[known] : spare_look(family, taken);
        size_t member = 0;
        for (size_t j = i; j < count; j++) {
            if (equal(family_of(all[j].algorithm), family)) {
                put_look(&look, member++, &looks[j]);
            }
        }
    }
}

/* --- Looks ------------------------------------------------------------------------------------ */

/** Numbers the algorithms in the order of first appearance. Returns their number. */
static size_t number_algorithms(parts *all, size_t count)
{
    size_t algorithms = 0;
    for (size_t i = 0; i < count; i++) {
        all[i].algorithm_index = algorithms;
        for (size_t j = 0; j < i; j++) {
            if (equal(all[j].algorithm, all[i].algorithm)) {
                all[i].algorithm_index = all[j].algorithm_index;
            }
        }
        algorithms += all[i].algorithm_index == algorithms;
    }
    return algorithms;
}

base_status bench_looks_make(const char *const *variants, size_t count, base_arena *arena,
                             bench_looks *looks, base_error *err)
{
    parts *const all = base_arena_alloc(arena, count, sizeof *all);
    char(*const labels)[TEXT_BYTES] = base_arena_alloc(arena, count, sizeof *labels);
    looks->items = base_arena_alloc(arena, count, sizeof *looks->items);
    if (!all || !labels || !looks->items) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        all[i] = split_name(variants[i]);
        looks->items[i].label = labels[i];
    }
    const size_t algorithms = number_algorithms(all, count);
    for (size_t i = 0; i < count; i++) {
        const group g = gather(all, count, all[i].algorithm_index);
        if (algorithms > 1 || count == 1) {
            append(labels[i], "", all[i].algorithm);
        }
        put_differing(&g, &all[i], labels[i]);
        if (!*labels[i]) {
            append(labels[i], "", all[i].algorithm);
        }
    }
    make_distinct(variants, count, labels);
    put_looks(all, count, looks->items);
    return write_shared(all, count, algorithms, arena, looks->items)
               ? bench_looks_caption(looks->items, count, arena, &looks->shared, err)
               : base_fail(err, BASE_ERR_MEMORY, "out of memory");
}
