// sley: reach=true race=true deadlock=true memory=false overflow=true
// The classic loop that runs one element too far.
int numbers[3];
int neighbour;

int main(void)
{
    for (int i = 0; i <= 3; i++)
        numbers[i] = i;
    return 0;
}
