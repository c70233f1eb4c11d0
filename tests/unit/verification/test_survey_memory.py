"""Accesses that are surely inside of their objects, and twins that may not be, check by check."""

from pathlib import Path

import pytest

from sley.evidence.fixpoint.survey import OpenCheck
from sley.program.properties import Property
from tests.unit.verification.surveys import surveyed_file

PACKET = """
#include <stdlib.h>
#include <string.h>
struct packet { unsigned char *data; unsigned int length; };
static struct packet *packet(unsigned int size)
{
    struct packet *made = malloc(sizeof *made);
    made->data = malloc(size);
    memset(made->data, 0, size);
    made->length = size;
    return made;
}
int main(void)
{
    struct packet *small = packet(14), *large = packet(1600);
    small->data[13] = 1;
    large->data[1599] = 2;
    return small->data[0] + large->data[1];
}
"""

RADIO = """
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static struct { int *samples; unsigned int length; char names[256]; void *clients[1024]; int open; } radio;
static void *receive(void *unused)
{
    for (unsigned int i = 0; i < radio.length; i++)
        radio.samples[i] = 1;
    return 0;
}
int main(void)
{
    pthread_t thread;
    radio.length = 500;
    radio.samples = malloc(radio.length * sizeof *radio.samples);
    memset(radio.clients, 0, sizeof radio.clients);
    memset(radio.names, 'x', sizeof radio.names);
    pthread_create(&thread, 0, receive, 0);
    return 0;
}
"""

NEST = """
extern int next(void);
int main(void)
{
    int first[4], last[4], rounds = 0;
    for (int i = 0; i < 4; i++) {
        int read = next();
        while (read > 0) {
            rounds += read & 1;
            first[i] = read;
            read = next();
        }
        last[i] = read;
    }
    return 0;
}
"""

TWO = """
#include <string.h>
static struct { char first[40]; int at; char last[40]; } table;
static int places[8];
int main(void)
{
    table.at = 7;
    memset(table.first, 1, sizeof table.first);
    memset(table.last, 1, sizeof table.last);
    places[table.at] = 1;
    return 0;
}
"""

AGAIN = """
#include <stdlib.h>
#include <string.h>
static char *last, text[16], other[16];
static int first(const char *from)
{
    char kept[16];
    last = kept;
    strncpy(kept, from, 8);
    kept[8] = 0;
    return kept[0];
}
int main(void)
{
    char *block = malloc(16);
    strncpy(block, text, 8);
    int found = first(text) + block[7];
    strncpy(other, text, 8);
    found += first(text) + block[2];
    free(block);
    strncpy(other, text, 8);
    return found; // here
}
"""

MIXED = """
#include <pthread.h>
#include <stdlib.h>
static unsigned char *data;
static unsigned char *bytes(unsigned int size) { return malloc(size); }
static void *fill(void *unused)
{
    for (int i = 0; i < 100; i++)
        *(int *)(data + 2 * (i & 7)) = i;
    return 0;
}
int main(void)
{
    pthread_t thread;
    data = bytes(160);
    pthread_create(&thread, 0, fill, 0);
    pthread_join(thread, 0);
    data[159] = 1;
    return 0;
}
"""

BEYOND = """
static int low = 4, high = 5, table[10];
int main(void)
{
    int i = 0;
    while (i < low + high)
        i++;
    table[i] = 1;
    return 0;
}
"""


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        (PACKET, "data[13]", "data[14]"),
        (RADIO, "i < radio.length", "i <= radio.length"),
        (NEST, "i < 4", "i < 5"),
        (TWO, "table.at = 7", "table.at = 8"),
        (AGAIN, "return found; // here", "return found + block[2];"),
        (MIXED, "data[159]", "data[160]"),
        (BEYOND, "high = 5", "high = 6"),
    ],
    ids=[
        "sizes of blocks",
        "members of large structures",
        "outer loops",
        "members beside others",
        "blocks of callers",
        "stores at any offset",
        "ends of loops",
    ],
)
def test_inside_or_not(tmp_path: Path, text: str, right: str, wrong: str) -> None:
    """Of the program's own accesses: those of the library are looked at for all callers at once."""
    file = tmp_path / "program.c"
    file.write_text(text)
    assert right in text
    assert not any(map(_is_own, surveyed_file(file, "memory")[0].open))
    file.write_text(text.replace(right, wrong))
    assert any(map(_is_own, surveyed_file(file, "memory")[0].open))


def _is_own(check: OpenCheck) -> bool:
    return check.property is Property.DEREF and "strncpy" not in check.origin.text
