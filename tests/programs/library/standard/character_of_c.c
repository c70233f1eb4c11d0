// sley: reach=true race=true deadlock=true memory=true overflow=true
// In the locale "C" there are no letters but those of English, and others have these, too.
#include <assert.h>
#include <ctype.h>
#include <locale.h>

int main(void)
{
    if (setlocale(LC_CTYPE, ""))
        assert(isalpha('a') && toupper('x') == 'X' && !isdigit(0xe9));
    assert(setlocale(LC_CTYPE, "C"));
    assert(!isalpha(0xe9) && tolower(0xc9) == 0xc9);
    return localeconv()->decimal_point[0] != '.';
}
