// sley: reach=true race=true deadlock=true memory=false overflow=true
// String literals cannot be written.
int main(void)
{
    char *text = "abc";
    text[0] = 'x';
    return 0;
}
