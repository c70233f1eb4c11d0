// sley: reach=true race=false deadlock=true memory=true overflow=true args="--entry add"
// The first pointer of a function is to what callers share, even if it is only a number.

void add(int *counter, int *old) {
    *old = *counter;
    if (*counter < 10)
        (*counter)++;
}
