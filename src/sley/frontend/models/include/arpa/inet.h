#ifndef SLEY_ARPA_INET_H
#define SLEY_ARPA_INET_H

#if __has_include_next(<arpa/inet.h>)
#include_next <arpa/inet.h>
#else
unsigned short htons(unsigned short number);
unsigned short ntohs(unsigned short number);
unsigned int htonl(unsigned int number);
unsigned int ntohl(unsigned int number);
const char *inet_ntop(int family, const void *address, char *target, unsigned int size);
int inet_pton(int family, const char *text, void *target);
unsigned int inet_addr(const char *text);
#endif

#endif
