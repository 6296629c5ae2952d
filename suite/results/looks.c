#include "suite/results/looks.h"

#include "algorithms/registry.h"
#include "suite/results/run_folder.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { PAIRS_MAX = ALG_PARAMETERS_MAX + 1, TEXT_BYTES = 2 * BENCH_CONTESTANT_NAME_BYTES };

/** Some characters of a name. */
typedef struct part {
    const char *begin;
    size_t length;
} part;

/** A name in its parts. A mark, "@new", is a pair whose key is "@". */
typedef struct parts {
    part family;
    part keys[PAIRS_MAX], values[PAIRS_MAX];
    size_t pair_count;
    size_t family_index, member_index; /* among the families, in its family */
} parts;

static bool equal(part a, part b)
{
    return a.length == b.length && memcmp(a.begin, b.begin, a.length) == 0;
}

static part up_to(const char **text, const char *ends)
{
    const part p = {*text, strcspn(*text, ends)};
    *text += p.length;
    return p;
}

static parts take_apart(const char *name)
{
    parts p = {.family = up_to(&name, ":@")};
    while (*name && p.pair_count < PAIRS_MAX) {
        const bool is_mark = *name++ == '@';
        p.keys[p.pair_count] = is_mark ? (part){name - 1, 1} : up_to(&name, "=,@");
        name += *name == '=';
        p.values[p.pair_count++] = up_to(&name, is_mark ? "" : ",@");
    }
    return p;
}

/** NULL when the variant does not say the key. */
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

/* --- Families --------------------------------------------------------------------------------- */

/** Those of one family. */
typedef struct family {
    const parts *all;
    size_t count; /* of all */
    size_t index;
    size_t members;
    part keys[PAIRS_MAX * 2]; /* that any member says */
    size_t key_count;
} family;

static bool is_member(const family *f, size_t i)
{
    return f->all[i].family_index == f->index;
}

/** How many members say the key; *shared is its value where all say the same, else NULL. */
static size_t count_sayers(const family *f, part key, const part **shared)
{
    const part *first = NULL;
    size_t sayers = 0;
    bool same = true;
    for (size_t i = 0; i < f->count; i++) {
        const part *const value = is_member(f, i) ? value_of(&f->all[i], key) : NULL;
        first = first ? first : value;
        sayers += value != NULL;
        same = same && (!value || equal(*value, *first));
    }
    *shared = same && sayers == f->members ? first : NULL;
    return sayers;
}

static family gather(const parts *all, size_t count, size_t index)
{
    family f = {.all = all, .count = count, .index = index};
    for (size_t i = 0; i < count; i++) {
        f.members += is_member(&f, i);
        for (size_t k = 0; is_member(&f, i) && k < all[i].pair_count; k++) {
            size_t at = 0;
            while (at < f.key_count && !equal(f.keys[at], all[i].keys[k])) {
                at++;
            }
            if (at == f.key_count && at < sizeof f.keys / sizeof *f.keys) {
                f.keys[f.key_count++] = all[i].keys[k];
            }
        }
    }
    return f;
}

static size_t count_differing(const family *f)
{
    size_t differing = 0;
    for (size_t k = 0; k < f->key_count; k++) {
        const part *shared;
        count_sayers(f, f->keys[k], &shared);
        differing += !shared;
    }
    return differing;
}

/** The default of a parameter as names would have it; "" where this program does not know it. */
static part default_of(part family_name, part key, char room[32])
{
    const part unknown = {"", 0};
    char name[BENCH_CONTESTANT_NAME_BYTES];
    snprintf(name, sizeof name, "%.*s", (int)family_name.length, family_name.begin);
    const alg_algorithm *const a = alg_find(name);
    for (size_t i = 0; a && i < a->parameter_count; i++) {
        const alg_parameter *const p = &a->parameters[i];
        if (!equal((part){p->name, strlen(p->name)}, key)) {
            continue;
        }
        if (p->type != ALG_CHOICE) {
            return (part){room, (size_t)snprintf(room, 32, "%g", p->fallback)};
        }
        const char *word = p->choices;
        for (int skip = (int)p->fallback; skip > 0 && strchr(word, '|'); skip--) {
            word = strchr(word, '|') + 1;
        }
        return up_to(&word, "|");
    }
    return unknown;
}

/** What of the family's pairs tells this member from the others. */
static void put_differing(const family *f, const parts *member, char text[TEXT_BYTES])
{
    const bool only_one = count_differing(f) == 1;
    for (size_t k = 0; k < f->key_count; k++) {
        const part *shared;
        char room[32];
        const size_t sayers = count_sayers(f, f->keys[k], &shared);
        const part *const said = value_of(member, f->keys[k]);
        part value = said ? *said : (part){"", 0};
        if (!said && (only_one || 2 * sayers > f->members)) {
            value = default_of(member->family, f->keys[k], room);
        }
        if (!shared && value.length > 0) {
            append_pair(text, " ", f->keys[k], value);
        }
    }
}

/** "ist: packing=cover, voxels=64": what all members say. "" for nothing, unless the family itself
 * has to be named. */
static void put_shared(const family *f, bool name_it, char text[TEXT_BYTES])
{
    char pairs[TEXT_BYTES] = "";
    const parts *member = f->all;
    while (member->family_index != f->index) {
        member++;
    }
    for (size_t k = 0; k < f->key_count; k++) {
        const part *shared;
        count_sayers(f, f->keys[k], &shared);
        if (shared) {
            append_pair(pairs, ", ", f->keys[k], *shared);
        }
    }
    *text = '\0';
    if (*pairs || name_it) {
        append(text, "", member->family);
    }
    if (*pairs) {
        append(text, ": ", (part){pairs, strlen(pairs)});
    }
}

/* --- Labels ----------------------------------------------------------------------------------- */

/** Where two labels came out alike, names are told in full: a reader must not take one for
 * another. */
static void tell_twins_apart(const char *const *variants, size_t count, char (*labels)[TEXT_BYTES])
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

static void write_labels(const parts *all, size_t count, size_t families,
                         char (*labels)[TEXT_BYTES])
{
    for (size_t i = 0; i < count; i++) {
        const family f = gather(all, count, all[i].family_index);
        if (families > 1 || count == 1) {
            append(labels[i], "", all[i].family);
        }
        put_differing(&f, &all[i], labels[i]);
        if (!*labels[i]) {
            append(labels[i], "", (part){"default", strlen("default")});
        }
    }
}

static const char *write_shared(const parts *all, size_t count, size_t families, base_arena *arena)
{
    char *const text = base_arena_alloc(arena, families, TEXT_BYTES);
    size_t used = 0;
    for (size_t index = 0; text && index < families; index++) {
        const family f = gather(all, count, index);
        char one[TEXT_BYTES];
        put_shared(&f, families == 1 && count > 1, one);
        if (*one) {
            used += (size_t)sprintf(text + used, "%s%.*s", used ? "; " : "", TEXT_BYTES - 4, one);
        }
    }
    return text;
}

/* --- Colours, dashes, markers ----------------------------------------------------------------- */

/** Okabe and Ito's palette, told apart by the colour-blind, without its yellow, which is lost on
 * white; a grey and a brown. */
static const uint32_t palette[] = {0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7,
                                   0xE69F00, 0x56B4E9, 0x7F7F7F, 0xA6761D};
enum { COLOURS = sizeof palette / sizeof *palette, SHADES = 3 };

/** gnuplot's shapes: filled ones first, then the same shapes empty, then crosses. */
static const unsigned shapes[BENCH_MARKERS] = {7, 5, 9, 11, 13, 15, 6, 4, 8, 10, 12, 14, 2, 1, 3};

/** Shade 0 is the colour itself, 1 is nearer to black, 2 nearer to white. */
static void put_colour(size_t colour, size_t shade, char text[8])
{
    uint32_t shaded = 0;
    for (int channel = 0; channel < 3; channel++) {
        uint32_t value = palette[colour % COLOURS] >> 8 * channel & 0xFF;
        switch (shade % SHADES) {
        case 1:
            value = value * 55 / 100;
            break;
        case 2:
            value = 255 - (255 - value) * 60 / 100;
            break;
        default:
            break;
        }
        shaded |= value << 8 * channel;
    }
    snprintf(text, 8, "#%06X", (unsigned)shaded);
}

static void put_look(const parts *p, size_t index, size_t families, bench_look *look)
{
    if (families == 1) {
        put_colour(p->member_index, p->member_index / COLOURS, look->colour);
    } else {
        put_colour(p->family_index, p->member_index + p->family_index / COLOURS, look->colour);
    }
    look->dash = (unsigned)(p->member_index % BENCH_DASHES) + 1;
    look->marker = shapes[index % BENCH_MARKERS];
}

/* --- All of it -------------------------------------------------------------------------------- */

/** Says of which family each is, in the order in which families are met; returns how many. */
static size_t number_families(parts *all, size_t count)
{
    size_t families = 0;
    for (size_t i = 0; i < count; i++) {
        all[i].family_index = families;
        for (size_t j = 0; j < i; j++) {
            if (equal(all[j].family, all[i].family)) {
                all[i].family_index = all[j].family_index;
                all[i].member_index = all[j].member_index + 1;
            }
        }
        families += all[i].family_index == families;
    }
    return families;
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
        all[i] = take_apart(variants[i]);
    }
    const size_t families = number_families(all, count);
    write_labels(all, count, families, labels);
    tell_twins_apart(variants, count, labels);
    looks->shared = write_shared(all, count, families, arena);
    for (size_t i = 0; i < count; i++) {
        looks->items[i].label = labels[i];
        put_look(&all[i], i, families, &looks->items[i]);
    }
    return looks->shared ? BASE_OK : base_fail(err, BASE_ERR_MEMORY, "out of memory");
}
