/* A disk that fails where a test wants it to: an SQLite VFS above the system's own
   (<https://www.sqlite.org/vfs.html>). It is the default one from the first disk on; files that lie on
   no disk of a test are the system's, without a detour. */
#ifndef FAULT_VFS_H
#define FAULT_VFS_H

typedef struct fault_disk fault_disk;

/* What goes wrong, and which calls are counted for it. */
typedef enum {
    FAULT_IO_ERROR,    /* any call: SQLITE_IOERR_…, SQLITE_CANTOPEN */
    FAULT_DISK_FULL,   /* writes: SQLITE_FULL, nothing is written */
    FAULT_SHORT_WRITE, /* writes: half is written, then SQLITE_FULL */
    FAULT_BUSY,        /* locks: SQLITE_BUSY */
    FAULT_POWER_CUT    /* writes, truncations, syncs, deletions: this one and all that follow fail */
} fault_kind;

/* The files whose path begins with `folder` and that are opened from now on lie on this disk. Its
   syncs take no time: what counts as synced is kept in memory. */
fault_disk *fault_disk_new(const char *folder);

/* No file of the disk may be open any more. */
void fault_disk_free(fault_disk *disk);

/* The `position`th call from now (counted from 1) goes wrong; `lasting`: and all after it. */
void fault_disk_arm(fault_disk *disk, fault_kind kind, int position, int lasting);

/* All is well again. Returns how many calls went wrong since it was armed. */
int fault_disk_disarm(fault_disk *disk);

/* After a power cut, with no file open: the disk holds what was synced. With a seed other than 0 each
   sector that was written and not synced is the old or the new one, by chance. */
void fault_disk_power_on(fault_disk *disk, unsigned seed);

#endif
