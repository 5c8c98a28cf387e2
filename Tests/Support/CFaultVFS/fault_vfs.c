#include "fault_vfs.h"

#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECTOR = 512 };

/* A file and what of it a power cut would leave. */
typedef struct durable {
    struct durable *next;
    char *path;
    char *bytes;
    size_t size;
} durable;

struct fault_disk {
    struct fault_disk *next;
    char *folder;
    durable *files;
    int armed, lasting, position, calls, failures;
    fault_kind kind;
};

typedef struct {
    sqlite3_file base;
    fault_disk *disk;
    durable *durable; /* NULL for files that nobody needs after a power cut */
    sqlite3_file real[];
} fault_file;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static fault_disk *disks;
static sqlite3_vfs *system_vfs;
static sqlite3_vfs fault_vfs;

/* Kinds of calls, a bit each. */
enum {
    OPENING = 1, READING = 2, WRITING = 4, TRUNCATING = 8, SYNCING = 16, LOCKING = 32, DELETING = 64
};

static int counted(fault_kind kind) {
    switch (kind) {
    case FAULT_IO_ERROR: return ~0;
    case FAULT_DISK_FULL:
    case FAULT_SHORT_WRITE: return WRITING;
    case FAULT_BUSY: return LOCKING;
    case FAULT_POWER_CUT: return WRITING | TRUNCATING | SYNCING | DELETING;
    }
    return 0;
}

/* Whether this call goes wrong. */
static int fails(fault_disk *disk, int call) {
    pthread_mutex_lock(&mutex);
    int wrong = 0;
    if (disk->armed && (counted(disk->kind) & call)) {
        int place = ++disk->calls;
        wrong = place == disk->position || (disk->lasting && place > disk->position);
    }
    /* Without power nothing works any more, whatever was counted. */
    if (disk->armed && disk->kind == FAULT_POWER_CUT && disk->calls >= disk->position) wrong = 1;
    disk->failures += wrong;
    pthread_mutex_unlock(&mutex);
    return wrong;
}

/* The result of a call of that kind that goes wrong, where SQLite's code for it is `code`. */
static int failure(fault_disk *disk, int code) {
    switch (disk->kind) {
    case FAULT_DISK_FULL:
    case FAULT_SHORT_WRITE: return SQLITE_FULL;
    case FAULT_BUSY: return SQLITE_BUSY;
    default: return code;
    }
}

/* Files as they are. */

static char *read_file(const char *path, size_t *size) {
    *size = 0;
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return NULL;
    char *bytes = NULL;
    if (fstat(descriptor, &status) == 0 && (bytes = malloc((size_t)status.st_size + 1))) {
        ssize_t count = pread(descriptor, bytes, (size_t)status.st_size, 0);
        *size = count > 0 ? (size_t)count : 0;
    }
    close(descriptor);
    return bytes;
}

/* The same through SQLite's file: closing another descriptor of it would drop its locks. */
static void note_synced(fault_file *file) {
    durable *record = file->durable;
    sqlite3_int64 size = 0;
    if (!record || file->real->pMethods->xFileSize(file->real, &size) != SQLITE_OK) return;
    char *bytes = malloc((size_t)size + 1);
    if (!bytes || file->real->pMethods->xRead(file->real, bytes, (int)size, 0) != SQLITE_OK) {
        free(bytes);
        return;
    }
    pthread_mutex_lock(&mutex);
    free(record->bytes);
    record->bytes = bytes;
    record->size = (size_t)size;
    pthread_mutex_unlock(&mutex);
}

static durable *find_durable(fault_disk *disk, const char *path) {
    for (durable *file = disk->files; file; file = file->next)
        if (strcmp(file->path, path) == 0) return file;
    return NULL;
}

/* The record of a file that is opened; what it holds the first time counts as synced. */
static durable *record_of(fault_disk *disk, const char *path, fault_file *file) {
    pthread_mutex_lock(&mutex);
    durable *record = find_durable(disk, path);
    int is_new = record == NULL;
    if (is_new && (record = calloc(1, sizeof *record))) {
        record->path = strdup(path);
        record->next = disk->files;
        disk->files = record;
    }
    pthread_mutex_unlock(&mutex);
    file->durable = record;
    if (is_new) note_synced(file);
    return record;
}

/* What SQLite calls on a file. */

static int file_close(sqlite3_file *base) {
    fault_file *file = (fault_file *)base;
    return file->real->pMethods->xClose(file->real);
}

static int file_read(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
    fault_file *file = (fault_file *)base;
    if (fails(file->disk, READING)) return SQLITE_IOERR_READ;
    return file->real->pMethods->xRead(file->real, bytes, count, offset);
}

static int file_write(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
    fault_file *file = (fault_file *)base;
    if (fails(file->disk, WRITING)) {
        if (file->disk->kind == FAULT_SHORT_WRITE)
            file->real->pMethods->xWrite(file->real, bytes, count / 2, offset);
        return failure(file->disk, SQLITE_IOERR_WRITE);
    }
    return file->real->pMethods->xWrite(file->real, bytes, count, offset);
}

static int file_truncate(sqlite3_file *base, sqlite3_int64 size) {
    fault_file *file = (fault_file *)base;
    if (fails(file->disk, TRUNCATING)) return SQLITE_IOERR_TRUNCATE;
    return file->real->pMethods->xTruncate(file->real, size);
}

static int file_sync(sqlite3_file *base, int flags) {
    (void)flags;
    fault_file *file = (fault_file *)base;
    if (fails(file->disk, SYNCING)) return SQLITE_IOERR_FSYNC;
    note_synced(file);
    return SQLITE_OK;
}

static int file_size(sqlite3_file *base, sqlite3_int64 *size) {
    fault_file *file = (fault_file *)base;
    if (fails(file->disk, READING)) return SQLITE_IOERR_FSTAT;
    return file->real->pMethods->xFileSize(file->real, size);
}

static int file_lock(sqlite3_file *base, int level) {
    fault_file *file = (fault_file *)base;
    if (fails(file->disk, LOCKING)) return failure(file->disk, SQLITE_IOERR_LOCK);
    return file->real->pMethods->xLock(file->real, level);
}

static int file_unlock(sqlite3_file *base, int level) {
    fault_file *file = (fault_file *)base;
    return file->real->pMethods->xUnlock(file->real, level);
}

static int file_check_lock(sqlite3_file *base, int *result) {
    fault_file *file = (fault_file *)base;
    if (fails(file->disk, LOCKING)) return failure(file->disk, SQLITE_IOERR_CHECKRESERVEDLOCK);
    return file->real->pMethods->xCheckReservedLock(file->real, result);
}

static int file_control(sqlite3_file *base, int operation, void *argument) {
    fault_file *file = (fault_file *)base;
    return file->real->pMethods->xFileControl(file->real, operation, argument);
}

static int file_sector(sqlite3_file *base) {
    fault_file *file = (fault_file *)base;
    return file->real->pMethods->xSectorSize(file->real);
}

static int file_device(sqlite3_file *base) {
    fault_file *file = (fault_file *)base;
    return file->real->pMethods->xDeviceCharacteristics(file->real);
}

static int shm_map(sqlite3_file *base, int page, int size, int extend, void volatile **memory) {
    fault_file *file = (fault_file *)base;
    if (fails(file->disk, extend ? WRITING : READING))
        return file->disk->kind == FAULT_IO_ERROR ? SQLITE_IOERR_SHMMAP : SQLITE_IOERR_SHMSIZE;
    return file->real->pMethods->xShmMap(file->real, page, size, extend, memory);
}

static int shm_lock(sqlite3_file *base, int offset, int count, int flags) {
    fault_file *file = (fault_file *)base;
    if ((flags & SQLITE_SHM_LOCK) && fails(file->disk, LOCKING))
        return failure(file->disk, SQLITE_IOERR_SHMLOCK);
    return file->real->pMethods->xShmLock(file->real, offset, count, flags);
}

static void shm_barrier(sqlite3_file *base) {
    fault_file *file = (fault_file *)base;
    file->real->pMethods->xShmBarrier(file->real);
}

static int shm_unmap(sqlite3_file *base, int remove) {
    fault_file *file = (fault_file *)base;
    return file->real->pMethods->xShmUnmap(file->real, remove);
}

/* Version 2: without memory-mapped reads, which no call could fail. */
static const sqlite3_io_methods methods = {
    2, file_close, file_read, file_write, file_truncate, file_sync, file_size, file_lock,
    file_unlock, file_check_lock, file_control, file_sector, file_device, shm_map, shm_lock,
    shm_barrier, shm_unmap, NULL, NULL
};

static fault_disk *disk_of(const char *path) {
    pthread_mutex_lock(&mutex);
    fault_disk *disk = disks;
    while (disk && !(path && strncmp(path, disk->folder, strlen(disk->folder)) == 0))
        disk = disk->next;
    pthread_mutex_unlock(&mutex);
    return disk;
}

static int vfs_open(
    sqlite3_vfs *vfs, const char *path, sqlite3_file *base, int flags, int *out_flags) {
    (void)vfs;
    fault_disk *disk = disk_of(path);
    if (!disk) return system_vfs->xOpen(system_vfs, path, base, flags, out_flags);
    fault_file *file = (fault_file *)base;
    file->base.pMethods = NULL;
    if (fails(disk, OPENING)) return SQLITE_CANTOPEN;
    int code = system_vfs->xOpen(system_vfs, path, file->real, flags, out_flags);
    if (code != SQLITE_OK) return code;
    file->base.pMethods = &methods;
    file->disk = disk;
    file->durable = NULL;
    if (flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL))
        record_of(disk, path, file);
    return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *path, int sync_folder) {
    (void)vfs;
    fault_disk *disk = disk_of(path);
    if (disk && fails(disk, DELETING)) return SQLITE_IOERR_DELETE;
    if (disk) {
        pthread_mutex_lock(&mutex);
        durable *record = find_durable(disk, path);
        if (record) record->size = 0;
        pthread_mutex_unlock(&mutex);
    }
    return system_vfs->xDelete(system_vfs, path, disk ? 0 : sync_folder);
}

static void register_vfs(void) {
    system_vfs = sqlite3_vfs_find(NULL);
    fault_vfs = *system_vfs;
    fault_vfs.pNext = NULL;
    fault_vfs.zName = "faults";
    fault_vfs.szOsFile = (int)sizeof(fault_file) + system_vfs->szOsFile;
    fault_vfs.xOpen = vfs_open;
    fault_vfs.xDelete = vfs_delete;
    sqlite3_vfs_register(&fault_vfs, 1);
}

/* Disks. */

fault_disk *fault_disk_new(const char *folder) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_vfs);
    fault_disk *disk = calloc(1, sizeof *disk);
    if (!disk || !(disk->folder = strdup(folder))) {
        free(disk);
        return NULL;
    }
    pthread_mutex_lock(&mutex);
    disk->next = disks;
    disks = disk;
    pthread_mutex_unlock(&mutex);
    return disk;
}

static void forget_files(fault_disk *disk) {
    while (disk->files) {
        durable *file = disk->files;
        disk->files = file->next;
        free(file->path);
        free(file->bytes);
        free(file);
    }
}

void fault_disk_free(fault_disk *disk) {
    pthread_mutex_lock(&mutex);
    fault_disk **place = &disks;
    while (*place != disk) place = &(*place)->next;
    *place = disk->next;
    pthread_mutex_unlock(&mutex);
    forget_files(disk);
    free(disk->folder);
    free(disk);
}

void fault_disk_arm(fault_disk *disk, fault_kind kind, int position, int lasting) {
    pthread_mutex_lock(&mutex);
    disk->kind = kind;
    disk->position = position;
    disk->lasting = lasting;
    disk->calls = disk->failures = 0;
    disk->armed = 1;
    pthread_mutex_unlock(&mutex);
}

int fault_disk_disarm(fault_disk *disk) {
    pthread_mutex_lock(&mutex);
    disk->armed = 0;
    int failures = disk->failures;
    pthread_mutex_unlock(&mutex);
    return failures;
}

static int chance(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return (int)(*state >> 31);
}

/* Writes what the power cut left of one file. */
static void restore(durable *file, unsigned *state) {
    size_t size = 0;
    char *written = read_file(file->path, &size);
    if (!written) return;
    size_t end = *state && size > file->size && chance(state) ? size : file->size;
    char *left = calloc(1, end + 1);
    if (left && file->size) memcpy(left, file->bytes, file->size < end ? file->size : end);
    for (size_t at = 0; left && *state && at < end && at < size; at += SECTOR) {
        size_t most = (end < size ? end : size) - at;
        if (chance(state)) memcpy(left + at, written + at, most < SECTOR ? most : SECTOR);
    }
    int descriptor = open(file->path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (left && descriptor >= 0 && pwrite(descriptor, left, end, 0) != (ssize_t)end) abort();
    if (descriptor >= 0) close(descriptor);
    free(left);
    free(written);
}

void fault_disk_power_on(fault_disk *disk, unsigned seed) {
    unsigned state = seed;
    for (durable *file = disk->files; file; file = file->next) {
        restore(file, &state);
        /* The index of the WAL is memory that all connections share: gone with the power. */
        char *index = sqlite3_mprintf("%s-shm", file->path);
        if (index) unlink(index);
        sqlite3_free(index);
    }
    /* What was left is what is there: it counts as synced when it is opened next. */
    forget_files(disk);
}
