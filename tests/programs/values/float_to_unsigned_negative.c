// sley: race=true deadlock=true memory=true overflow=false
// Minus one is no value of an unsigned type, and a floating-point number is not taken modulo anything.
int main(void)
{
    volatile double minus = -1.0;
    unsigned char byte = minus;
    return byte == 255;
}
