// sley: reach=true race=true deadlock=true memory=false overflow=true
// A null pointer for an array parameter that is not asked about.
struct pair {
    int x, y;
};

static int second(struct pair v[2])
{
    return v->y;
}

int main(void)
{
    return second(0);
}
