// sley: reach=true race=true deadlock=true memory=false overflow=true
// An index of minus one leaves the inner array to the left.
struct record {
    int tag;
    int values[2];
};

static struct record record = {9, {1, 2}};

static int before(const struct record *from, int index)
{
    return from->values[index - 1];
}

int main(void)
{
    return before(&record, 0) == 9;
}
