// `git archive` writes the commit here (.gitattributes): a tarball has no other way to know it.
#define RECORDED_COMMIT "$Format:%h$"
