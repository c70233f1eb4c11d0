// sley: reach=true race=true deadlock=true memory=false overflow=true
// A `return` out of nested blocks ends the variables of all of them.
static int *inside;

static int search(int wanted)
{
    for (int i = 0; i < 3; i++) {
        int candidate = i;
        {
            int nested = candidate;
            if (inside)
                nested += *inside;
            if (i == wanted) {
                inside = &nested;
                return candidate;
            }
        }
    }
    return -1;
}

int main(void)
{
    int sum = 0;
    do
        sum += search(0);
    while (sum++ < 1);
    return sum;
}
