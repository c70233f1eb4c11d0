#ifndef SLEY_UNISTD_H
#define SLEY_UNISTD_H

#include "sley_features.h"
#include <stddef.h>
#include <sys/types.h>

#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define _SC_ARG_MAX 0
#define _SC_CHILD_MAX 1
#define _SC_CLK_TCK 2
#define _SC_OPEN_MAX 4
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE _SC_PAGESIZE
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define _SC_PHYS_PAGES 85
#define _SC_AVPHYS_PAGES 86

unsigned int sleep(unsigned int seconds);
int usleep(useconds_t microseconds);
unsigned int alarm(unsigned int seconds);
int pause(void);
void _exit(int status) __attribute__((noreturn));
pid_t fork(void);
pid_t vfork(void);
pid_t getpid(void);
pid_t getppid(void);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getgid(void);
gid_t getegid(void);
int getpagesize(void);
long sysconf(int name);
int access(const char *path, int mode);
int close(int descriptor);
int dup(int descriptor);
int dup2(int from, int to);
int pipe(int descriptors[2]);
int pipe2(int descriptors[2], int flags);
ssize_t read(int descriptor, void *target, size_t size);
ssize_t write(int descriptor, const void *source, size_t size);
ssize_t pread(int descriptor, void *target, size_t size, off_t offset);
ssize_t pwrite(int descriptor, const void *source, size_t size, off_t offset);
off_t lseek(int descriptor, off_t offset, int origin);
int unlink(const char *path);
int rmdir(const char *path);
int chdir(const char *path);
char *getcwd(char *target, size_t size);
int isatty(int descriptor);
int chroot(const char *path);
int chown(const char *path, uid_t user, gid_t group);
int lchown(const char *path, uid_t user, gid_t group);
int fchown(int descriptor, uid_t user, gid_t group);
int fchdir(int descriptor);
int unlinkat(int folder, const char *path, int flags);
ssize_t readlink(const char *path, char *target, size_t size);
int setuid(uid_t user);
int seteuid(uid_t user);
int setgid(gid_t group);
int setegid(gid_t group);
pid_t setsid(void);
int gethostname(char *target, size_t size);
int fsync(int descriptor);
int fdatasync(int descriptor);
int ftruncate(int descriptor, off_t size);
int truncate(const char *path, off_t size);
int link(const char *from, const char *to);
int symlink(const char *from, const char *to);
int getopt(int count, char *const arguments[], const char *options);
extern char *optarg;
extern int optind, opterr, optopt;
int execv(const char *path, char *const arguments[]);
int execvp(const char *file, char *const arguments[]);

#endif
