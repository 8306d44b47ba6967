/* Stands between a program and the C library (LD_PRELOAD), counts the calls by which the program and its C libraries read, write and
   allocate, and lets one of them fail, or one and all after it.

   Which one is in a page of memory that the process shares with the one that watches it (interposer.py has the same layout). Calls
   count while that page says so. Standard error, devices and whatever is no file (sockets, pipes between processes) never fail. */

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { NONE = -1, READS, WRITES, INPUT, OUTPUT, IMPORTS, OBJECTS, BLOCKS, KINDS };

struct plan {
    atomic_int on;             /* whether calls count */
    int kind;                  /* whose call fails, NONE for none */
    long at;                   /* the number of the call, from 1 */
    int for_good;              /* and all after it */
    int error;                 /* errno */
    int imports_are_reads;     /* the files of modules count as others do */
    int list;                  /* the open file to which calls are listed, 0 for none */
    atomic_long count[KINDS];  /* calls so far */
    atomic_long failed;        /* failures so far */
    char call[64];             /* the first that has failed */
    char path[448];            /* its file */
};

static struct plan *plan;
static int watched; /* whether this process is the one whose calls count: it has forked since it got the page */

/* The page, which this process and all that it forks share until they end. */
void *interposer_page(void) {
    if (!plan) plan = mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return plan;
}

void interposer_begin(void) {
    watched = 1;
    atomic_store(&plan->on, 1);
}

#define FILES 1024
static char opened[FILES][PATH_MAX / 8]; /* the path of each open file, "" for none */
static signed char held[FILES];          /* 1: open for reading, 2: for writing */
static __thread int inside;              /* within a call of this file */

#define REAL(name) \
    static __typeof__(name) *real; \
    if (!real) { int was = inside; inside = 1; real = dlsym(RTLD_NEXT, #name); inside = was; }

static int ends_with(const char *path, const char *end) {
    size_t length = strlen(path), of_end = strlen(end);
    return length >= of_end && !strcmp(path + length - of_end, end);
}

static int is_of_a_module(const char *path) {
    if (ends_with(path, ".py") || ends_with(path, ".pyc") || ends_with(path, ".so") || strstr(path, "__pycache__")) return 1;
    const char *last = strrchr(path, '/');
    return strstr(path, "/lib/python3") && !strchr(last ? last : path, '.');
}

static int is_exempt(const char *path) {
    return !path || !*path || (!strncmp(path, "/dev/", 5) && strncmp(path, "/dev/shm/", 9)) || !strncmp(path, "/proc/", 6) || !strncmp(path, "/sys/", 5);
}

/* List a call: its kind, its number, its name and its file. */
static void list(enum kind kind, long number, const char *call, const char *path) {
    char line[PATH_MAX + 128];
    inside = 1;
    int length = snprintf(line, sizeof line, "%d\t%ld\t%s\t%s\n", kind, number, call, path ? path : "");
    inside = 0;
    syscall(SYS_write, plan->list, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
}

/* Whether this call fails: then errno is set. */
static int fails(enum kind kind, const char *call, const char *path) {
    if (!watched || inside || kind == NONE || !atomic_load(&plan->on)) return 0;
    if (kind == READS && path && is_of_a_module(path) && !plan->imports_are_reads) kind = IMPORTS;
    long number = atomic_fetch_add(&plan->count[kind], 1) + 1;
    if (plan->list && kind < OBJECTS) list(kind, number, call, path);
    if (plan->kind != (int)kind || (plan->for_good ? number < plan->at : number != plan->at)) return 0;
    if (!atomic_fetch_add(&plan->failed, 1)) {
        strncpy(plan->call, call, sizeof plan->call - 1);
        strncpy(plan->path, path ? path : "", sizeof plan->path - 1);
    }
    errno = kind == OBJECTS || kind == BLOCKS ? ENOMEM : plan->error;
    return 1;
}

/* Python itself never ends once the smallest of its objects cannot be made: if memory is gone for good, those that it takes from what it
   has already still can. */
enum { POOLED = 512 };

static int fails_to_allocate(size_t size) {
    if (watched && plan->for_good && size <= POOLED && atomic_load(&plan->failed)) return 0;
    return fails(OBJECTS, "allocate", NULL);
}

static int fails_at_path(enum kind kind, const char *call, const char *path) {
    return !is_exempt(path) && fails(kind, call, path);
}

/* A call on an open file: EACCES, which only names know, becomes EIO. */
static int fails_at_file(enum kind kind, const char *call, int file) {
    if (file == 0 && kind == READS) kind = INPUT;
    else if (file == 1 && kind == WRITES) kind = OUTPUT;
    else if (file < 0 || file >= FILES || !held[file]) return 0;
    const char *path = file == 0 ? "standard input" : file == 1 ? "standard output" : opened[file];
    if (!fails(kind, call, path)) return 0;
    if (errno == EACCES) errno = EIO;
    return 1;
}

static void note(int file, const char *path, int writes) {
    if (file <= 2 || file >= FILES) return;
    held[file] = is_exempt(path) ? 0 : writes ? 2 : 1;
    strncpy(opened[file], path ? path : "", sizeof opened[file] - 1);
}

static enum kind use_of(int file) { return file >= 0 && file < FILES && held[file] == 2 ? WRITES : READS; }

/* The path of a file that is named within an open folder. */
static const char *within(int folder, const char *path, char into[PATH_MAX]) {
    if (!path || *path == '/' || folder < 0 || folder >= FILES || !*opened[folder]) return path;
    int was = inside;
    inside = 1;
    int length = snprintf(into, PATH_MAX, "%s/%s", opened[folder], path);
    inside = was;
    return length < PATH_MAX ? into : path;
}

/* --- opening and closing --- */

static int writes_with(int flags) { return (flags & O_ACCMODE) != O_RDONLY || flags & O_CREAT; }

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        REAL(name) \
        mode_t mode = 0; \
        if (flags & (O_CREAT | O_TMPFILE)) { va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); } \
        int writes = writes_with(flags); \
        if (fails_at_path(writes ? WRITES : READS, writes ? "open to write" : "open", path)) return -1; \
        int file = real(path, flags, mode); \
        note(file, path, writes); \
        return file; \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
    int name(int folder, const char *path, int flags, ...) { \
        REAL(name) \
        mode_t mode = 0; \
        if (flags & (O_CREAT | O_TMPFILE)) { va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); } \
        char whole[PATH_MAX]; \
        const char *named = within(folder, path, whole); \
        int writes = writes_with(flags); \
        if (fails_at_path(writes ? WRITES : READS, writes ? "open to write" : "open", named)) return -1; \
        int file = real(folder, path, flags, mode); \
        note(file, named, writes); \
        return file; \
    }
OPENAT(openat)
OPENAT(openat64)

#define FOPEN(name) \
    FILE *name(const char *path, const char *mode) { \
        REAL(name) \
        int writes = strpbrk(mode, "wa+") != NULL; \
        if (fails_at_path(writes ? WRITES : READS, writes ? "open to write" : "open", path)) return NULL; \
        FILE *stream = real(path, mode); \
        if (stream) note(fileno(stream), path, writes); \
        return stream; \
    }
FOPEN(fopen)
FOPEN(fopen64)

int close(int file) {
    REAL(close)
    int failing = use_of(file) == WRITES && fails_at_file(WRITES, "close", file), error = errno;
    if (file >= 0 && file < FILES) held[file] = 0;
    int result = real(file);
    if (!failing) return result;
    errno = error;
    return -1;
}

int fclose(FILE *stream) {
    REAL(fclose)
    int file = fileno(stream), failing = use_of(file) == WRITES && fails_at_file(WRITES, "close", file), error = errno;
    if (file >= 0 && file < FILES) held[file] = 0;
    int result = real(stream);
    if (!failing) return result;
    errno = error;
    return EOF;
}

/* --- reading and writing: of what is to be written, half is there when it fails --- */

#define CALL(result, name, parameters, given, kind, file) \
    result name parameters { \
        REAL(name) \
        if (fails_at_file(kind, #name, file)) return -1; \
        return real given; \
    }
CALL(ssize_t, read, (int file, void *into, size_t size), (file, into, size), READS, file)
CALL(ssize_t, pread64, (int file, void *into, size_t size, off64_t at), (file, into, size, at), READS, file)
CALL(ssize_t, pread, (int file, void *into, size_t size, off_t at), (file, into, size, at), READS, file)
CALL(ssize_t, readv, (int file, const struct iovec *into, int count), (file, into, count), READS, file)
CALL(ssize_t, pwrite64, (int file, const void *data, size_t size, off64_t at), (file, data, size, at), WRITES, file)
CALL(ssize_t, writev, (int file, const struct iovec *data, int count), (file, data, count), WRITES, file)
CALL(int, fsync, (int file), (file), WRITES, file)
CALL(int, fdatasync, (int file), (file), WRITES, file)
CALL(int, ftruncate64, (int file, off64_t size), (file, size), WRITES, file)
CALL(int, ftruncate, (int file, off_t size), (file, size), WRITES, file)
CALL(int, fchmod, (int file, mode_t mode), (file, mode), WRITES, file)
CALL(int, flock, (int file, int how), (file, how), WRITES, file)

ssize_t write(int file, const void *data, size_t size) {
    REAL(write)
    if (file != 2 && fails_at_file(WRITES, "write", file)) {
        int error = errno;
        if (file != 1 && size > 1) (void)!real(file, data, size / 2);
        errno = error;
        return -1;
    }
    return real(file, data, size);
}

#define ERROR_SEEN 0x20 /* of glibc, for ferror */

size_t fread(void *into, size_t size, size_t count, FILE *stream) {
    REAL(fread)
    if (fails_at_file(READS, "fread", fileno(stream))) {
        stream->_flags |= ERROR_SEEN;
        return 0;
    }
    return real(into, size, count, stream);
}

size_t fwrite(const void *data, size_t size, size_t count, FILE *stream) {
    REAL(fwrite)
    if (fileno(stream) > 2 && fails_at_file(WRITES, "fwrite", fileno(stream))) {
        stream->_flags |= ERROR_SEEN;
        return 0;
    }
    return real(data, size, count, stream);
}

#define MAP(name, offset) \
    void *name(void *at, size_t size, int allowed, int flags, int file, offset from) { \
        REAL(name) \
        if (!(flags & MAP_ANONYMOUS) && fails_at_file(READS, "mmap", file)) return MAP_FAILED; \
        return real(at, size, allowed, flags, file, from); \
    }
MAP(mmap, off_t)
MAP(mmap64, off64_t)

/* --- names --- */

#define AT_PATH(result, name, parameters, given, kind, path) \
    result name parameters { \
        REAL(name) \
        if (fails_at_path(kind, #name, path)) return -1; \
        return real given; \
    }
#define AT_FOLDER(result, name, parameters, given, kind) \
    result name parameters { \
        REAL(name) \
        char whole[PATH_MAX]; \
        if (fails_at_path(kind, #name, within(folder, path, whole))) return -1; \
        return real given; \
    }
AT_PATH(int, stat64, (const char *path, struct stat64 *about), (path, about), READS, path)
AT_PATH(int, lstat64, (const char *path, struct stat64 *about), (path, about), READS, path)
AT_PATH(int, stat, (const char *path, struct stat *about), (path, about), READS, path)
AT_PATH(int, lstat, (const char *path, struct stat *about), (path, about), READS, path)
AT_FOLDER(int, fstatat64, (int folder, const char *path, struct stat64 *about, int flags), (folder, path, about, flags), READS)
AT_PATH(int, statx, (int folder, const char *restrict path, int flags, unsigned mask, struct statx *restrict about),
        (folder, path, flags, mask, about), READS, path)
AT_PATH(int, access, (const char *path, int mode), (path, mode), READS, path)
AT_PATH(int, faccessat, (int folder, const char *path, int mode, int flags), (folder, path, mode, flags), READS, path)
AT_PATH(ssize_t, readlink, (const char *restrict path, char *restrict into, size_t size), (path, into, size), READS, path)
AT_PATH(int, rename, (const char *old, const char *new), (old, new), WRITES, new)
AT_PATH(int, renameat, (int from, const char *old, int to, const char *new), (from, old, to, new), WRITES, new)
AT_PATH(int, link, (const char *old, const char *new), (old, new), WRITES, new)
AT_PATH(int, linkat, (int from, const char *old, int to, const char *new, int flags), (from, old, to, new, flags), WRITES, new)
AT_PATH(int, symlink, (const char *old, const char *new), (old, new), WRITES, new)
AT_PATH(int, unlink, (const char *path), (path), WRITES, path)
AT_FOLDER(int, unlinkat, (int folder, const char *path, int flags), (folder, path, flags), WRITES)
AT_PATH(int, mkdir, (const char *path, mode_t mode), (path, mode), WRITES, path)
AT_FOLDER(int, mkdirat, (int folder, const char *path, mode_t mode), (folder, path, mode), WRITES)
AT_PATH(int, rmdir, (const char *path), (path), WRITES, path)
AT_PATH(int, chmod, (const char *path, mode_t mode), (path, mode), WRITES, path)
AT_PATH(int, utimensat, (int folder, const char *path, const struct timespec times[2], int flags), (folder, path, times, flags), WRITES, path)

int fstat64(int file, struct stat64 *about) {
    REAL(fstat64)
    if (file > 2 && fails_at_file(READS, "fstat", file)) return -1;
    return real(file, about);
}

static char unread[FILES]; /* whether no entry of an open folder has been read: the system gives many at once */

DIR *opendir(const char *path) {
    REAL(opendir)
    if (fails_at_path(READS, "opendir", path)) return NULL;
    DIR *stream = real(path);
    if (stream) {
        note(dirfd(stream), path, 0);
        unread[dirfd(stream) % FILES] = 1;
    }
    return stream;
}

DIR *fdopendir(int file) {
    REAL(fdopendir)
    if (fails_at_file(READS, "opendir", file)) return NULL;
    unread[file % FILES] = 1;
    return real(file);
}

struct dirent64 *readdir64(DIR *stream) {
    REAL(readdir64)
    int file = dirfd(stream);
    if (unread[file % FILES] && fails_at_file(READS, "readdir", file)) return NULL;
    unread[file % FILES] = 0;
    return real(stream);
}

int closedir(DIR *stream) {
    REAL(closedir)
    int file = dirfd(stream);
    if (file >= 0 && file < FILES) held[file] = 0;
    return real(stream);
}

/* --- memory: blocks of the C library, and what Python allocates, objects among them --- */

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

void *malloc(size_t size) { return fails(BLOCKS, "malloc", NULL) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails(BLOCKS, "calloc", NULL) ? NULL : __libc_calloc(count, size); }
void *realloc(void *block, size_t size) { return fails(BLOCKS, "realloc", NULL) ? NULL : __libc_realloc(block, size); }

struct allocator { /* PyMemAllocatorEx */
    void *context;
    void *(*malloc)(void *, size_t);
    void *(*calloc)(void *, size_t, size_t);
    void *(*realloc)(void *, void *, size_t);
    void (*free)(void *, void *);
};

enum { DOMAINS = 3 };
static struct allocator usual[DOMAINS];

static void *python_malloc(void *context, size_t size) {
    struct allocator *of = context;
    return fails_to_allocate(size) ? NULL : of->malloc(of->context, size);
}
static void *python_calloc(void *context, size_t count, size_t size) {
    struct allocator *of = context;
    return fails_to_allocate(count * size) ? NULL : of->calloc(of->context, count, size);
}
static void *python_realloc(void *context, void *block, size_t size) {
    struct allocator *of = context;
    return fails_to_allocate(size) ? NULL : of->realloc(of->context, block, size);
}
static void python_free(void *context, void *block) {
    struct allocator *of = context;
    of->free(of->context, block);
}

/* Count what Python allocates from now on, in each of its domains. */
void interposer_watch_python(void) {
    void (*get)(int, struct allocator *) = dlsym(RTLD_DEFAULT, "PyMem_GetAllocator");
    void (*set)(int, struct allocator *) = dlsym(RTLD_DEFAULT, "PyMem_SetAllocator");
    for (int domain = 0; domain < DOMAINS; domain++) {
        get(domain, &usual[domain]);
        struct allocator watched = {&usual[domain], python_malloc, python_calloc, python_realloc, python_free};
        set(domain, &watched);
    }
}
