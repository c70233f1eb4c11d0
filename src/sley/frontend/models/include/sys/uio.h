#ifndef SLEY_SYS_UIO_H
#define SLEY_SYS_UIO_H

#if __has_include_next(<sys/uio.h>)
#include_next <sys/uio.h>
#else
#include <sys/types.h>

struct iovec {
    void *iov_base;
    size_t iov_len;
};

ssize_t writev(int descriptor, const struct iovec *parts, int count);
#endif

#endif
