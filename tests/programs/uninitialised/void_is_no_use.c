// sley: reach=true race=true deadlock=true memory=true overflow=true uninitialised=true
// A cast to void says that a variable is not used.
int main(void)
{
    int x, *p;
    (void)x;
    (void)(p);
    return 0;
}
