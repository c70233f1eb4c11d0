// What all headers of this set share. They declare what programs use, with the types and values of Linux; a
// program that needs more is read with the headers of the system instead.
#ifndef SLEY_FEATURES_H
#define SLEY_FEATURES_H

#ifndef NULL
#define NULL ((void *)0)
#endif

#endif
