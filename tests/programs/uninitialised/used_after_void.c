// sley: reach=true race=true deadlock=true memory=true overflow=true uninitialised=false
// A cast to void before gives a variable no value.
int main(void)
{
    int x;
    (void)x;
    return x != 0;
}
