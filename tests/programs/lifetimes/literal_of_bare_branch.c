// sley: reach=true race=true deadlock=true memory=false overflow=true
// A statement under `if` is a block, also without braces: a compound literal in it ends there.
int main(int count, char **arguments)
{
    int *number = 0;
    if (count > 0)
        number = &(int){3};
    return number ? *number : 0;
}
