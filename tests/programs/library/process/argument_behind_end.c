// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// Nothing says that there is a second character.
int main(int argc, char **argv)
{
    return argc > 1 && argv[1][1] == 'x';
}
