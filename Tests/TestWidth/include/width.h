// Licensed under the MIT License. See LICENSE.

/// The variable that tells Swift Testing how many test cases may run at the same time.
#define TEST_WIDTH_VARIABLE "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH"
