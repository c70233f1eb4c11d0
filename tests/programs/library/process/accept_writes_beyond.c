// sley: reach=true race=true deadlock=true memory=false overflow=true misuse=true
// There is less room for the address than is said.
int accept(int socket, char *address, unsigned int *size);

int main(void)
{
    char address[1];
    unsigned int size = 2;
    return accept(3, address, &size) == -1;
}
