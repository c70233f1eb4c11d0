// sley: reach=true race=true deadlock=true memory=false overflow=true
// A compound literal in a condition ends with the whole statement.
int main(int count, char **arguments)
{
    int *number;
    if (*(number = &(int){3}) > count)
        count = *number;
    return *number;
}
