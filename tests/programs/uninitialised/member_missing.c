// sley: reach=true race=true deadlock=true memory=true overflow=true uninitialised=false
// One member was written, the other one is read.
struct pair {
    int a, b;
};

int main(void)
{
    struct pair p;
    p.a = 1;
    return p.b;
}
