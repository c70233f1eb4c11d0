// sley: reach=true race=true deadlock=true memory=true overflow=true
// Every kind of character is told from the others.
#include <assert.h>
#include <ctype.h>
#include <stdio.h>

int main(void)
{
    assert(isalpha('a') && isalpha('Z') && !isalpha('1') && !isalpha('@') && !isalpha('['));
    assert(isdigit('0') && isdigit('9') && !isdigit('a') && !isdigit(':'));
    assert(isalnum('q') && isalnum('7') && !isalnum('_'));
    assert(isspace(' ') && isspace('\n') && isspace('\v') && !isspace('x') && isblank('\t') && !isblank('\n'));
    assert(isupper('B') && !isupper('b') && islower('b') && !islower('B'));
    assert(isxdigit('f') && isxdigit('A') && !isxdigit('g'));
    assert(ispunct('!') && ispunct('~') && !ispunct('a') && !ispunct(' '));
    assert(isprint(' ') && !isgraph(' ') && isgraph('~') && iscntrl('\n') && iscntrl(127));
    assert(toupper('x') == 'X' && tolower('X') == 'x' && tolower('[') == '[' && toupper('1') == '1');
    assert(!isalpha(EOF) && tolower(EOF) == EOF);
    return 0;
}
