// Licensed under the MIT License. See LICENSE.

#pragma once

/// Starts to count the allocations of this process, on all threads. Frees are not counted.
void counted_allocations_begin(void);

/// Stops counting, and returns the number of allocations.
long counted_allocations_end(void);

/// The bytes of the heap that are in use. Unlike the size of the process, this excludes freed memory that the allocator keeps,
/// which would hide small growth.
long heap_bytes(void);
