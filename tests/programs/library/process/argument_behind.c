// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// There is nothing behind the null pointer that ends the arguments.
int main(int argc, char **argv)
{
    return argv[argc + 1] != 0;
}
