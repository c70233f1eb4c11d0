// sley: unmodelled=true
// A function with the name of an allocator that is not told how much.
extern int *malloc();

int main(void)
{
    int *block = malloc();
    return block == 0;
}
