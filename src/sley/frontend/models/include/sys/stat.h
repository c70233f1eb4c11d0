#ifndef SLEY_SYS_STAT_H
#define SLEY_SYS_STAT_H

#include <sys/types.h>
#include <time.h>

#define S_IFMT 0170000
#define S_IFIFO 0010000
#define S_IFCHR 0020000
#define S_IFDIR 0040000
#define S_IFBLK 0060000
#define S_IFREG 0100000
#define S_IFLNK 0120000
#define S_IFSOCK 0140000
#define S_ISUID 04000
#define S_ISGID 02000
#define S_ISVTX 01000
#define S_IRWXU 0700
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IXUSR 0100
#define S_IRWXG 0070
#define S_IRGRP 0040
#define S_IWGRP 0020
#define S_IXGRP 0010
#define S_IRWXO 0007
#define S_IROTH 0004
#define S_IWOTH 0002
#define S_IXOTH 0001
#define S_ISFIFO(mode) (((mode) & S_IFMT) == S_IFIFO)
#define S_ISCHR(mode) (((mode) & S_IFMT) == S_IFCHR)
#define S_ISDIR(mode) (((mode) & S_IFMT) == S_IFDIR)
#define S_ISBLK(mode) (((mode) & S_IFMT) == S_IFBLK)
#define S_ISREG(mode) (((mode) & S_IFMT) == S_IFREG)
#define S_ISLNK(mode) (((mode) & S_IFMT) == S_IFLNK)
#define S_ISSOCK(mode) (((mode) & S_IFMT) == S_IFSOCK)

struct stat {
    dev_t st_dev;
    ino_t st_ino;
#if __SIZEOF_LONG__ == 8
    unsigned long st_nlink;
    mode_t st_mode;
    uid_t st_uid;
    gid_t st_gid;
    int __unused;
#else
    mode_t st_mode;
    unsigned long st_nlink;
    uid_t st_uid;
    gid_t st_gid;
#endif
    dev_t st_rdev;
    off_t st_size;
    long st_blksize;
    long st_blocks;
    struct timespec st_atim, st_mtim, st_ctim;
    long __reserved[3];
};

#define st_atime st_atim.tv_sec
#define st_mtime st_mtim.tv_sec
#define st_ctime st_ctim.tv_sec

int stat(const char *path, struct stat *target);
int lstat(const char *path, struct stat *target);
int fstat(int descriptor, struct stat *target);
int mkfifo(const char *path, mode_t mode);
int mknod(const char *path, mode_t mode, dev_t device);
int mkdirat(int folder, const char *path, mode_t mode);
int mkdir(const char *path, mode_t mode);
int fchmod(int descriptor, mode_t mode);
int chmod(const char *path, mode_t mode);
mode_t umask(mode_t mask);

#endif
