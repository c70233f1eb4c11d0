// sley: reach=true race=true deadlock=true memory=false overflow=true
// The element before the first.
int before, numbers[3], after;

int main(void)
{
    int *last = &numbers[2];
    return last[-2] + last[-3];
}
