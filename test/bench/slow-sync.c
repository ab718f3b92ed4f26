/* Loaded before libc (LD_PRELOAD): every device sync takes SLOW_SYNC_US microseconds more. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static void wait_more(void) {
  const char *us = getenv("SLOW_SYNC_US");
  usleep(us ? (useconds_t)atoi(us) : 3000);
}

int fsync(int fd) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  wait_more();
  return real(fd);
}

int fdatasync(int fd) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  wait_more();
  return real(fd);
}
