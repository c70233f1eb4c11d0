// sley: reach=true race=true deadlock=true memory=false overflow=true
// A variable dies at the end of its block, not of its function.
int main(void)
{
    int *pointer;
    {
        int inner = 1;
        pointer = &inner;
    }
    return *pointer;
}
