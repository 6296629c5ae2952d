# check-all: it compiles plug-ins in C++
# needs-command: c++ pkg-config
# The same in C++: the header of the contract is C++11.
install_to "$PWD/root"
PKG_CONFIG_PATH=$PWD/root/lib/pkgconfig
export PKG_CONFIG_PATH
cflags=$(pkg-config --cflags proxbench)
cp "$root/examples/plugin.cpp" .
c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -shared -fPIC -O2 plugin.cpp $cflags -o libboxes.so
proxbench=$PWD/root/bin/proxbench
box a.off 0 0 0 1
box b.off 0 0 0 1
run query --plugin libboxes.so --algorithm boxes --a a.off --b b.off --pose 3,3,0,0,0,0,1
cat >t.csv <<'END'
frame,t_s,x_m,y_m,z_m,qx,qy,qz,qw
0,0,4,0,0,0,0,0,1
1,1,2,0.25,0,0,0,0.6,0.8
2,2,0.5,0.25,0,0,0,0,1
END
run run --plugin libboxes.so --a a.off --b b.off --trajectory t.csv --quantity distance \
    --algorithm 'boxes,brute' --mode smoke --out run --quiet |
    sed 's/ [0-9][0-9.]* [num]*s / T /g; s/  */ /g'

echo '# an exception that leaves the plug-in ends its worker only'
cat >throwing.cpp <<'END'
#include <proxbench/algorithms.h>
#define proxbench_plugin whole
#include "plugin.cpp"
#undef proxbench_plugin
#include <stdexcept>
namespace
{
alg_algorithm throwing[2];
void throw_late(void *state, const geo_pose *pose, alg_answer *answer)
{
    if (pose->translation.x < 1) {
        throw std::runtime_error("an overlap");
    }
    query(state, pose, answer);
}
alg_status throw_early(const alg_settings *, const alg_mesh *, alg_role, void **, alg_build_info *,
                       alg_message *)
{
    throw std::runtime_error("a mesh");
}
}
const alg_plugin *proxbench_plugin(void)
{
    static const alg_algorithm *const all[] = {&throwing[0], &throwing[1], nullptr};
    static alg_plugin plugin = *whole();
    throwing[0] = throwing[1] = *plugin.algorithms[0];
    throwing[0].name = "throws-late";
    throwing[0].query = throw_late;
    throwing[1].name = "throws-early";
    throwing[1].prepare = throw_early;
    plugin.algorithms = all;
    return &plugin;
}
END
c++ -std=c++11 -shared -fPIC -O2 throwing.cpp $cflags -o throwing.so
run run --plugin libboxes.so --plugin throwing.so --a a.off --b b.off --trajectory t.csv \
    --quantity distance --algorithm 'throws-*,boxes' --mode smoke --out thrown --quiet |
    sed '/: terminate called/d; /: *what():/d; s/ [0-9][0-9.]* [num]*s / T /g; s/  */ /g'
cat >entry.cpp <<'END'
#include <proxbench/algorithms.h>
const alg_plugin *proxbench_plugin(void)
{
    throw 1;
}
END
c++ -std=c++11 -shared -fPIC -O2 entry.cpp $cflags -o entry.so
run list algorithms --plugin entry.so | sed '/^terminate called/d'

echo '# names of a library do not clash with those of the header'
cat >names.cpp <<'END'
#include <array>
using vec3 = std::array<double, 3>;
using vec3f = std::array<float, 3>;
struct mat3 {};
namespace alg {}
#include <proxbench/algorithms.h>
END
c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -c names.cpp $cflags && echo it compiles
