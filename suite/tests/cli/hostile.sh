# check-all: it waits for contestants that hang
# Under run, a contestant that misbehaves gets a row with its status, and the answers of all others
# are those of a run without it. Contestants of `faulty` and of the cases isolation, plugin and
# plugin-state are not tested here.
hang_limit 10
cube_poses
cat >hostile.c <<'END'
#define _GNU_SOURCE
#include "algorithms/algorithms.h"
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xmmintrin.h>

static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_DISTANCE || quantity == ALG_CONTACT ? ALG_APPROXIMATE : ALG_NOT_ANSWERED;
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role, void **prepared,
                          alg_build_info *info, alg_message *message)
{
    (void)settings, (void)role, (void)info, (void)message;
    *prepared = (void *)mesh;
    return ALG_OK;
}

static void dispose(void *prepared)
{
    (void)prepared;
}

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving, const alg_request *request,
                       void **state, alg_message *message)
{
    (void)settings, (void)moving, (void)request, (void)message;
    *state = (void *)fixed;
    return ALG_OK;
}

static void release(void *state)
{
    (void)state;
}

/** The distance of two unit cubes, up to their rotation. */
static void answer_well(const geo_pose *pose, alg_answer *answer)
{
    answer->outcome = ALG_CONVERGED;
    answer->answered = ALG_HAS_DISTANCE;
    answer->distance_m = pose->translation.x > 1 ? pose->translation.x - 1 : 0;
}

static void print_much(void)
{
    static char text[1 << 20];
    memset(text, 'x', sizeof text);
    for (int i = 0; i < 100; i++) {
        fwrite(text, 1, sizeof text, stdout);
    }
}

/** Writes into each descriptor that it finds open. */
static void write_everywhere(void)
{
    for (int fd = 3; fd < 256; fd++) {
        (void)!write(fd, "garbage garbage garbage garbage garbage garbage garbage", 55);
    }
}

static void *pause_for_ever(void *context)
{
    for (;;) {
        pause();
    }
    return context;
}

static void hang(void)
{
    pause_for_ever(NULL);
}

static void start_threads(void)
{
    for (int i = 0; i < 200; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, pause_for_ever, NULL);
    }
}

static void limit_to_none(int resource)
{
    const struct rlimit none = {0, 0};
    setrlimit(resource, &none);
}

#define QUERY(id, text, ...)                                                                          \
    static void id(void *state, const geo_pose *pose, alg_answer *answer)                             \
    {                                                                                                 \
        const alg_mesh *const mesh = state;                                                           \
        (void)mesh;                                                                                   \
        answer_well(pose, answer);                                                                    \
        __VA_ARGS__;                                                                                  \
    }                                                                                                 \
    static const alg_algorithm alg_##id = {                                                           \
        .abi_version = ALG_ABI_VERSION, .name = text, .summary = "hostile", .source = "",              \
        .contract = contract, .prepare = prepare, .dispose = dispose, .bind = bind, .release = release, .query = id};
QUERY(good, "good", (void)0)
QUERY(leaves, "leaves", _exit(0))
QUERY(stops, "stops", kill(getpid(), SIGSTOP))
QUERY(ignores_term, "ignores-term", signal(SIGTERM, SIG_IGN); hang())
QUERY(ends_never, "ends-never", atexit(hang))
QUERY(moves, "moves", (void)!chdir("/"))
QUERY(masks, "masks", umask(0777))
QUERY(speaks, "speaks", setlocale(LC_ALL, "C.UTF-8"))
QUERY(forbids_files, "forbids-files", limit_to_none(RLIMIT_FSIZE))
QUERY(forbids_opening, "forbids-opening", limit_to_none(RLIMIT_NOFILE))
QUERY(forbids_memory, "forbids-memory", limit_to_none(RLIMIT_AS))
QUERY(flushes_to_zero, "flushes-to-zero", _mm_setcsr(_mm_getcsr() | 0x8040))
QUERY(traps, "traps", feenableexcept(FE_INEXACT))
QUERY(prints_much, "prints-much", print_much())
QUERY(prints_escapes, "prints-escapes", printf("\033[2J"); fprintf(stderr, "\033[2J\n"))
QUERY(writes_everywhere, "writes-everywhere", write_everywhere())
QUERY(writes_mesh, "writes-mesh", *(double *)(uintptr_t)&mesh->vertices[0].x = 7)
QUERY(writes_pose, "writes-pose", ((geo_pose *)(uintptr_t)pose)->translation.x = 7)
QUERY(smashes_answer, "smashes-answer", memset(answer, 0xff, sizeof *answer))
QUERY(many_contacts, "many-contacts", answer->answered |= ALG_HAS_CONTACT | ALG_HAS_CONTACTS; answer->contact_count = 1000000000;
      answer->contacts = NULL)
QUERY(two_hundred_threads, "two-hundred-threads", static int once; if (!once++) start_threads())
QUERY(minus_one, "minus-one", answer->distance_m = -1)
QUERY(largest, "largest", answer->distance_m = 1e308)
QUERY(infinite, "infinite", answer->distance_m = 1.0 / 0.0)
QUERY(unknown_flags, "unknown-flags", answer->answered = ~0u)

ALG_EXPORT const alg_plugin *proxbench_plugin(void)
{
    static const alg_algorithm *const all[] = {
        &alg_leaves, &alg_stops, &alg_ignores_term, &alg_ends_never, &alg_moves, &alg_masks, &alg_speaks,
        &alg_forbids_files, &alg_forbids_opening, &alg_forbids_memory, &alg_flushes_to_zero, &alg_traps,
        &alg_prints_much, &alg_prints_escapes, &alg_writes_everywhere, &alg_writes_mesh, &alg_writes_pose,
        &alg_smashes_answer, &alg_many_contacts, &alg_two_hundred_threads, &alg_minus_one, &alg_largest,
        &alg_infinite, &alg_unknown_flags, &alg_good, NULL};
    static const alg_plugin plugin = {ALG_ABI_VERSION, sizeof(alg_algorithm), "1", ALG_SIMD, all};
    return &plugin;
}
END
cc -std=gnu11 -shared -fPIC -O1 "-I$root" hostile.c -o hostile.so -lm -lpthread

# go FOLDER PATTERN: runs these contestants
go() {
    "$proxbench" run --plugin ./hostile.so --a a.off --b a.off --trajectory t.csv --quantity distance \
        --algorithm "$2" --cache cache --mode smoke --quiet --timeout $limit --out "$1" >"$1.table" 2>"$1.errors"
    echo "[$?]"
    grep warning "$1.errors" | sort -u
}
go alone good,brute
go all 'leaves,stops,ignores-term,ends-never,moves,masks,speaks,forbids-files,forbids-opening,forbids-memory,flushes-to-zero,traps,prints-much,prints-escapes,writes-everywhere,writes-mesh,writes-pose,smashes-answer,many-contacts,two-hundred-threads,minus-one,largest,infinite,unknown-flags,good,brute'
# The contestant is killed sooner or later because it wrote invalid data into its socket, so its
# detail varies.
csv_columns all/cells.csv variant status detail |
    sed "s/within $limit s/within LIMIT s/; s/^\(writes-everywhere|crash|\).*/\1DETAIL/"
for variant in good brute; do
    for folder in alone all; do
        csv_columns $folder/pair/$variant.csv frame distance_m colliding >$folder.answers
    done
    cmp alone.answers all.answers
done
echo '# control characters of a plug-in do not reach the terminal'
grep -c "$(printf '\033')" all.table all.errors all/cells.csv all/manifest.csv

echo '# names, texts and sizes of a plug-in'
# build NAME "STATEMENTS": the good contestant, changed by the statements
build() {
    cat >"$1.c" <<END
#define proxbench_plugin whole
#include "hostile.c"
#undef proxbench_plugin
ALG_EXPORT const alg_plugin *proxbench_plugin(void)
{
    static alg_plugin p;
    static alg_algorithm a;
    static const alg_algorithm *const all[] = {&a, NULL};
    p = *whole(), a = alg_good, p.algorithms = all;
    $2;
    return &p;
}
END
    cc -std=gnu11 -w -shared -fPIC -O0 "-I$root" "$1.c" -o "$1.so" -lm -lpthread
    run list algorithms '*' --plugin "$1.so" --format csv | grep -a -v '^[a-z-]*,.*' | head -3 | cat -v |
        sed 's/this program has version [0-9]*/this program has version N/'
}
build up 'a.name = "../../x"'
build lines 'a.name = "x\ny"'
build quotes 'a.name = "x\"y"'
build shell 'a.name = "$(touch owned)"'
build gnuplot 'a.name = "x`touch owned`"'
build nameless 'a.name = NULL'
build empty 'a.name = ""'
build long 'static char name[251]; memset(name, 97, 250); a.name = name'
build summary 'a.summary = "\033[31mred\nline"'
build unit 'a.force_unit = "\033[31mred\nline"'
build large 'p.alg_size = 4000000000u'
build nothing 'p.alg_size = 0'
build late 'p.abi_version = 99'
build traps_early 'feenableexcept(FE_ALL_EXCEPT & ~FE_INEXACT)'
ls owned 2>&1 | grep -v 'cannot access'
true
