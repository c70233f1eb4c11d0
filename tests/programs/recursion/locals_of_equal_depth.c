// sley: reach=true race=true deadlock=true memory=false overflow=true
// A pointer to a variable of a call that is over is used in the next call of the same depth.
static int *kept;

static int walk(int depth)
{
    int own = depth;
    if (depth == 0) {
        if (kept)
            return *kept;
        kept = &own;
        return 1;
    }
    return walk(depth - 1) + walk(depth - 1);
}

int main(void)
{
    return walk(1) < 0;
}
