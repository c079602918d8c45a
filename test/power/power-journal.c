// Writes down what a process does to the files of one folder, in order, with the syncs. From that the test builds what a
// power cut would leave (power-cut.ts). Files change as usual, so that the process reads what it wrote. Only the syncs are
// not carried out: they are lines of the journal.
//
// EARSHOT_POWER_FOLDER: the folder. EARSHOT_POWER_JOURNAL: where the journal goes. A memory-mapped file (-shm) is not
// followed: SQLite makes it anew when the first connection opens.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITE = 1, TRUNCATE = 2, SYNC = 3, CREATE = 4, RENAME = 5, UNLINK = 6 };
struct entry {
  uint64_t kind, inode, at, length;
};
#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static int journal = -1;

static const char *folder(void) { return getenv("EARSHOT_POWER_FOLDER"); }

static int is_in_folder(const char *path) {
  const char *name = folder();
  size_t length = name == NULL ? 0 : strlen(name);
  return length > 0 && path != NULL && strncmp(path, name, length) == 0 && (path[length] == '/' || path[length] == 0);
}

/** The inode of a file of the folder, or of the folder itself. 0: another file. */
static uint64_t followed(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  struct stat found;
  return is_in_folder(path) && fstat(fd, &found) == 0 ? found.st_ino : 0;
}

/** One line of the journal. A process killed halfway leaves half a line at the end, which did not happen. */
static void note(uint64_t kind, uint64_t inode, uint64_t at, const struct iovec *parts, int count) {
  struct iovec line[18];
  struct entry head = {kind, inode, at, 0};
  if (count > 16) abort();
  line[0] = (struct iovec){&head, sizeof head};
  for (int index = 0; index < count; index++) {
    line[index + 1] = parts[index];
    head.length += parts[index].iov_len;
  }
  if (journal < 0)
    journal = REAL(int, open, const char *, int, ...)(getenv("EARSHOT_POWER_JOURNAL"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (REAL(ssize_t, writev, int, const struct iovec *, int)(journal, line, count + 1) < 0) abort();
}

static void note_bytes(uint64_t kind, uint64_t inode, uint64_t at, const void *bytes, size_t length) {
  struct iovec part = {(void *)bytes, length};
  note(kind, inode, at, &part, 1);
}

#define LOCKED(...) \
  int before = errno; \
  pthread_mutex_lock(&one_at_a_time); \
  errno = before; \
  __VA_ARGS__; \
  before = errno; \
  pthread_mutex_unlock(&one_at_a_time); \
  errno = before;

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
  uint64_t inode = followed(fd);
  ssize_t done;
  if (inode == 0) return REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t)(fd, bytes, count, at);
  LOCKED({
    note_bytes(WRITE, inode, at, bytes, count);
    done = REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t)(fd, bytes, count, at);
  })
  return done;
}
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) { return pwrite64(fd, bytes, count, at); }

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at) {
  uint64_t inode = followed(fd);
  ssize_t done;
  if (inode == 0) return REAL(ssize_t, pwritev64, int, const struct iovec *, int, off64_t)(fd, parts, count, at);
  LOCKED({
    note(WRITE, inode, at, parts, count);
    done = REAL(ssize_t, pwritev64, int, const struct iovec *, int, off64_t)(fd, parts, count, at);
  })
  return done;
}
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) { return pwritev64(fd, parts, count, at); }

ssize_t write(int fd, const void *bytes, size_t count) {
  uint64_t inode = followed(fd);
  ssize_t done;
  if (inode == 0) return REAL(ssize_t, write, int, const void *, size_t)(fd, bytes, count);
  LOCKED({
    off_t at = fcntl(fd, F_GETFL) & O_APPEND ? lseek(fd, 0, SEEK_END) : lseek(fd, 0, SEEK_CUR);
    note_bytes(WRITE, inode, at, bytes, count);
    done = REAL(ssize_t, write, int, const void *, size_t)(fd, bytes, count);
  })
  return done;
}

int ftruncate64(int fd, off64_t length) {
  uint64_t inode = followed(fd);
  int done;
  if (inode == 0) return REAL(int, ftruncate64, int, off64_t)(fd, length);
  LOCKED({
    note(TRUNCATE, inode, length, NULL, 0);
    done = REAL(int, ftruncate64, int, off64_t)(fd, length);
  })
  return done;
}
int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

int fdatasync(int fd) {
  uint64_t inode = followed(fd);
  if (inode == 0) return REAL(int, fdatasync, int)(fd);
  LOCKED(note(SYNC, inode, 0, NULL, 0))
  return 0;
}
int fsync(int fd) {
  uint64_t inode = followed(fd);
  if (inode == 0) return REAL(int, fsync, int)(fd);
  return fdatasync(fd);
}

int open64(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
  va_end(more);
  if (!is_in_folder(path) || (flags & (O_CREAT | O_TRUNC)) == 0)
    return REAL(int, open64, const char *, int, ...)(path, flags, mode);
  int fd;
  LOCKED({
    int is_new = access(path, F_OK) != 0;
    fd = REAL(int, open64, const char *, int, ...)(path, flags, mode);
    uint64_t inode = fd < 0 ? 0 : followed(fd);
    if (inode != 0 && is_new) note_bytes(CREATE, inode, 0, path, strlen(path));
    if (inode != 0 && !is_new && flags & O_TRUNC) note(TRUNCATE, inode, 0, NULL, 0);
  })
  return fd;
}
int open(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
  va_end(more);
  return open64(path, flags, mode);
}

int rename(const char *from, const char *to) {
  if (!is_in_folder(to)) return REAL(int, rename, const char *, const char *)(from, to);
  int done;
  LOCKED({
    struct iovec parts[2] = {{(void *)from, strlen(from) + 1}, {(void *)to, strlen(to)}};
    done = REAL(int, rename, const char *, const char *)(from, to);
    if (done == 0) note(RENAME, 0, 0, parts, 2);
  })
  return done;
}

int unlink(const char *path) {
  if (!is_in_folder(path)) return REAL(int, unlink, const char *)(path);
  int done;
  LOCKED({
    done = REAL(int, unlink, const char *)(path);
    if (done == 0) note_bytes(UNLINK, 0, 0, path, strlen(path));
  })
  return done;
}
