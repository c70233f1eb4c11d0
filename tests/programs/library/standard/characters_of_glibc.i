// sley: reach=true race=true deadlock=true memory=true overflow=true
// What the macros of <ctype.h> are in a file that was preprocessed with the headers of glibc.
extern const unsigned short int **__ctype_b_loc(void) __attribute__((__nothrow__)) __attribute__((__const__));
extern const int **__ctype_tolower_loc(void) __attribute__((__nothrow__)) __attribute__((__const__));
extern const int **__ctype_toupper_loc(void) __attribute__((__nothrow__)) __attribute__((__const__));
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((noreturn));
enum { _ISupper = 256, _ISlower = 512, _ISalpha = 1024, _ISdigit = 2048, _ISspace = 8192, _ISalnum = 8 };
int main(void)
{
    const char *text = "aZ 7\n";
    int count = 0;
    for (int i = 0; text[i]; i++)
        if (((*__ctype_b_loc())[(int)((text[i]))] & (unsigned short int)_ISspace))
            count++;
    ((count == 2) ? (void)0 : __assert_fail("count == 2", "c.c", 9, "main"));
    ((((*__ctype_b_loc())[(int)((text[3]))] & (unsigned short int)_ISdigit)) ? (void)0 : __assert_fail("digit", "c.c", 10, "main"));
    ((!((*__ctype_b_loc())[(int)(-1)] & (unsigned short int)_ISalnum)) ? (void)0 : __assert_fail("EOF", "c.c", 11, "main"));
    (((*__ctype_tolower_loc())[(int)(text[1])] == 'z') ? (void)0 : __assert_fail("lower", "c.c", 12, "main"));
    (((*__ctype_toupper_loc())[(int)(text[0])] == 'A') ? (void)0 : __assert_fail("upper", "c.c", 13, "main"));
    return 0;
}
