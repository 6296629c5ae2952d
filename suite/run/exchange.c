#include "suite/run/exchange.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ALIGNMENT = 64 };

/** A worker uses descriptors 3, 4 and 5. Descriptors of the supervisor start at this number. */
enum { DESCRIPTORS_FROM = 16 };

static const uint64_t inputs_magic = 0x3173747570786270; /* "pbxputs1" */

/** The layout of one mesh in the file of the inputs. */
typedef struct mesh_header {
    uint64_t vertex_count, face_count;
    uint64_t vertices_at, faces_at; /* byte offsets from the start of the file */
    uint64_t solid;
    double volume_m3;
    vec3 centroid;
    geo_box box;
} mesh_header;

typedef struct inputs_header {
    uint64_t magic, bytes, frame_count, poses_at;
    mesh_header meshes[2]; /* by role */
} inputs_header;

static uint64_t aligned(uint64_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

int bench_descriptor_move(int low)
{
    if (low < 0) {
        return -1;
    }
    const int descriptor = fcntl(low, F_DUPFD_CLOEXEC, DESCRIPTORS_FROM);
    const int reason = errno;
    close(low);
    errno = reason;
    return descriptor;
}

/**
 * Creates an anonymous file of `bytes` zeros on a high descriptor. Returns -1 with errno if it
 * fails.
 */
static int create_file(const char *name, uint64_t bytes)
{
    const int descriptor =
        bench_descriptor_move(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (descriptor >= 0 && ftruncate(descriptor, (off_t)bytes) != 0) {
        const int reason = errno;
        close(descriptor);
        errno = reason;
        return -1;
    }
    return descriptor;
}

/**
 * Fixes the size of the file. Without this seal, a worker could truncate the file, and the
 * supervisor would die of SIGBUS when it touches a missing page. more: additional seals. Returns
 * false with errno if it fails.
 */
static bool seal(int descriptor, int more)
{
    return fcntl(descriptor, F_ADD_SEALS, more | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
}

static uint64_t place_mesh(const alg_mesh *mesh, uint64_t at, mesh_header *header)
{
    *header = (mesh_header){.vertex_count = mesh->vertex_count,
                            .face_count = mesh->face_count,
                            .vertices_at = at,
                            .faces_at = at + aligned(mesh->vertex_count * sizeof(vec3)),
                            .solid = mesh->solid,
                            .volume_m3 = mesh->volume_m3,
                            .centroid = mesh->centroid,
                            .box = mesh->box};
    return header->faces_at + aligned(mesh->face_count * sizeof(geo_face));
}

static void copy_mesh(const alg_mesh *mesh, const mesh_header *header, char *base)
{
    if (mesh->vertex_count > 0) {
        memcpy(base + header->vertices_at, mesh->vertices, mesh->vertex_count * sizeof(vec3));
    }
    if (mesh->face_count > 0) {
        memcpy(base + header->faces_at, mesh->faces, mesh->face_count * sizeof(geo_face));
    }
}

/**
 * Writes inputs into a new file and keeps them mapped.
 * Returns the mapping, with the size given in its header; NULL with *err and *descriptor == -1 if
 * it fails.
 */
static char *write_inputs(const alg_mesh *fixed, const alg_mesh *moving, const geo_pose *poses,
                          size_t frame_count, int *descriptor, base_error *err)
{
    inputs_header header = {.magic = inputs_magic, .frame_count = frame_count};
    uint64_t at = place_mesh(fixed, aligned(sizeof header), &header.meshes[0]);
    header.poses_at = place_mesh(moving, at, &header.meshes[1]);
    header.bytes = header.poses_at + aligned(frame_count * sizeof *poses);
    *descriptor = create_file("proxbench-inputs", header.bytes);
    char *const base = *descriptor < 0 ? MAP_FAILED
                                       : mmap(NULL, header.bytes, PROT_READ | PROT_WRITE,
                                              MAP_SHARED, *descriptor, 0);
    if (base == MAP_FAILED) {
        const int reason = errno;
        if (*descriptor >= 0) {
            close(*descriptor);
            *descriptor = -1;
        }
        (void)base_fail(err, BASE_ERR_SYSTEM, "cannot share %llu bytes of inputs: %s",
                        (unsigned long long)header.bytes, strerror(reason));
        return NULL;
    }
    memcpy(base, &header, sizeof header);
    copy_mesh(fixed, &header.meshes[0], base);
    copy_mesh(moving, &header.meshes[1], base);
    memcpy(base + header.poses_at, poses, frame_count * sizeof *poses);
    return base;
}

/**
 * Seals the size of the file, and adds the seal `against`, which forbids writing. Closes the file
 * if it cannot be sealed.
 */
static base_status seal_inputs(int *descriptor, int against, base_error *err)
{
    if (seal(*descriptor, against)) {
        return BASE_OK;
    }
    const int reason = errno;
    close(*descriptor);
    *descriptor = -1;
    return base_fail(err, BASE_ERR_SYSTEM, "cannot seal the inputs: %s", strerror(reason));
}

base_status bench_inputs_create(const alg_mesh *fixed, const alg_mesh *moving,
                                const geo_pose *poses, size_t frame_count, int *descriptor,
                                base_error *err)
{
    char *const base = write_inputs(fixed, moving, poses, frame_count, descriptor, err);
    if (!base) {
        return BASE_ERR_SYSTEM;
    }
    munmap(base, ((const inputs_header *)(const void *)base)->bytes);
    return seal_inputs(descriptor, F_SEAL_WRITE, err);
}

base_status bench_live_inputs_open(const alg_mesh *fixed, const alg_mesh *moving,
                                   bench_live_inputs *inputs, base_error *err)
{
    const geo_pose pose = {0};
    *inputs = (bench_live_inputs){.descriptor = -1};
    char *const base = write_inputs(fixed, moving, &pose, 1, &inputs->descriptor, err);
    if (!base) {
        return BASE_ERR_SYSTEM;
    }
    const inputs_header *const header = (const inputs_header *)(const void *)base;
    inputs->mapping = base;
    inputs->mapped_bytes = header->bytes;
    inputs->pose = (geo_pose *)(void *)(base + header->poses_at);
    const base_status status = seal_inputs(&inputs->descriptor, F_SEAL_FUTURE_WRITE, err);
    if (status != BASE_OK) {
        bench_live_inputs_close(inputs);
    }
    return status;
}

void bench_live_inputs_close(bench_live_inputs *inputs)
{
    if (inputs->mapping) {
        munmap(inputs->mapping, inputs->mapped_bytes);
    }
    if (inputs->descriptor >= 0) {
        close(inputs->descriptor);
    }
    *inputs = (bench_live_inputs){.descriptor = -1};
}

static alg_mesh view_mesh(const mesh_header *header, const char *base)
{
    return (alg_mesh){.size = sizeof(alg_mesh),
                      .vertices = (const vec3 *)(const void *)(base + header->vertices_at),
                      .vertex_count = header->vertex_count,
                      .faces = (const geo_face *)(const void *)(base + header->faces_at),
                      .face_count = header->face_count,
                      .solid = header->solid,
                      .volume_m3 = header->volume_m3,
                      .centroid = header->centroid,
                      .box = header->box};
}

base_status bench_inputs_map(int descriptor, bench_inputs *inputs, base_error *err)
{
    *inputs = (bench_inputs){0};
    struct stat file;
    if (fstat(descriptor, &file) != 0) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot read the size of the inputs: %s",
                         strerror(errno));
    }
    const size_t bytes = (size_t)file.st_size;
    char *const base = bytes >= sizeof(inputs_header)
                           ? mmap(NULL, bytes, PROT_READ, MAP_SHARED, descriptor, 0)
                           : MAP_FAILED;
    if (base == MAP_FAILED) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot map %zu bytes of inputs: %s", bytes,
                         strerror(errno));
    }
    const inputs_header *const header = (const inputs_header *)(const void *)base;
    if (header->magic != inputs_magic || header->bytes != bytes) {
        munmap(base, bytes);
        return base_fail(err, BASE_ERR_INPUT,
                         "the file that was passed to the worker does not contain inputs");
    }
    *inputs = (bench_inputs){.fixed = view_mesh(&header->meshes[0], base),
                             .moving = view_mesh(&header->meshes[1], base),
                             .poses = (const geo_pose *)(const void *)(base + header->poses_at),
                             .frame_count = header->frame_count};
    return BASE_OK;
}

/* --- Outputs ---------------------------------------------------------------------------------- */

/** Byte offsets in the file of the outputs, which begins with two numbers. */
typedef struct outputs_layout {
    size_t times, answers, regions, contacts, step_contacts;
} outputs_layout;

static outputs_layout layout_of(size_t frame_count)
{
    const size_t times = ALIGNMENT;
    const size_t answers = times + aligned(frame_count * sizeof(uint64_t));
    const size_t regions = answers + aligned(frame_count * sizeof(alg_answer));
    const size_t contacts = regions + aligned(frame_count * BENCH_REGIONS_MAX * sizeof(alg_region));
    const size_t step_contacts =
        contacts + aligned(frame_count * BENCH_CONTACTS_KEPT * sizeof(alg_contact));
    return (outputs_layout){times, answers, regions, contacts, step_contacts};
}

base_status bench_outputs_create(size_t frame_count, uint32_t contacts_max, int *descriptor,
                                 base_error *err)
{
    const uint64_t bytes =
        layout_of(frame_count).step_contacts + contacts_max * sizeof(alg_contact);
    *descriptor = create_file("proxbench-outputs", bytes);
    if (*descriptor >= 0 && seal(*descriptor, 0)) {
        return BASE_OK;
    }
    const int reason = errno;
    if (*descriptor >= 0) {
        close(*descriptor);
        *descriptor = -1;
    }
    return base_fail(err, BASE_ERR_SYSTEM, "cannot share the answers of %zu frames: %s",
                     frame_count, strerror(reason));
}

base_status bench_outputs_map(int descriptor, size_t frame_count, bench_outputs *outputs,
                              base_error *err)
{
    struct stat file = {0};
    const outputs_layout at = layout_of(frame_count);
    *outputs = (bench_outputs){0};
    const bool there = fstat(descriptor, &file) == 0;
    const size_t bytes = (size_t)file.st_size;
    char *const base =
        there ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0) : MAP_FAILED;
    if (base == MAP_FAILED) {
        return base_fail(err, BASE_ERR_SYSTEM, "cannot map the answers of %zu frames: %s",
                         frame_count, strerror(errno));
    }
    *outputs = (bench_outputs){
        .answers = (alg_answer *)(void *)(base + at.answers),
        .times_ns = (uint64_t *)(void *)(base + at.times),
        .frame = (volatile uint64_t *)(void *)base,
        .refused = (uint64_t *)(void *)base + 1,
        .regions = (alg_region *)(void *)(base + at.regions),
        .contacts = (alg_contact *)(void *)(base + at.contacts),
        .step_contacts = (alg_contact *)(void *)(base + at.step_contacts),
        .contacts_max = (uint32_t)((bytes - at.step_contacts) / sizeof(alg_contact)),
        .frame_count = frame_count,
        .mapping = base,
        .bytes = bytes,
    };
    return BASE_OK;
}

void bench_outputs_forget(const bench_outputs *outputs)
{
    madvise(outputs->mapping, outputs->bytes, MADV_DONTNEED);
}

void bench_outputs_unmap(bench_outputs *outputs)
{
    if (outputs->mapping) {
        munmap(outputs->mapping, outputs->bytes);
    }
    *outputs = (bench_outputs){0};
}
