// sley: reach=true race=true deadlock=true memory=false overflow=true
// An inner loop is left by `break`, with its variable, and begun again by the outer one.
int main(void)
{
    int *found = 0;
    int sum = 0;
    for (int round = 0; round < 2; round++) {
        for (int tries = 0;; tries++) {
            int place = tries + round;
            if (found && tries == 1)
                sum += *found;
            if (tries == 2) {
                found = &place;
                break;
            }
        }
    }
    return sum;
}
