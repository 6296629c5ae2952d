#include "suite/claims/formula.h"

#include "base/text.h"
#include "suite/results/stats.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum node_kind {
    NODE_NUMBER,
    NODE_PAPER,
    NODE_COLUMN,
    NODE_OTHER, /* column of the other variant */
    NODE_PARAMETER,
    NODE_TEXT, /* the glob of `at` and `by` */
    NODE_NAME, /* an argument that is a time or a column */
    NODE_ADD,
    NODE_SUBTRACT,
    NODE_MULTIPLY,
    NODE_DIVIDE,
    NODE_LESS,
    NODE_LESS_OR_EQUAL,
    NODE_GREATER,
    NODE_GREATER_OR_EQUAL,
    NODE_EQUAL,
    NODE_UNEQUAL,
    NODE_AND,
    NODE_OR,
    NODE_SQRT,
    NODE_ABS,
    NODE_ACOS,
    NODE_LARGER,
    NODE_SMALLER,
    NODE_PREV,
    NODE_AT,
    NODE_BY,
    NODE_IF,
    NODE_MIN,
    NODE_MAX,
    NODE_MEAN,
    NODE_SUM,
    NODE_FIRST,
    NODE_LAST,
    NODE_P50,
    NODE_P95,
    NODE_P99,
    NODE_SHARE,
    NODE_FIT,
    NODE_RATIO,
    NODE_TIME,
    NODE_DIFFERS,
    NODE_PROMISES,
} node_kind;

typedef enum argument_kind { EXPRESSIONS, ROWS, NAMES, TEXT_FIRST } argument_kind;

typedef struct function {
    const char *name;
    node_kind kind;
    argument_kind arguments; /* ROWS: expressions that are evaluated in each row */
    int least, most;
} function;

static const function functions[] = {
    {"sqrt", NODE_SQRT, EXPRESSIONS, 1, 1},
    {"abs", NODE_ABS, EXPRESSIONS, 1, 1},
    {"acos", NODE_ACOS, EXPRESSIONS, 1, 1},
    {"larger", NODE_LARGER, EXPRESSIONS, 2, 2},
    {"smaller", NODE_SMALLER, EXPRESSIONS, 2, 2},
    {"prev", NODE_PREV, EXPRESSIONS, 1, 1},
    {"at", NODE_AT, TEXT_FIRST, 2, 2},
    {"by", NODE_BY, TEXT_FIRST, 2, 2},
    {"if", NODE_IF, EXPRESSIONS, 2, 2},
    {"min", NODE_MIN, ROWS, 1, 1},
    {"max", NODE_MAX, ROWS, 1, 1},
    {"mean", NODE_MEAN, ROWS, 1, 1},
    {"sum", NODE_SUM, ROWS, 1, 1},
    {"first", NODE_FIRST, ROWS, 1, 1},
    {"last", NODE_LAST, ROWS, 1, 1},
    {"p50", NODE_P50, ROWS, 1, 1},
    {"p95", NODE_P95, ROWS, 1, 1},
    {"p99", NODE_P99, ROWS, 1, 1},
    {"share", NODE_SHARE, ROWS, 1, 1},
    {"fit", NODE_FIT, ROWS, 2, 2},
    {"ratio", NODE_RATIO, NAMES, 1, 1},
    {"time", NODE_TIME, NAMES, 1, 1},
    {"differs", NODE_DIFFERS, NAMES, 1, BENCH_FORMULA_NAMES - 1},
    {"promises", NODE_PROMISES, NAMES, 0, 0},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

bench_interval bench_interval_exact(double value)
{
    return (bench_interval){value, value, value};
}

/* --- Parsing ---------------------------------------------------------------------------------- */

typedef struct parser {
    bench_formula *formula;
    const char *at;
    bool in_rows; /* inside of a statistic */
    base_error *err;
    base_status status;
} parser;

/** Returns -1, which means "no node" in all functions below. */
static int fail(parser *p, const char *reason)
{
    if (p->status == BASE_OK) {
        p->status = *p->at ? base_fail(p->err, BASE_ERR_INPUT, "%s at '%.40s'", reason, p->at)
                           : base_fail(p->err, BASE_ERR_INPUT, "%s at the end", reason);
    }
    return -1;
}

static int add_node(parser *p, node_kind kind, int first)
{
    bench_formula *const f = p->formula;
    if (p->status != BASE_OK) {
        return -1;
    }
    if (f->count == BENCH_FORMULA_NODES) {
        return fail(p, "the formula is too long");
    }
    f->nodes[f->count] = (bench_formula_node){.kind = (int)kind, .first = first, .next = -1};
    return f->count++;
}

static void skip_blanks(parser *p)
{
    p->at += strspn(p->at, " ");
}

/** Skips the token if it comes next. Returns true if it does. */
static bool take(parser *p, const char *token)
{
    skip_blanks(p);
    const size_t length = strlen(token);
    const bool found = strncmp(p->at, token, length) == 0;
    p->at += found ? length : 0;
    return found;
}

/** Adds a node whose name is the next `length` characters after `skipped` others. */
static int add_name(parser *p, node_kind kind, size_t skipped, size_t length)
{
    if (length == 0 || length >= BENCH_FORMULA_NAME) {
        return fail(p, "no name");
    }
    const int node = add_node(p, kind, -1);
    if (node >= 0) {
        memcpy(p->formula->nodes[node].name, p->at + skipped, length);
        p->at += skipped + length;
    }
    return node;
}

static size_t name_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_') {
        length++;
    }
    return length;
}

static int parse_condition(parser *p);

static int parse_text(parser *p)
{
    skip_blanks(p);
    const size_t length = *p->at == '\'' ? strcspn(p->at + 1, "'") : 0;
    if (length == 0 || p->at[1 + length] != '\'') {
        return fail(p, "no text in single quotes");
    }
    const int node = add_name(p, NODE_TEXT, 1, length);
    p->at += node >= 0;
    return node;
}

static int parse_argument(parser *p, const function *f, int index)
{
    if (f->arguments == NAMES) {
        skip_blanks(p);
        return add_name(p, NODE_NAME, 0, name_length(p->at));
    }
    return f->arguments == TEXT_FIRST && index == 0 ? parse_text(p) : parse_condition(p);
}

/** Parses the arguments of a call after its opening bracket, and the closing bracket. */
static int parse_arguments(parser *p, const function *f, int call)
{
    int last = -1, count = 0;
    while (p->status == BASE_OK && !take(p, ")")) {
        if (count > 0 && !take(p, ",")) {
            return fail(p, "no ',' or ')'");
        }
        const int argument = parse_argument(p, f, count++);
        if (argument < 0) {
            return -1;
        }
        *(last < 0 ? &p->formula->nodes[call].first : &p->formula->nodes[last].next) = argument;
        last = argument;
    }
    if (p->status == BASE_OK && (count < f->least || count > f->most)) {
        return fail(p, "wrong number of arguments");
    }
    return call;
}

static int parse_call(parser *p, size_t length)
{
    const char *names[FUNCTIONS + 1] = {NULL};
    const function *f = NULL;
    for (int i = 0; i < FUNCTIONS; i++) {
        names[i] = functions[i].name;
        if (strlen(names[i]) == length && strncmp(names[i], p->at, length) == 0) {
            f = &functions[i];
        }
    }
    if (!f) {
        char name[BENCH_FORMULA_NAME], near[200], reason[300];
        snprintf(name, sizeof name, "%.*s", (int)length, p->at);
        base_text_near(name, names, near, sizeof near);
        snprintf(reason, sizeof reason, "unknown function '%s'%s", name, near);
        return fail(p, reason);
    }
    if (f->arguments == ROWS && p->in_rows) {
        return fail(p, "a statistic inside of a statistic");
    }
    const bool was_in_rows = p->in_rows;
    p->in_rows = was_in_rows || f->arguments == ROWS;
    p->at = strchr(p->at, '(') + 1;
    const int node = add_node(p, f->kind, -1);
    const int call = node < 0 ? -1 : parse_arguments(p, f, node);
    p->in_rows = was_in_rows;
    return call;
}

static int parse_number(parser *p)
{
    char *end;
    const double value = strtod(p->at, &end);
    const int node = add_node(p, NODE_NUMBER, -1);
    if (node >= 0) {
        p->formula->nodes[node].number = value;
        p->at = end;
    }
    return node;
}

static int parse_primary(parser *p)
{
    static const char other[] = "other.";
    if (take(p, "(")) {
        const int node = parse_condition(p);
        return node < 0 || take(p, ")") ? node : fail(p, "no ')'");
    }
    if (take(p, "-")) {
        const int zero = add_node(p, NODE_NUMBER, -1), negated = parse_primary(p);
        if (negated < 0) {
            return -1;
        }
        p->formula->nodes[zero].next = negated;
        return add_node(p, NODE_SUBTRACT, zero);
    }
    skip_blanks(p);
    if (isdigit((unsigned char)*p->at)) {
        return parse_number(p);
    }
    if (*p->at == '$') {
        return add_name(p, NODE_PARAMETER, 1,
                        strspn(p->at + 1, "abcdefghijklmnopqrstuvwxyz0123456789-"));
    }
    if (strncmp(p->at, other, strlen(other)) == 0) {
        return add_name(p, NODE_OTHER, strlen(other), name_length(p->at + strlen(other)));
    }
    const size_t length = name_length(p->at);
    if (p->at[length] == '(' && length > 0) {
        return parse_call(p, length);
    }
    const bool paper = length == 5 && strncmp(p->at, "paper", length) == 0;
    return add_name(p, paper ? NODE_PAPER : NODE_COLUMN, 0, length);
}

/** Operators of one level. If an operator is a prefix of another, the longer one is first. */
typedef struct binary {
    const char *text;
    node_kind kind;
} binary;

static const binary levels[][7] = {
    {{"||", NODE_OR}},
    {{"&&", NODE_AND}},
    {{"<=", NODE_LESS_OR_EQUAL},
     {">=", NODE_GREATER_OR_EQUAL},
     {"==", NODE_EQUAL},
     {"!=", NODE_UNEQUAL},
     {"<", NODE_LESS},
     {">", NODE_GREATER}},
    {{"+", NODE_ADD}, {"-", NODE_SUBTRACT}},
    {{"*", NODE_MULTIPLY}, {"/", NODE_DIVIDE}},
};
enum { LEVELS = sizeof levels / sizeof *levels };

/** Parses operators of this level and those that bind more tightly; left to right. */
static int parse_level(parser *p, int level)
{
    if (level == LEVELS) {
        return parse_primary(p);
    }
    int node = parse_level(p, level + 1);
    for (const binary *o = levels[level]; node >= 0 && o->text; o++) {
        if (take(p, o->text)) {
            const int right = parse_level(p, level + 1);
            if (right < 0) {
                return -1;
            }
            p->formula->nodes[node].next = right;
            node = add_node(p, o->kind, node);
            o = levels[level] - 1;
        }
    }
    return node;
}

static int parse_condition(parser *p)
{
    return parse_level(p, 0);
}

base_status bench_formula_parse(const char *text, bench_formula *formula, base_error *err)
{
    *formula = (bench_formula){0};
    parser p = {.formula = formula, .at = text, .err = err};
    formula->root = parse_condition(&p);
    skip_blanks(&p);
    if (p.status == BASE_OK && *p.at) {
        fail(&p, "an operator is missing");
    }
    return p.status;
}

/* --- Properties of a formula ------------------------------------------------------------------ */

static bool ends_with(const char *name, const char *end)
{
    const size_t length = strlen(name), of_end = strlen(end);
    return length >= of_end && strcmp(name + length - of_end, end) == 0;
}

bool bench_formula_is_timed(const bench_formula *formula)
{
    bool timed = false;
    for (int i = 0; i < formula->count; i++) {
        const bench_formula_node *const n = &formula->nodes[i];
        timed = timed ||
                ((n->kind == NODE_COLUMN || n->kind == NODE_OTHER) && ends_with(n->name, "_ns"));
    }
    return timed;
}

bool bench_formula_reads_clock(const bench_formula *formula)
{
    bool reads = bench_formula_is_timed(formula);
    for (int i = 0; i < formula->count; i++) {
        const int kind = formula->nodes[i].kind;
        reads = reads || kind == NODE_RATIO || kind == NODE_TIME;
    }
    return reads;
}

bool bench_formula_has_promises(const bench_formula *formula)
{
    bool has = false;
    for (int i = 0; i < formula->count; i++) {
        has = has || formula->nodes[i].kind == NODE_PROMISES;
    }
    return has;
}

static bench_unit unit_of_column(const char *name)
{
    return ends_with(name, "_ns")     ? BENCH_UNIT_TIME
           : ends_with(name, "bytes") ? BENCH_UNIT_BYTES
           : strstr(name, "_rel") || strstr(name, "_size_") || ends_with(name, "_share")
               ? BENCH_UNIT_SHARE
               : BENCH_UNIT_NUMBER;
}

/** True for a count. A quotient by a count keeps the unit of its numerator. */
static bool is_plain_column(const bench_formula_node *n)
{
    return (n->kind == NODE_COLUMN || n->kind == NODE_OTHER) &&
           unit_of_column(n->name) == BENCH_UNIT_NUMBER;
}

static bench_unit unit_of(const bench_formula *f, int node)
{
    const bench_formula_node *const n = &f->nodes[node];
    switch ((node_kind)n->kind) {
    case NODE_COLUMN:
    case NODE_OTHER:
        return unit_of_column(n->name);
    case NODE_TIME:
        return BENCH_UNIT_TIME;
    case NODE_SHARE:
        return BENCH_UNIT_SHARE;
    case NODE_ADD:
    case NODE_SUBTRACT:
    case NODE_ABS:
    case NODE_LARGER:
    case NODE_SMALLER:
    case NODE_PREV:
    case NODE_MIN:
    case NODE_MAX:
    case NODE_MEAN:
    case NODE_SUM:
    case NODE_FIRST:
    case NODE_LAST:
    case NODE_P50:
    case NODE_P95:
    case NODE_P99:
        return unit_of(f, n->first);
    case NODE_AT:
    case NODE_BY:
    case NODE_IF:
        return unit_of(f, f->nodes[n->first].next);
    case NODE_DIVIDE:
        return is_plain_column(&f->nodes[f->nodes[n->first].next]) ? unit_of(f, n->first)
                                                                   : BENCH_UNIT_NUMBER;
    default:
        return BENCH_UNIT_NUMBER;
    }
}

bench_unit bench_formula_unit(const bench_formula *formula)
{
    return unit_of(formula, formula->root);
}

const char *bench_formula_column(const bench_formula *formula)
{
    const bench_formula_node *const root = &formula->nodes[formula->root];
    return root->kind == NODE_COLUMN ? root->name : NULL;
}

void bench_formula_columns(const bench_formula *formula,
                           void (*put)(void *context, const char *name), void *context)
{
    for (int i = 0; i < formula->count; i++) {
        const bench_formula_node *const n = &formula->nodes[i];
        if (n->kind == NODE_COLUMN || n->kind == NODE_OTHER || n->kind == NODE_NAME) {
            put(context, n->name);
        }
    }
}

/* --- Interval arithmetic ---------------------------------------------------------------------- */

static const bench_interval missing = {NAN, NAN, NAN};

/** Like fmin, but NaN if an argument is NaN. */
static double least_of(double a, double b)
{
    return isnan(a) || isnan(b) ? (double)NAN : fmin(a, b);
}

static double most_of(double a, double b)
{
    return isnan(a) || isnan(b) ? (double)NAN : fmax(a, b);
}

static bench_interval multiply(bench_interval a, bench_interval b)
{
    const double p[] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
    return (bench_interval){a.value * b.value, least_of(least_of(p[0], p[1]), least_of(p[2], p[3])),
                            most_of(most_of(p[0], p[1]), most_of(p[2], p[3]))};
}

/** Missing if the divisor is 0; without an interval if the divisor's interval contains 0. */
static bench_interval divide(bench_interval a, bench_interval b)
{
    if (b.value == 0) {
        return missing;
    }
    const bool bounded = b.lo > 0 || b.hi < 0;
    bench_interval inverse = {1 / b.value, NAN, NAN};
    if (bounded) {
        inverse.lo = 1 / b.hi;
        inverse.hi = 1 / b.lo;
    }
    bench_interval quotient = multiply(a, inverse);
    quotient.value = a.value / b.value;
    if (b.lo == b.hi && bounded && a.lo == a.hi) {
        quotient.lo = quotient.hi = quotient.value;
    }
    return quotient;
}

static double truth_of(bool known, bool value)
{
    return known ? (double)value : (double)NAN;
}

static double compare(node_kind kind, double a, double b)
{
    const bool known = !isnan(a) && !isnan(b);
    switch (kind) {
    case NODE_LESS:
        return truth_of(known, a < b);
    case NODE_LESS_OR_EQUAL:
        return truth_of(known, a <= b);
    case NODE_GREATER:
        return truth_of(known, a > b);
    case NODE_GREATER_OR_EQUAL:
        return truth_of(known, a >= b);
    case NODE_EQUAL:
        return truth_of(known, a == b);
    default:
        return truth_of(known, a != b);
    }
}

static double conjunction(double a, double b)
{
    return a == 0 || b == 0 ? 0 : truth_of(!isnan(a) && !isnan(b), true);
}

static double disjunction(double a, double b)
{
    const bool is_true = (a != 0 && !isnan(a)) || (b != 0 && !isnan(b));
    return is_true ? 1 : truth_of(!isnan(a) && !isnan(b), false);
}

/** Combines two arguments, which are independent of each other. */
static bench_interval combine(node_kind kind, bench_interval a, bench_interval b)
{
    switch (kind) {
    case NODE_ADD:
        return (bench_interval){a.value + b.value, a.lo + b.lo, a.hi + b.hi};
    case NODE_SUBTRACT:
        return (bench_interval){a.value - b.value, a.lo - b.hi, a.hi - b.lo};
    case NODE_MULTIPLY:
        return multiply(a, b);
    case NODE_DIVIDE:
        return divide(a, b);
    case NODE_LARGER:
        return (bench_interval){most_of(a.value, b.value), most_of(a.lo, b.lo),
                                most_of(a.hi, b.hi)};
    case NODE_SMALLER:
        return (bench_interval){least_of(a.value, b.value), least_of(a.lo, b.lo),
                                least_of(a.hi, b.hi)};
    case NODE_AND:
        return bench_interval_exact(conjunction(a.value, b.value));
    case NODE_OR:
        return bench_interval_exact(disjunction(a.value, b.value));
    default:
        return bench_interval_exact(compare(kind, a.value, b.value));
    }
}

/** Functions of one number. Cosines that exceed 1 by rounding count as 1. */
static bench_interval transform(node_kind kind, bench_interval a)
{
    switch (kind) {
    case NODE_SQRT:
        return (bench_interval){sqrt(a.value), sqrt(a.lo), sqrt(a.hi)};
    case NODE_ACOS:
        return bench_interval_exact(acos(least_of(most_of(a.value, -1), 1)));
    default:
        return (bench_interval){fabs(a.value),
                                a.lo <= 0 && a.hi >= 0 ? 0 : least_of(fabs(a.lo), fabs(a.hi)),
                                most_of(fabs(a.lo), fabs(a.hi))};
    }
}

/* --- Statistics ------------------------------------------------------------------------------- */

/** Returns 0 for statistics that are not percentiles. */
static unsigned percent_of(node_kind kind)
{
    return kind == NODE_P50 ? 50 : kind == NODE_P95 ? 95 : kind == NODE_P99 ? 99 : 0;
}

/** Computes one statistic of n > 0 numbers, which it may sort. */
static double statistic(node_kind kind, double *x, size_t n)
{
    double result = kind == NODE_LAST ? x[n - 1] : x[0];
    if (kind == NODE_FIRST || kind == NODE_LAST) {
        return result;
    }
    if (percent_of(kind) > 0) {
        bench_stats_sort_numbers(x, n);
        return bench_stats_percentile_number(x, n, percent_of(kind));
    }
    for (size_t i = 1; i < n; i++) {
        result = kind == NODE_MIN   ? fmin(result, x[i])
                 : kind == NODE_MAX ? fmax(result, x[i])
                                    : result + x[i];
    }
    return kind == NODE_MEAN || kind == NODE_SHARE ? result / (double)n : result;
}

/** With fewer rows the interval would need Student's distribution. */
enum { FIT_ROWS = 30 };

/** Least squares of ln y = constant + b ln x. */
static bench_interval fit(const double *x, const double *y, size_t n)
{
    const double normal_quantile = 1.96; /* of 95 %, two-sided */
    double mean_x = 0, mean_y = 0, sxx = 0, sxy = 0, residuals = 0;
    for (size_t i = 0; i < n; i++) {
        mean_x += x[i] / (double)n;
        mean_y += y[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        sxx += (x[i] - mean_x) * (x[i] - mean_x);
        sxy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    if (n < 3 || !(sxx > 0)) {
        return missing;
    }
    const double b = sxy / sxx;
    for (size_t i = 0; i < n; i++) {
        const double off = y[i] - mean_y - b * (x[i] - mean_x);
        residuals += off * off;
    }
    const double error = n < FIT_ROWS ? (double)NAN : sqrt(residuals / (double)(n - 2) / sxx);
    return (bench_interval){b, b - normal_quantile * error, b + normal_quantile * error};
}

/* --- Evaluation ------------------------------------------------------------------------------- */

typedef struct evaluation {
    const bench_formula *formula;
    const bench_formula_rows *rows;
} evaluation;

static bench_interval evaluate(const evaluation *e, int node, size_t row);

static bench_interval evaluate_fit(const evaluation *e, const bench_formula_node *n)
{
    double *const x = e->rows->scratch, *const y = x + e->rows->count;
    size_t count = 0;
    for (size_t row = 0; row < e->rows->count; row++) {
        const double a = evaluate(e, n->first, row).value;
        const double b = evaluate(e, e->formula->nodes[n->first].next, row).value;
        if (a > 0 && b > 0) {
            x[count] = log(a);
            y[count++] = log(b);
        }
    }
    return fit(x, y, count);
}

/**
 * Computes the statistic of values, lower ends and upper ends separately. This is correct because
 * no statistic decreases if one of its arguments increases.
 */
static bench_interval evaluate_statistic(const evaluation *e, const bench_formula_node *n)
{
    const size_t room = e->rows->count;
    double *const values = e->rows->scratch, *const lo = values + room, *const hi = lo + room;
    size_t count = 0;
    bool bounded = true;
    for (size_t row = 0; row < room; row++) {
        const bench_interval x = evaluate(e, n->first, row);
        if (!isnan(x.value)) {
            values[count] = x.value;
            lo[count] = x.lo;
            hi[count++] = x.hi;
            bounded = bounded && !isnan(x.lo) && !isnan(x.hi);
        }
    }
    if (count == 0) {
        return missing;
    }
    bench_interval result = {.lo = NAN, .hi = NAN};
    result.value = statistic((node_kind)n->kind, values, count);
    if (bounded) {
        result.lo = statistic((node_kind)n->kind, lo, count);
        result.hi = statistic((node_kind)n->kind, hi, count);
    }
    return result;
}

static double evaluate_differs(const evaluation *e, const bench_formula_node *n, size_t row)
{
    const char *names[BENCH_FORMULA_NAMES] = {NULL};
    size_t count = 0;
    for (int k = n->first; k >= 0; k = e->formula->nodes[k].next) {
        names[count++] = e->formula->nodes[k].name;
    }
    return e->rows->differs(e->rows->context, row, names);
}

static bench_interval evaluate_prev(const evaluation *e, const bench_formula_node *n, size_t row)
{
    const bool has_previous =
        row != BENCH_FORMULA_WHOLE && row > 0 && e->rows->follows(e->rows->context, row);
    return has_previous ? evaluate(e, n->first, row - 1) : missing;
}

/** Returns the second argument if the first one is true, otherwise missing. */
static bench_interval evaluate_if(const evaluation *e, const bench_formula_node *n, size_t row)
{
    const double condition = evaluate(e, n->first, row).value;
    return condition != 0 && !isnan(condition) ? evaluate(e, e->formula->nodes[n->first].next, row)
                                               : missing;
}

static bench_interval evaluate(const evaluation *e, int node, size_t row)
{
    const bench_formula_node *const n = &e->formula->nodes[node];
    const bench_formula_rows *const r = e->rows;
    const int second = n->first < 0 ? -1 : e->formula->nodes[n->first].next;
    switch ((node_kind)n->kind) {
    case NODE_NUMBER:
        return bench_interval_exact(n->number);
    case NODE_PAPER:
        return bench_interval_exact(r->paper);
    case NODE_COLUMN:
    case NODE_OTHER:
        return bench_interval_exact(r->column(r->context, row, n->kind == NODE_OTHER, n->name));
    case NODE_PARAMETER:
        return bench_interval_exact(r->parameter(r->context, row, n->name));
    case NODE_PREV:
        return evaluate_prev(e, n, row);
    case NODE_AT:
    case NODE_BY:
        return r->matches(r->context, row, n->kind == NODE_BY, e->formula->nodes[n->first].name)
                   ? evaluate(e, second, row)
                   : missing;
    case NODE_IF:
        return evaluate_if(e, n, row);
    case NODE_RATIO:
        return r->ratio(r->context, row, e->formula->nodes[n->first].name);
    case NODE_TIME:
        return r->time(r->context, row, e->formula->nodes[n->first].name);
    case NODE_DIFFERS:
        return bench_interval_exact(evaluate_differs(e, n, row));
    case NODE_PROMISES:
        return bench_interval_exact(r->promises(r->context, row));
    case NODE_SQRT:
    case NODE_ABS:
    case NODE_ACOS:
        return transform((node_kind)n->kind, evaluate(e, n->first, row));
    case NODE_FIT:
        return evaluate_fit(e, n);
    case NODE_MIN:
    case NODE_MAX:
    case NODE_MEAN:
    case NODE_SUM:
    case NODE_FIRST:
    case NODE_LAST:
    case NODE_P50:
    case NODE_P95:
    case NODE_P99:
    case NODE_SHARE:
        return evaluate_statistic(e, n);
    default:
        return combine((node_kind)n->kind, evaluate(e, n->first, row), evaluate(e, second, row));
    }
}

bench_interval bench_formula_evaluate(const bench_formula *formula, const bench_formula_rows *rows,
                                      size_t row)
{
    const evaluation e = {formula, rows};
    return evaluate(&e, formula->root, row);
}
