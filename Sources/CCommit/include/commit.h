#pragma once

/// The commit that the program was built from, shortened; empty when nobody knows.
const char *_Nonnull remindd_commit(void);
