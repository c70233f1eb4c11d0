// sley: unmodelled=true
// With OpenMP, the rounds of this loop run in several threads that race for the sum.
int main(void)
{
    int sum = 0;
#pragma omp parallel for
    for (int i = 0; i < 4; i++)
        sum += i;
    return sum != 6;
}
