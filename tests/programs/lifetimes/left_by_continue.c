// sley: reach=true race=true deadlock=true memory=false overflow=true
// A block that is left by `continue` is left: in the next round its variable is another.
static int value;
static int *seen = &value;

int main(void)
{
    for (int round = 0; round < 3; round++) {
        if (round < 2) {
            int inner = round;
            int former = *seen;
            seen = &inner;
            inner = former;
            continue;
        }
    }
    return 0;
}
