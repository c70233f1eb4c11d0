// sley: reach=true race=true deadlock=true memory=true overflow=false
// Unsigned short operands are promoted to int, and their product does not fit.
int main(void)
{
    unsigned short side = 65535;
    unsigned area = side * side;
    return area == 0;
}
