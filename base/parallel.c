#include "base/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#define THREADS_MAX 256u

typedef struct loop {
    base_parallel_body *body;
    void *context;
    size_t count, chunk, chunks;
    _Atomic size_t next; /* first chunk not yet taken */
} loop;

static void *work(void *argument)
{
    loop *const l = argument;
    for (;;) {
        const size_t c = atomic_fetch_add(&l->next, 1);
        if (c >= l->chunks) {
            return NULL;
        }
        const size_t begin = c * l->chunk;
        const size_t end = l->count - begin > l->chunk ? begin + l->chunk : l->count;
        l->body(l->context, begin, end);
    }
}

static unsigned default_threads(void)
{
    const char *const text = getenv("PROXBENCH_THREADS");
    if (text) {
        char *end;
        const long wanted = strtol(text, &end, 10);
        if (end != text && *end == '\0' && wanted >= 1) {
            return wanted > (long)THREADS_MAX ? THREADS_MAX : (unsigned)wanted;
        }
    }
    const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    return cpus < 1 ? 1 : cpus > (long)THREADS_MAX ? THREADS_MAX : (unsigned)cpus;
}

void base_parallel_for(size_t count, size_t chunk, unsigned threads, base_parallel_body *body,
                       void *context)
{
    if (count == 0) {
        return;
    }
    const size_t step = chunk == 0 ? 1 : chunk;
    loop l = {.body = body,
              .context = context,
              .count = count,
              .chunk = step,
              .chunks = (count - 1) / step + 1};
    size_t wanted = threads == 0 ? default_threads() : threads;
    wanted = wanted > THREADS_MAX ? THREADS_MAX : wanted;
    wanted = wanted > l.chunks ? l.chunks : wanted;

    pthread_t helpers[THREADS_MAX];
    size_t started = 0;
    /* If the system refuses more threads, the existing ones process all chunks. */
    while (started + 1 < wanted && pthread_create(&helpers[started], NULL, work, &l) == 0) {
        started++;
    }
    work(&l);
    for (size_t i = 0; i < started; i++) {
        pthread_join(helpers[i], NULL);
    }
}
