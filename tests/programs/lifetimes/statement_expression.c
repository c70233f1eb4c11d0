// sley: reach=true race=true deadlock=true memory=false overflow=true
// The block of a statement expression ends before its value is used.
int main(void)
{
    int sum = 0;
    for (int round = 0; round < 2; round++)
        sum += *({ int inner = round; int *address = &inner; address; });
    return sum;
}
