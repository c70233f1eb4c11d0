// sley: unmodelled=true
// Functions that only have the names of library functions, and are nowhere defined.
extern int read(void);
extern void send(int message);
extern void *realloc(int size);

int main(void)
{
    send(read());
    realloc(3);
    return 0;
}
