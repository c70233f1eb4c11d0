// sley: reach=true race=true deadlock=true memory=false overflow=true
// The braces of a branch are a block: a compound literal in them ends there.
int main(int count, char **arguments)
{
    int *number = 0;
    if (count > 0) {
        number = &(int){3};
    }
    return number ? *number : 0;
}
