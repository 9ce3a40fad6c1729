/* Recorded by LD_PRELOAD: what the server does to the files of one folder, and what it sends to its clients, in the
 * order in which it does it. DEEPWELL_TAP_FOLDER names the folder, DEEPWELL_TAP_LOG the record.
 *
 * What changes a file and what is sent is noted before the call, what makes a change durable or names a file behind it: so
 * whatever stands in the record before a reply had been done when the reply left. The file beside a database that its
 * connections share in memory is left out: nothing of it outlives the power. */

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

struct head {
    int32_t kind;
    int32_t fd;
    int64_t at;
    int64_t length;
};

enum { FILES = 65536 };
enum { NOTHING, A_FILE, A_CLIENT };

static int record = -1;
static const char *folder = "";
static unsigned char what[FILES];

__attribute__((constructor)) static void begin(void)
{
    const char *name = getenv("DEEPWELL_TAP_LOG");
    if (name)
        record = syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (getenv("DEEPWELL_TAP_FOLDER"))
        folder = getenv("DEEPWELL_TAP_FOLDER");
}

/* One record in one write, so that those of several threads do not mix. */
static void note_parts(int kind, int fd, int64_t at, const struct iovec *parts, int count)
{
    struct head head = {kind, fd, at, 0};
    struct iovec all[1 + 64] = {{&head, sizeof head}};
    if (record < 0)
        return;
    if (count > 64)
        abort();
    for (int n = 0; n < count; n++) {
        all[1 + n] = parts[n];
        head.length += parts[n].iov_len;
    }
    int before = errno;
    if (syscall(SYS_writev, record, all, 1 + count) != (long)(sizeof head + head.length))
        abort();
    errno = before;
}

static void note(int kind, int fd, int64_t at, const void *bytes, size_t length)
{
    struct iovec part = {(void *)bytes, length};
    note_parts(kind, fd, at, &part, 1);
}

static int is(int fd, int kind)
{
    return fd >= 0 && fd < FILES && what[fd] == kind;
}

static int is_ours(const char *path)
{
    size_t length = strlen(path);
    return record >= 0 && strncmp(path, folder, strlen(folder)) == 0 &&
           !(length > 4 && strcmp(path + length - 4, "-shm") == 0);
}

static int opened(int fd, const char *path, int flags)
{
    if (fd >= 0 && fd < FILES && is_ours(path)) {
        what[fd] = A_FILE;
        note('o', fd, flags, path, strlen(path));
    }
    return fd;
}

/* The function that would be called without us. */
#define NEXT(name) static __typeof__(name) *next; if (!next) next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

#define OPEN(name)                                   \
    int name(const char *path, int flags, ...)       \
    {                                                \
        NEXT(name);                                  \
        va_list more;                                \
        va_start(more, flags);                       \
        int mode = va_arg(more, int);                \
        va_end(more);                                \
        return opened(next(path, flags, mode), path, flags); \
    }
OPEN(open)
OPEN(open64)

int close(int fd)
{
    NEXT(close);
    if (fd >= 0 && fd < FILES && what[fd] != NOTHING) {
        what[fd] = NOTHING;
        note('c', fd, 0, NULL, 0);
    }
    return next(fd);
}

#define PWRITE(name, offset)                                                  \
    ssize_t name(int fd, const void *bytes, size_t length, offset at)         \
    {                                                                         \
        NEXT(name);                                                           \
        if (is(fd, A_FILE))                                                   \
            note('w', fd, at, bytes, length);                                 \
        return next(fd, bytes, length, at);                                   \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

static void note_written(int fd, const struct iovec *parts, int count)
{
    if (is(fd, A_CLIENT))
        note_parts('p', fd, 0, parts, count);
    else if (is(fd, A_FILE))
        note_parts('w', fd, lseek(fd, 0, SEEK_CUR), parts, count);
}

ssize_t write(int fd, const void *bytes, size_t length)
{
    NEXT(write);
    struct iovec part = {(void *)bytes, length};
    note_written(fd, &part, 1);
    return next(fd, bytes, length);
}

ssize_t writev(int fd, const struct iovec *parts, int count)
{
    NEXT(writev);
    note_written(fd, parts, count);
    return next(fd, parts, count);
}

ssize_t send(int fd, const void *bytes, size_t length, int flags)
{
    NEXT(send);
    struct iovec part = {(void *)bytes, length};
    note_written(fd, &part, 1);
    return next(fd, bytes, length, flags);
}

#define TRUNCATE(name, offset)           \
    int name(int fd, offset length)      \
    {                                    \
        NEXT(name);                      \
        if (is(fd, A_FILE))              \
            note('t', fd, length, NULL, 0); \
        return next(fd, length);         \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define SYNC(name)                    \
    int name(int fd)                  \
    {                                 \
        NEXT(name);                   \
        int result = next(fd);        \
        if (result == 0 && is(fd, A_FILE)) \
            note('s', fd, 0, NULL, 0); \
        return result;                \
    }
SYNC(fsync)
SYNC(fdatasync)

/* Two names, each with the zero behind it. */
static int named(int result, int kind, const char *from, const char *to)
{
    struct iovec parts[2] = {{(void *)from, strlen(from) + 1}, {(void *)to, strlen(to) + 1}};
    if (result == 0 && (is_ours(from) || is_ours(to)))
        note_parts(kind, -1, 0, parts, 2);
    return result;
}

int rename(const char *from, const char *to)
{
    NEXT(rename);
    return named(next(from, to), 'r', from, to);
}

int link(const char *from, const char *to)
{
    NEXT(link);
    return named(next(from, to), 'l', from, to);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
    NEXT(linkat);
    return named(next(from_folder, from, to_folder, to, flags), 'l', from, to);
}

int unlink(const char *path)
{
    NEXT(unlink);
    return named(next(path), 'u', path, path);
}

int mkdir(const char *path, mode_t mode)
{
    NEXT(mkdir);
    return named(next(path, mode), 'm', path, path);
}

int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags)
{
    NEXT(accept4);
    int client = next(fd, address, length, flags);
    struct sockaddr_in peer;
    socklen_t size = sizeof peer;
    if (client >= 0 && client < FILES && getpeername(client, (struct sockaddr *)&peer, &size) == 0 &&
        peer.sin_family == AF_INET) {
        what[client] = A_CLIENT;
        note('a', client, ntohs(peer.sin_port), NULL, 0);
    }
    return client;
}
