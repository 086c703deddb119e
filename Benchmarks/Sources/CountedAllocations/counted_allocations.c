// Licensed under the MIT License. See LICENSE.

// These functions replace those of glibc, also for the shared libraries of the Swift runtime. They call glibc's functions by the
// names that it exports for this purpose.

#include "counted_allocations.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_bool is_counting;
static atomic_long allocations;

static void note(void) {
    if (atomic_load_explicit(&is_counting, memory_order_relaxed)) {
        atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    }
}

void counted_allocations_begin(void) {
    atomic_store(&allocations, 0);
    atomic_store(&is_counting, 1);
}

long counted_allocations_end(void) {
    atomic_store(&is_counting, 0);
    return atomic_load(&allocations);
}

long heap_bytes(void) {
    struct mallinfo2 all = mallinfo2();
    return (long)(all.uordblks + all.hblkhd);
}

void *malloc(size_t size) {
    note();
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    note();
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    note();
    return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    note();
    *block = __libc_memalign(alignment, size);
    return *block == NULL ? ENOMEM : 0;
}
