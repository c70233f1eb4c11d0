// sley: reach=true race=true deadlock=true memory=false overflow=true
// A compound literal lives as long as the block around it, here one round.
struct pair {
    int first, second;
};

int main(void)
{
    struct pair *former = 0;
    int sum = 0;
    for (int round = 0; round < 2; round++) {
        struct pair *pair = &(struct pair){round, 1};
        if (former)
            sum = former->second;
        former = pair;
    }
    return sum;
}
