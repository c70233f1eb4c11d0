// sley: reach=true race=true deadlock=true memory=true overflow=true
// Pragmas that change no meaning, or that the compiler reads: nothing is lost.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"
#include <assert.h>
#pragma pack(push, 1)
struct packed {
    char a;
    int b;
};
#pragma pack(pop)
#pragma GCC optimize("O2")
#pragma STDC FP_CONTRACT OFF

int main(void)
{
    _Pragma("GCC diagnostic pop")
    assert(sizeof(struct packed) == 5);
#pragma GCC unroll 4
    for (int i = 0; i < 2; i++)
        assert(i < 2);
    return 0;
}
