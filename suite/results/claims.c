#include "suite/results/claims.h"

#define COLUMN(name, kind, unit, role, member, empty, meaning)                                     \
    BENCH_COLUMN(name, kind, unit, role, bench_claims_row, member, 0, empty, meaning)
#define NOT_MEASURED "nothing was measured"

static const bench_column columns[] = {
    COLUMN("experiment", TEXT, "", FACT, experiment, "", "experiment that makes the claim"),
    COLUMN("id", TEXT, "", FACT, id, "", "name of the claim in its experiment"),
    COLUMN("claim", TEXT, "", FACT, claim, "", "the claim in one sentence"),
    COLUMN("whose", WORD, "", FACT, whose, "",
           "paper: the paper's claim; ours: a claim of this suite"),
    COLUMN("measure", TEXT, "", FACT, measure, "", "formula of the number"),
    COLUMN("paper", NUMBER, "1", FACT, paper, "the claim has none", "the paper's number"),
    COLUMN("at_least", NUMBER, "1", FACT, at_least, "there is no such limit",
           "lower limit of the number"),
    COLUMN("at_most", NUMBER, "1", FACT, at_most, "there is no such limit",
           "upper limit of the number"),
    COLUMN("ours", NUMBER, "1", COST, ours, NOT_MEASURED,
           "number of this run; of several cells that which is worst for the claim"),
    COLUMN("lo", NUMBER, "1", COST, lo, NOT_MEASURED ", or launches are too few",
           "interval of the number: lower end; the number itself where it has no interval"),
    COLUMN("hi", NUMBER, "1", COST, hi, NOT_MEASURED ", or launches are too few", "upper end"),
    COLUMN("verdict", TEXT, "", COST, verdict, "", "holds, does not hold, or cannot tell"),
    COLUMN("reason", TEXT, "", COST, reason, "all cells were measured together",
           "cell that the number is of, or why there is none"),
    COLUMN("command", TEXT, "", FACT, command, "", "run that measures the number again"),
};
const bench_columns bench_claims_columns = {columns, sizeof columns / sizeof *columns};
