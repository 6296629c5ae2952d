# check-all: waits for contestants that hang, in 50 s
# Under simulate, a contestant that misbehaves gets a row with its status. The rows and steps of all
# others are those of a simulation without it.
hang_limit 10
box a.off 0 0 0 1
box b.off -0.2 -0.2 0 0.4
# The body moves down onto the cube and into it. A faulty contestant fails when they touch.
awk 'BEGIN {
    print "frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw"
    for (i = 0; i <= 400; i++)
        printf "%d,%.3f,0.4,0.5,%.17g,0.1,0,0,0.99498743710661997\n", i, i * 0.001, 1.06 - 0.05 * (i < 200 ? i / 200 : 1)
}' >t.csv
mkdir -p include/proxbench
ln -s "$root/algorithms/algorithms.h" include/proxbench/
ln -s "$root/geometry" include/proxbench/geometry
cat >hostile.c <<'END'
#define _GNU_SOURCE
#include <proxbench/algorithms.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

typedef struct pair {
    const alg_mesh *mesh;
    unsigned wanted;
    int queries;
} pair;

static alg_contract contract(const alg_settings *settings, alg_quantity quantity)
{
    (void)settings;
    return quantity == ALG_FORCE || quantity == ALG_CONTACT ? ALG_APPROXIMATE : ALG_NOT_ANSWERED;
}

/** Notes that it hangs from now on. */
static void hang(void)
{
    close(open("hangs", O_CREAT | O_WRONLY, 0600));
    for (;;) {
        pause();
    }
}

static alg_status prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role, void **prepared,
                          alg_build_info *info, alg_message *message)
{
    (void)settings, (void)role, (void)info, (void)message;
    *prepared = (void *)mesh;
    return ALG_OK;
}

static alg_status refuse(const alg_settings *settings, const alg_mesh *mesh, alg_role role, void **prepared,
                         alg_build_info *info, alg_message *message)
{
    (void)settings, (void)role, (void)info, (void)mesh;
    *prepared = NULL;
    strcpy(message->text, "\033[31mred\nproxbench: all is well");
    return ALG_FAILED;
}

static alg_status hang_in_prepare(const alg_settings *settings, const alg_mesh *mesh, alg_role role, void **prepared,
                                  alg_build_info *info, alg_message *message)
{
    hang();
    return prepare(settings, mesh, role, prepared, info, message);
}

static void dispose(void *prepared)
{
    (void)prepared;
}

static alg_status bind(const alg_settings *settings, const void *fixed, const void *moving, const alg_request *request,
                       void **state, alg_message *message)
{
    (void)settings, (void)moving, (void)message;
    pair *const p = malloc(sizeof *p);
    *p = (pair){fixed, request->wanted, 0};
    *state = p;
    return ALG_OK;
}

static void reset(void *state)
{
    ((pair *)state)->queries = 0;
}

/** B is pushed up, out of A. */
static double answer_well(pair *p, const geo_pose *pose, alg_answer *answer)
{
    const double depth = 0.55 - pose->translation.z;
    p->queries++;
    answer->outcome = ALG_CONVERGED;
    answer->colliding = depth > 0;
    answer->answered = ALG_HAS_CONTACTS | (p->wanted & ALG_WANT_FORCE ? ALG_HAS_FORCE : ALG_HAS_CONTACT);
    answer->force.z = depth > 0 ? depth : 0;
    answer->contact_count = depth > 0;
    if (depth > 0 && answer->contact_capacity > 0) {
        answer->contacts[0] = (alg_contact){{0, 0, 0.5}, {0, 0, 1}, depth};
    }
    return depth;
}

#define QUERY(name, ...)                                                                \
    static void name(void *state, const geo_pose *pose, alg_answer *answer)             \
    {                                                                                   \
        pair *const p = state;                                                          \
        const double depth = answer_well(p, pose, answer);                              \
        const int strikes = p->queries == 300;                                          \
        (void)depth, (void)strikes;                                                     \
        __VA_ARGS__;                                                                    \
    }
QUERY(do_well, (void)0)
QUERY(write_mesh, if (strikes) *(double *)(uintptr_t)&p->mesh->vertices[0].x = 7)
QUERY(leave_folder, (void)!chdir("/"))
QUERY(forbid_files, const struct rlimit none = {0, 0}; setrlimit(RLIMIT_FSIZE, &none))
QUERY(colour, printf("\033[2J"); fprintf(stderr, strikes ? "\033[2J\n" : ""))
QUERY(wait_for_ever, if (strikes) hang())
QUERY(count_many, answer->contact_count = 1000000000)
QUERY(drop_buffer, answer->contact_count = 1; answer->contacts = NULL)
QUERY(write_beyond, if (answer->contact_capacity) answer->contacts[answer->contact_capacity].depth_m = 1)
QUERY(write_far_beyond, if (strikes) memset(answer->contacts + answer->contact_capacity, 0, 100000))

#define HOSTILE(id, text, make, ask)                                                                                 \
    static const alg_algorithm id = {.abi_version = ALG_ABI_VERSION, .name = text, .summary = "hostile",             \
                                     .source = "", .flags = ALG_KEEPS_STATE, .force_unit = "m", .contract = contract, \
                                     .prepare = make, .dispose = dispose, .bind = bind, .release = free,             \
                                     .reset = reset, .query = ask}
HOSTILE(good, "good", prepare, do_well);
HOSTILE(mesh, "writes-mesh", prepare, write_mesh);
HOSTILE(folder, "leaves-folder", prepare, leave_folder);
HOSTILE(files, "forbids-files", prepare, forbid_files);
HOSTILE(coloured, "prints-escapes", prepare, colour);
HOSTILE(refuses, "refuses-with-escapes", refuse, do_well);
HOSTILE(hangs, "hangs", prepare, wait_for_ever);
HOSTILE(hangs_early, "hangs-in-prepare", hang_in_prepare, do_well);
HOSTILE(many, "counts-1e9", prepare, count_many);
HOSTILE(dropped, "drops-buffer", prepare, drop_buffer);
HOSTILE(beyond, "writes-beyond", prepare, write_beyond);
HOSTILE(far_beyond, "writes-far-beyond", prepare, write_far_beyond);

ALG_EXPORT const alg_plugin *proxbench_plugin(void)
{
    static const alg_algorithm *const all[] = {&good, &mesh, &folder, &files, &coloured, &refuses, &hangs, &hangs_early,
                                               &many, &dropped, &beyond, &far_beyond, NULL};
    static const alg_plugin plugin = {ALG_ABI_VERSION, sizeof(alg_algorithm), "1", ALG_SIMD, all};
    return &plugin;
}
END
cc -shared -fPIC -O1 -Iinclude hostile.c -o hostile.so -lm

# go FOLDER ALGORITHMS ARGUMENT...: uses relative names, as a user types them
go() {
    out=$1 algorithms=$2
    shift 2
    "$proxbench" simulate --a a.off --b b.off --device t.csv --cache cache --plugin ./hostile.so --quiet --timeout $limit \
        --algorithm "$algorithms" --out "$out" "$@" >"$out.table" 2>"$out.errors"
    echo "[$?]"
}
# rows FOLDER: prints variant, status, steps, detail
rows() {
    csv_columns "$1/simulations.csv" variant status steps_count detail | sed "s/within $limit s/within LIMIT s/"
}
# same FOLDER VARIANT...: checks that their rows and steps equal those of the folder `alone`
same() {
    folder=$1
    shift
    for variant in "$@"; do
        file=$(printf %s "$variant" | tr ':,' '__')
        cmp "alone/pair/$file.steps.csv" "$folder/pair/$file.steps.csv"
        cmp "alone/trajectories/pair_$file.csv" "$folder/trajectories/pair_$file.csv"
        grep "^pair,$variant," alone/simulations.csv >row
        grep "^pair,$variant," "$folder/simulations.csv" | cmp - row
    done
}
# harm: counts the lines with bytes that control a terminal
harm() { grep -c "$(printf '\033')" "$@"; }

go alone 'exact-volume,good,pst:voxels=12'
rows alone
echo '# driven by forces'
faults=crashing,frame=300
for fault in aborting killed exiting hanging out-of-bounds writes-poses closes-descriptors shrinking forking signalling rounding; do
    faults="$faults,faulty:fault=$fault,frame=300"
done
for fault in crashes-in-prepare hangs-in-prepare fails-in-prepare declines; do
    faults="$faults,faulty:fault=$fault"
done
hostile=writes-mesh,leaves-folder,good,forbids-files,prints-escapes,refuses-with-escapes,counts-1e9,drops-buffer,writes-beyond
go force "exact-volume,$hostile,faulty:fault=$faults,pst:voxels=12"
rows force
same force exact-volume good pst:voxels=12
for variant in leaves-folder forbids-files prints-escapes; do
    cmp "force/pair/$variant.steps.csv" force/pair/good.steps.csv
done
wc -l <force/pair/writes-mesh.steps.csv
harm force.table force.errors force/simulations.csv
grep -c . force.table
grep escapes force.errors
echo '# driven by impulses at contacts'
go alone-impulses good,pst:voxels=12 --response impulses
go impulses good,counts-1e9,drops-buffer,writes-beyond,writes-far-beyond,pst:voxels=12 --response impulses
rows impulses
for file in good pst_voxels=12; do
    cmp alone-impulses/pair/$file.steps.csv impulses/pair/$file.steps.csv
done
echo '# resume: a variant that has its row is not simulated again'
cp -r force again
"$proxbench" simulate --resume again --quiet >again.table 2>again.errors
echo "[$?]"
cat again.errors
cmp force/simulations.csv again/simulations.csv
cmp force/simulation_times.csv again/simulation_times.csv
cmp force.table again.table
echo '# SIGTERM and SIGINT while a query hangs: the rows of finished variants are on disk'
limit=1000000
# interrupt SIGNAL VARIANT: sends the signal while the variant hangs
interrupt() {
    rm -rf stopped hangs
    # setsid: in a shell, a background job ignores SIGINT
    setsid "$proxbench" simulate --a a.off --b b.off --device t.csv --cache cache --plugin ./hostile.so --quiet \
        --timeout $limit --algorithm "exact-volume,$2,pst:voxels=12" --out stopped >out 2>err &
    until [ -e hangs ] || ! kill -0 $!; do
        sleep 0.02
    done
    rows stopped
    kill -"$1" $!
    wait $!
    echo "[$?]"
    rows stopped
    cat err
}
interrupt TERM hangs
interrupt INT hangs
interrupt TERM hangs-in-prepare
echo '# a waiting worker ends with the program'
for process in /proc/[0-9]*; do
    [ "$(readlink "$process/cwd")" != "$PWD" ] || tr '\0' ' ' <"$process/cmdline"
done 2>/dev/null | grep -c 'proxbench [w]orker'
true
