// sley: reach=true race=true deadlock=true memory=true overflow=true misuse=true
// What can be done with a stream and a file: every result that is possible is tried.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    FILE *stream = tmpfile();
    if (!stream)
        stream = fdopen(1, "w");
    if (!stream)
        return 1;
    setbuf(stream, NULL);
    setvbuf(stream, NULL, _IOFBF, 16);
    fputs("text", stream);
    fputc('c', stream);
    putc('c', stream);
    putchar('c');
    fprintf(stream, "%d\n", 1);
    dprintf(1, "%d\n", 1);
    perror("name");
    fflush(stream);
    fseek(stream, 0, SEEK_SET);
    assert(ftell(stream) >= -1);
    rewind(stream);
    clearerr(stream);
    int character = getc(stream);
    assert(-1 <= character && character <= 255);
    if (character != EOF)
        assert(ungetc(character, stream) == EOF || 1);
    if (feof(stream) || ferror(stream))
        getchar();
    assert(fileno(stream) != 0 || 1);
    fclose(stream);
    stream = popen("command", "r");
    if (stream) {
        int number;
        if (fscanf(stream, "%d", &number) == 1)
            assert(number == number);
        pclose(stream);
    }
    int file = creat("name", 0600);
    if (file >= 0) {
        assert(lseek(file, 0, SEEK_END) >= -1);
        fsync(file);
        isatty(file);
        close(file);
    }
    rename("name", "other");
    remove("other");
    unlink("name");
    mkdir("folder", 0700);
    return access("name", 0) == 0;
}
