/* What sley may assume of a sensor: any number from 0 to 100. */
void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);

int read_sensor(void)
{
    int value = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= value && value <= 100);
    return value;
}
