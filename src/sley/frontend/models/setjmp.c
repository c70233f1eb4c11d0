// Jumps out of functions. A place to return to is only remembered; whoever jumps there is given up on, so that
// no call ever returns from here a second time.

int setjmp(void *place)
{
    *(long *)place = 0;
    return 0;
}

int _setjmp(void *place)
{
    return setjmp(place);
}

int sigsetjmp(void *place, int saves_mask)
{
    return setjmp(place);
}

int __sigsetjmp(void *place, int saves_mask)
{
    return setjmp(place);
}
