// sley: reach=true race=true deadlock=true memory=false overflow=true
// The extension of a name without a point is looked at.
#include <stdio.h>
#include <string.h>

static int is_image(const char *path)
{
    const char *extension = strrchr(path, '.');
    return strcmp(extension, ".png") == 0 || strcmp(extension, ".gif") == 0;
}

int main(void)
{
    static const char *const files[] = {"cat.png", "archive.tar.gif", "notes.txt", "Makefile"};
    unsigned images = 0;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        images += is_image(files[i]);
    printf("%u images\n", images);
    return 0;
}
