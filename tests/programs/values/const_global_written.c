// sley: reach=true race=true deadlock=true memory=false overflow=true
// A cast takes the const away from the pointer, not from the table (C11 6.7.3p6).
static const int limits[3] = {10, 20, 30};

static void raise_limit(int *limit)
{
    *limit += 1;
}

int main(void)
{
    raise_limit((int *)&limits[1]);
    return 0;
}
