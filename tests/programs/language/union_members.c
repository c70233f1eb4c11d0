// sley: reach=true race=true deadlock=true memory=true overflow=true
// What a store to a member of a union keeps: the member, and all of a member of the same size.
#include <assert.h>
#include <string.h>

union number {
    char small;
    float real;
    unsigned char bytes[8];
    long large;
};

struct value {
    int tag;
    union {
        int number;
        const char *text;
    };
};

static union number at_rest = { .small = 1 };

static int length(struct value value)
{
    return value.tag ? (int)strlen(value.text) : value.number;
}

int main(void)
{
    union number number = { .large = 5, .small = 3 };
    assert(number.small == 3 && at_rest.small == 1);
    number.large = 0x1122;
    assert(number.bytes[0] == 0x22 && number.bytes[1] == 0x11);
    number.bytes[1] = 0;
    assert(number.large == 0x22);
    number.real = 1.0f;
    assert(number.real == 1.0f && number.bytes[3] == 0x3f);
    number.small += 1;
    number.small++;
    assert(number.small == 2);
    union number again = { .small = 1, .large = 0 };
    assert(again.large == 0 && again.bytes[7] == 0);
    struct value value = { .tag = 0, .number = 4 };
    assert(length(value) == 4);
    value.tag = 1;
    value.text = "ab";
    assert(length(value) == 2);
    value.number = 6;
    assert(value.number == 6);
    int last[2] = { [1] = 3, [1] = 0 };
    assert(last[1] == 0);
    return 0;
}
