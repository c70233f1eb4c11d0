// sley: reach=true race=true deadlock=true memory=true overflow=true
// A function writes each element of an array of its caller.
static void fill(int *array, int length)
{
    array[0] = 1;
    array[1] = 2;
    if (length > 1)
        array[length - 1] = 3;
}

int main(void)
{
    int array[2];
    fill(array, 2);
    return array[0];
}
