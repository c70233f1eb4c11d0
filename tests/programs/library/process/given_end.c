// sley: reach=true race=true deadlock=true memory=false overflow=true args="-- -v x"
// The option has no character behind its second: the argument that comes next lies elsewhere.
int main(int argc, char **argv)
{
    char kind = argc > 2 ? argv[1][1] : 0;
    return kind == 'v' && argv[1][3] == 'x';
}
