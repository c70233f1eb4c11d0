// sley: reach=true race=true deadlock=true memory=false overflow=true
// The condition of `do` stands behind the block: the pointer that it follows is dead.
int main(void)
{
    int *counter = 0;
    int rounds = 0;
    do {
        int next = rounds + 1;
        counter = &next;
        rounds = next;
    } while (*counter < 2);
    return rounds;
}
