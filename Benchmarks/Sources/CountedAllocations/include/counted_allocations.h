// Licensed under the MIT License. See LICENSE.

#pragma once

/// Counts from now on what this process asks the allocator for, on all threads. Frees are not counted.
void counted_allocations_begin(void);

/// Ends the count, and returns it.
long counted_allocations_end(void);

/// How many bytes of the heap are in use. The room that the allocator keeps from what was freed does not count, as it does in the
/// size of the process: small growth disappears there.
long heap_bytes(void);
