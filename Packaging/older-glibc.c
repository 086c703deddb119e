// Licensed under the MIT License. See LICENSE.
//
// Two functions of glibc got a second version in 2.35, which leaves errno alone after an overflow. A program that is linked
// on a newer system asks for the second version, and older systems refuse to start it. These ask for the first one.

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

double hypot(double x, double y) { return hypotOfFirstVersion(x, y); }

float hypotf(float x, float y) { return hypotfOfFirstVersion(x, y); }
