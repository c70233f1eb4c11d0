// sley: reach=true race=true deadlock=true memory=false overflow=true
// A list of nodes that each lived for one round of a loop only.
struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *list = 0;
    int sum = 0;
    for (int round = 0; round < 3; round++) {
        struct node one = {round, list};
        if (round == 2)
            sum = one.next->value;
        list = &one;
    }
    return sum;
}
