// sley: reach=true race=true deadlock=true memory=true overflow=true
// Strings are built, searched, cut and copied.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int main(void)
{
    char text[12] = "ab";
    strcat(text, ",cd");
    assert(strcmp(text, "ab,cd") == 0 && strlen(text) == 5);
    assert(strchr(text, 'c') == text + 3 && strrchr(text, 'z') == 0 && strstr(text, ",c") == text + 2);
    assert(strspn(text, "ba") == 2 && strcspn(text, ",;") == 2 && strpbrk(text, ";,") == text + 2);
    assert(strcasecmp(text, "AB,Cd") == 0 && strncasecmp("xY", "Xz", 1) == 0 && strcoll("a", "b") < 0);
    char *copy = strdup(text);
    char *part = strndup(text, 2);
    assert(strcmp(copy, text) == 0 && strcmp(part, "ab") == 0);
    char *rest;
    assert(strcmp(strtok_r(text, ",", &rest), "ab") == 0);
    assert(strcmp(strtok_r(0, ",", &rest), "cd") == 0);
    assert(strtok_r(0, ",", &rest) == 0);
    assert(strcmp(strtok(copy, ","), "ab") == 0 && strcmp(strtok(0, ","), "cd") == 0 && strtok(0, ",") == 0);
    free(copy);
    free(part);
    return 0;
}
