// sley: memory=false
// An uninitialised pointer may be anything, null among it.
int main(void)
{
    int *pointer;
    *pointer = 1;
    return 0;
}
