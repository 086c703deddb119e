// Licensed under the MIT License. See LICENSE.
//
// What glibc added in 2.35. A program that is linked on a newer system requires it, and would not start on an older system. With
// these functions a program runs from 2.34 on. They are hidden, so that the loader does not take them for the C library's own.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>

// hypot and hypotf have a second version, which does not set errno after an overflow. These request the first version.

#if defined(__x86_64__)
#define FIRST "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define FIRST "GLIBC_2.17"
#else
#error "The first version of hypot on this processor is not known: readelf --dyn-syms --wide libm.so.6 | grep hypot"
#endif

__asm__(".symver hypotOfFirstVersion, hypot@" FIRST);
__asm__(".symver hypotfOfFirstVersion, hypotf@" FIRST);

double hypotOfFirstVersion(double x, double y);
float hypotfOfFirstVersion(float x, float y);

__attribute__((visibility("hidden"))) double hypot(double x, double y) { return hypotOfFirstVersion(x, y); }

__attribute__((visibility("hidden"))) float hypotf(float x, float y) { return hypotfOfFirstVersion(x, y); }

// The compiler's runtime library uses _dl_find_object to look for the frames of an exception, and has no fallback if it fails. This
// implementation uses what older systems have.

struct search {
    uintptr_t address;
    struct dl_find_object *found;
};

static int look(struct dl_phdr_info *object, size_t size, void *argument) {
    struct search *search = argument;
    uintptr_t frames = 0, start = 0, end = 0;
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t begin = object->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_GNU_EH_FRAME) frames = begin;
        if (part->p_type == PT_LOAD && begin <= search->address && search->address < begin + part->p_memsz) {
            start = begin;
            end = begin + part->p_memsz;
        }
    }
    if (start == 0 || frames == 0) return 0;
    search->found->dlfo_flags = 0;
    search->found->dlfo_map_start = (void *)start;
    search->found->dlfo_map_end = (void *)end;
    search->found->dlfo_link_map = 0;
    search->found->dlfo_eh_frame = (void *)frames;
    return 1;
}

__attribute__((visibility("hidden"))) int _dl_find_object(void *address, struct dl_find_object *found) {
    struct search search = {(uintptr_t)address, found};
    return dl_iterate_phdr(look, &search) ? 0 : -1;
}
