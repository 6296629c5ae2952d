/** Wavefront OBJ: vertices, then what stands on them; indices count from 1 over the whole file. */
#include "suite/replay/replay.h"

#include "geometry/pose.h"

static void put_vertex(bench_obj *obj, vec3 p)
{
    fprintf(obj->file, "v %.17g %.17g %.17g\n", p.x, p.y, p.z);
    obj->vertex_count++;
}

void bench_obj_group(bench_obj *obj, const char *name)
{
    /* Some programs split a file by groups, others by objects; in this order none does both. */
    fprintf(obj->file, "g %s\no %s\n", name, name);
}

void bench_obj_mesh(bench_obj *obj, const geo_mesh *mesh, const geo_pose *pose)
{
    const size_t first = obj->vertex_count + 1;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        put_vertex(obj, pose ? geo_pose_apply(pose, mesh->vertices[i]) : mesh->vertices[i]);
    }
    for (size_t f = 0; f < mesh->face_count; f++) {
        const uint32_t *const v = mesh->faces[f].v;
        fprintf(obj->file, "f %zu %zu %zu\n", first + v[0], first + v[1], first + v[2]);
    }
}

void bench_obj_line(bench_obj *obj, vec3 from, vec3 to)
{
    put_vertex(obj, from);
    put_vertex(obj, to);
    fprintf(obj->file, "l %zu %zu\n", obj->vertex_count - 1, obj->vertex_count);
}

void bench_obj_ball(bench_obj *obj, const geo_ball *ball)
{
    /* Corners of golden rectangles, normalised: 1 and the golden ratio over their hypotenuse. */
    static const double s = 0.52573111211913361, l = 0.85065080835203993;
    const vec3 corners[12] = {
        {-s, l,  0 },
        {s,  l,  0 },
        {-s, -l, 0 },
        {s,  -l, 0 },
        {0,  -s, l },
        {0,  s,  l },
        {0,  -s, -l},
        {0,  s,  -l},
        {l,  0,  -s},
        {l,  0,  s },
        {-l, 0,  -s},
        {-l, 0,  s },
    };
    static const unsigned char faces[20][3] = {
        {0,  11, 5 },
        {0,  5,  1 },
        {0,  1,  7 },
        {0,  7,  10},
        {0,  10, 11},
        {1,  5,  9 },
        {5,  11, 4 },
        {11, 10, 2 },
        {10, 7,  6 },
        {7,  1,  8 },
        {3,  9,  4 },
        {3,  4,  2 },
        {3,  2,  6 },
        {3,  6,  8 },
        {3,  8,  9 },
        {4,  9,  5 },
        {2,  4,  11},
        {6,  2,  10},
        {8,  6,  7 },
        {9,  8,  1 },
    };
    const size_t first = obj->vertex_count + 1;
    for (size_t i = 0; i < 12; i++) {
        put_vertex(obj, vec3_add(ball->centre, vec3_scale(ball->radius, corners[i])));
    }
    for (size_t f = 0; f < 20; f++) {
        fprintf(obj->file, "f %zu %zu %zu\n", first + faces[f][0], first + faces[f][1],
                first + faces[f][2]);
    }
}
