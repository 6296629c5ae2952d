#include "suite/report/json.h"

#include "base/memory.h"
#include "suite/output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Values ----------------------------------------------------------------------------------- */

void bench_json_key(bench_json *json, const char *key)
{
    if (json->filled) {
        fputs(",", json->file);
    }
    if (key) {
        bench_json_put(json->file, key);
        fputs(":", json->file);
    }
    json->filled = true;
}

void bench_json_open(bench_json *json, const char *key, char kind)
{
    bench_json_key(json, key);
    fputc(kind, json->file);
    json->filled = false;
}

void bench_json_close(bench_json *json, char kind)
{
    fputc(kind, json->file);
    fputs(json->lines ? "\n" : "", json->file);
    json->filled = true;
}

void bench_json_text(bench_json *json, const char *key, const char *text)
{
    bench_json_key(json, key);
    if (text) {
        bench_json_put(json->file, text);
    } else {
        fputs("null", json->file);
    }
}

void bench_json_number(bench_json *json, const char *key, double value)
{
    bench_json_key(json, key);
    if (isfinite(value)) {
        fprintf(json->file, "%.17g", value);
    } else {
        fputs("null", json->file);
    }
}

void bench_json_numbers(bench_json *json, const char *key, const double *values, size_t count)
{
    bench_json_open(json, key, '[');
    for (size_t i = 0; i < count; i++) {
        bench_json_number(json, NULL, values[i]);
    }
    bench_json_close(json, ']');
}

void bench_json_flag(bench_json *json, const char *key, bool value)
{
    bench_json_key(json, key);
    fputs(value ? "true" : "false", json->file);
}

/* --- Arrays ----------------------------------------------------------------------------------- */

static const struct type {
    const char *name;
    size_t size;
} types[] = {
    [BENCH_ARRAY_U8] = {"u8", 1},   [BENCH_ARRAY_U16] = {"u16", 2}, [BENCH_ARRAY_U32] = {"u32", 4},
    [BENCH_ARRAY_F32] = {"f32", 4}, [BENCH_ARRAY_F64] = {"f64", 8},
};

static void put_base64(FILE *file, const unsigned char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const uint32_t three = (uint32_t)bytes[i] << 16 |
                               (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                               (left > 2 ? bytes[i + 2] : 0);
        fputc(digits[three >> 18], file);
        fputc(digits[three >> 12 & 63], file);
        fputc(left > 1 ? digits[three >> 6 & 63] : '=', file);
        fputc(left > 2 ? digits[three & 63] : '=', file);
    }
}

/** Returns the index of the array with this hash, or the number of arrays. */
static size_t find(const bench_arrays *a, const base_hash *hash)
{
    size_t i = 0;
    while (i < a->count && memcmp(&a->hashes[i], hash, sizeof *hash) != 0) {
        i++;
    }
    return i;
}

size_t bench_arrays_add(bench_arrays *a, bench_array_type type, const void *items, size_t count)
{
    const size_t bytes = count * types[type].size;
    base_hasher *const hasher = base_hasher_create();
    if (!a->file) {
        a->file = open_memstream(&a->text, &a->size);
    }
    a->failed = a->failed || !hasher || !a->file ||
                base_reserve(a->hashes, a->capacity, a->count + 1, NULL) != BASE_OK;
    if (hasher) {
        base_hasher_add_text(hasher, types[type].name);
        base_hasher_add(hasher, items, bytes);
    }
    if (a->failed) {
        if (hasher) {
            (void)base_hasher_finish(hasher);
        }
        return 0;
    }
    const base_hash hash = base_hasher_finish(hasher);
    const size_t found = find(a, &hash);
    if (found == a->count) {
        fprintf(a->file, "%s[\"%s\",\"", a->count > 0 ? ",\n" : "", types[type].name);
        put_base64(a->file, items, bytes);
        fputs("\"]", a->file);
        a->hashes[a->count++] = hash;
    }
    return found;
}

size_t bench_arrays_add_numbers(bench_arrays *a, const double *values, size_t count, bool exact)
{
    double largest = 0;
    bool integers = true;
    for (size_t i = 0; i < count && integers; i++) {
        integers = values[i] >= 0 && values[i] <= UINT32_MAX && values[i] == floor(values[i]);
        largest = fmax(largest, values[i]);
    }
    const bench_array_type type = integers && largest <= UINT8_MAX    ? BENCH_ARRAY_U8
                                  : integers && largest <= UINT16_MAX ? BENCH_ARRAY_U16
                                  : integers                          ? BENCH_ARRAY_U32
                                  : exact                             ? BENCH_ARRAY_F64
                                                                      : BENCH_ARRAY_F32;
    unsigned char *const items = base_alloc(count, types[type].size);
    for (size_t i = 0; items && i < count; i++) {
        const uint32_t integer = integers ? (uint32_t)values[i] : 0;
        const float single = (float)values[i];
        const void *const from = type == BENCH_ARRAY_F64   ? (const void *)&values[i]
                                 : type == BENCH_ARRAY_F32 ? (const void *)&single
                                                           : (const void *)&integer;
        memcpy(items + i * types[type].size, from, types[type].size); /* of little-endian numbers */
    }
    a->failed = a->failed || !items;
    const size_t index = items ? bench_arrays_add(a, type, items, count) : 0;
    base_free(items);
    return index;
}

base_status bench_arrays_finish(bench_arrays *a, const char *key, bench_json *json, base_error *err)
{
    if (a->file && fclose(a->file) != 0) {
        a->failed = true;
    }
    a->file = NULL;
    if (a->failed) {
        return base_fail(err, BASE_ERR_MEMORY, "out of memory");
    }
    bench_json_open(json, key, '[');
    fputs(a->text ? a->text : "", json->file);
    bench_json_close(json, ']');
    return BASE_OK;
}

void bench_arrays_release(bench_arrays *a)
{
    if (a->file) {
        fclose(a->file);
    }
    free(a->text); /* of open_memstream */
    base_free(a->hashes);
    *a = (bench_arrays){0};
}
