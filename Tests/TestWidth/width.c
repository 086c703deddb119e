// Licensed under the MIT License. See LICENSE.

#include "width.h"
#include <stdlib.h>

// Swift Testing begins all tests at once and has no setting in a package for fewer. All of them together would need
// thousands of open files, and the time limit of one test would count the work of all others. The library reads this
// variable when a run begins, which is after the program's constructors. A value of the caller's own stays.
__attribute__((constructor)) static void limitTestWidth(void) {
    setenv(TEST_WIDTH_VARIABLE, "4", 0);
}
