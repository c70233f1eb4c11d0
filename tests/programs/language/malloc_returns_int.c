// sley: reach=true race=true deadlock=true memory=false overflow=true
/* Old programs declare `malloc` as a function that returns an int: half of the address is lost. */
extern int(malloc)();

struct node {
    int value;
    char name[40];
};

int main(void)
{
    int low = malloc(sizeof(struct node));
    struct node *node = (struct node *)(long)low;
    return node != 0;
}
