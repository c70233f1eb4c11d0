// sley: reach=true race=true deadlock=true memory=false overflow=true
// What is declared in the body of a `switch` ends with it, whichever `case` was jumped to.
int main(void)
{
    int *last = 0;
    int sum = 0;
    for (int round = 0; round < 2; round++) {
        switch (round) {
            int number;
        case 0:
            number = 4;
            last = &number;
            break;
        case 1:
            number = 5;
            sum = number + *last;
        }
    }
    return sum;
}
