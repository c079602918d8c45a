// A disk that can be full or broken, for the files of one folder. Preloaded into a process, it fails the calls that would
// write or sync there, as the kernel does. The file named by EARSHOT_FAULT_FILE says what is wrong: "full", "quota",
// "write" or "sync". Without that file nothing is wrong.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int is_faulty(int fd, const char *kind) {
  const char *folder = getenv("EARSHOT_FAULT_FOLDER");
  const char *control = getenv("EARSHOT_FAULT_FILE");
  if (folder == NULL || control == NULL) return 0;
  char link[64], path[4096], fault[16] = {0};
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  if (strncmp(path, folder, strlen(folder)) != 0) return 0;
  int file = open(control, O_RDONLY);
  if (file < 0) return 0;
  ssize_t got = read(file, fault, sizeof fault - 1);
  close(file);
  return got > 0 && strncmp(fault, kind, strlen(kind)) == 0;
}

#define NO_WRITE(fd) \
  if (is_faulty(fd, "full")) { \
    errno = ENOSPC; \
    return -1; \
  } \
  if (is_faulty(fd, "quota")) { \
    errno = EDQUOT; \
    return -1; \
  } \
  if (is_faulty(fd, "write")) { \
    errno = EIO; \
    return -1; \
  }
#define NO_SYNC(fd) \
  if (is_faulty(fd, "sync")) { \
    errno = EIO; \
    return -1; \
  }
#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *bytes, size_t count) {
  NO_WRITE(fd)
  return REAL(ssize_t, write, int, const void *, size_t)(fd, bytes, count);
}
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
  NO_WRITE(fd)
  return REAL(ssize_t, pwrite, int, const void *, size_t, off_t)(fd, bytes, count, at);
}
ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
  NO_WRITE(fd)
  return REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t)(fd, bytes, count, at);
}
int fsync(int fd) {
  NO_SYNC(fd)
  return REAL(int, fsync, int)(fd);
}
int fdatasync(int fd) {
  NO_SYNC(fd)
  return REAL(int, fdatasync, int)(fd);
}
