// sley: reach=false race=true deadlock=true memory=true overflow=true misuse=true
// After a read error the contents of the buffer are indeterminate (C11 7.21.7.2p3): "ab" need not be there.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[4] = "ab";
    FILE *file = fopen("name", "r");
    if (!file)
        return 1;
    if (fgets(line, sizeof line, file))
        assert(strlen(line) <= 3);
    else
        assert(strcmp(line, "ab") == 0);
    int character = fgetc(file);
    assert(character == EOF || (0 <= character && character <= 255));
    fclose(file);
    return 0;
}
