// sley: reach=true race=true deadlock=true memory=true overflow=false
// A one shifted into the sign bit.
int main(void)
{
    int places = 31;
    int mask = 1 << places;
    return mask == 0;
}
