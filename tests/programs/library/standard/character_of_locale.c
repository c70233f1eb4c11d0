// sley: reach=false race=true deadlock=true memory=true overflow=true
// In the locale of the user, there may be more letters.
#include <assert.h>
#include <ctype.h>
#include <locale.h>

int main(void)
{
    setlocale(LC_ALL, "");
    assert(!isalpha(0xe9));
    return 0;
}
