#include "commit.h"
#include "recorded.h"

#define TEXT_OF(word) #word
#define TEXT(word) TEXT_OF(word)

// A target of its own: with a new commit this file is compiled anew, and nothing else.
const char *remindd_commit(void) {
#ifdef REMINDD_COMMIT
    return TEXT(REMINDD_COMMIT);
#else
    return RECORDED_COMMIT[0] == '$' ? "" : RECORDED_COMMIT;
#endif
}
