/*
 * The queue of flux_queue.h, included once per instruction set.
 */
#include "groundtruth/flux/flux_kernel.h"

#include "geometry/pose.h"

static geo_triangle corners_of(const gt_pair_batch *batch, int side, unsigned i)
{
    geo_triangle t;
    for (int k = 0; k < 3; k++) {
        t.p[k] = (vec3){batch->corner[side][k][0][i], batch->corner[side][k][1][i],
                        batch->corner[side][k][2][i]};
    }
    return t;
}

static bool ask_exactly(gt_queue *q, unsigned i, gt_segment *segment)
{
    const geo_triangle a = corners_of(&q->batch, 0, i), b = corners_of(&q->batch, 1, i);
    const gt_facet facet_a = gt_facet_make(&a, q->batch.forward[0][i]);
    const gt_facet facet_b = gt_facet_make(&b, q->batch.forward[1][i]);
    return gt_facets_cross(&facet_a, &facet_b, segment, &q->exact);
}

static gt_crossing crossing_of(const gt_pair_answer *answer, int end, unsigned i)
{
    const bool of_b = (answer->of_b[end] >> i & 1) != 0;
    const int edge = answer->edge[end][i];
    return (gt_crossing){
        .point = {answer->point[end][0][i], answer->point[end][1][i], answer->point[end][2][i]},
        .edge = edge,
        .of_b = of_b
    };
}

static void set_corners(gt_queue *q, int side, unsigned i, const geo_triangle *t)
{
    for (int k = 0; k < 3; k++) {
        q->batch.corner[side][k][0][i] = t->p[k].x;
        q->batch.corner[side][k][1][i] = t->p[k].y;
        q->batch.corner[side][k][2][i] = t->p[k].z;
    }
}

/** Pairs from `first` on; lanes that are free repeat it. */
static void fill_batch(gt_queue *q, unsigned first)
{
    for (unsigned i = 0; i < GT_BATCH; i++) {
        const uint32_t *const places = q->places[first + i < q->count ? first + i : first];
        for (int side = 0; side < 2; side++) {
            const geo_triangle *const given = &q->tree[side]->triangles[places[side]];
            const geo_triangle moved =
                side == 0 ? *given : geo_pose_apply_triangle(q->pose, *given);
            set_corners(q, side, i, &moved);
            q->batch.forward[side][i] = q->forward[side][places[side]];
        }
    }
}

/** Tells the visitor which pairs of a batch cross. */
static void decide(gt_queue *q, unsigned first)
{
    fill_batch(q, first);
    gt_pair_answer answer;
    cross4(&q->batch, &answer);
    const unsigned count = q->count - first;
    const unsigned lanes = count < GT_BATCH ? (1u << count) - 1 : (1u << GT_BATCH) - 1;
    for (unsigned left = (answer.cross | answer.unknown) & lanes; left != 0 && q->go;
         left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        gt_segment segment;
        if ((answer.cross >> i & 1) != 0) {
            segment.start = crossing_of(&answer, 0, i);
            segment.end = crossing_of(&answer, 1, i);
        } else if (!ask_exactly(q, i, &segment)) {
            continue;
        }
        const geo_triangle corners[2] = {corners_of(&q->batch, 0, i), corners_of(&q->batch, 1, i)};
        q->go = q->visit(q->context, q->places[first + i], corners, &segment);
    }
}

static void flush(gt_queue *q)
{
    for (unsigned first = 0; first < q->count && q->go; first += GT_BATCH) {
        decide(q, first);
    }
    q->count = 0;
}

static void fetch_triangle(const geo_triangle *t)
{
    __builtin_prefetch(&t->p[0]);
    __builtin_prefetch(&t->p[2].z);
}

static void enqueue(gt_queue *q, uint32_t a, uint32_t b)
{
    fetch_triangle(&q->tree[0]->triangles[a]);
    fetch_triangle(&q->tree[1]->triangles[b]);
    q->places[q->count][0] = a;
    q->places[q->count][1] = b;
    if (++q->count == GT_QUEUE_MAX) {
        flush(q);
    }
}

static bool enqueue_all(gt_queue *q, uint32_t first, unsigned hits, uint32_t b)
{
    for (; hits != 0; hits &= hits - 1) {
        enqueue(q, first + (uint32_t)__builtin_ctz(hits), b);
    }
    return q->go;
}
