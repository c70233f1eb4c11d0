// sley: reach=true race=true deadlock=true memory=false overflow=true
// A structure on the stack of a call is found through a list by the next call.
struct frame {
    int depth;
    struct frame *former;
};

static struct frame *top;

static int call(int depth)
{
    struct frame mine = {depth, top};
    top = &mine;
    return mine.former ? mine.former->depth : 0;
}

int main(void)
{
    int sum = 0;
    int rounds = 0;
    while (rounds < 2) {
        sum += call(rounds);
        rounds++;
    }
    return sum;
}
