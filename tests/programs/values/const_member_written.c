// sley: reach=true race=true deadlock=true memory=false overflow=true
// The struct may be written, its constant member may not.
struct account {
    const int number;
    int balance;
};

static struct account account = {7, 0};

int main(void)
{
    account.balance = 5;
    int *number = (int *)&account.number;
    *number = 8;
    return 0;
}
