// Integer and float arithmetic, conversions and promotions: the same values as gcc computes.
#include "values.h"
#include <limits.h>
#include <stdint.h>
unsigned char uc = 200;
signed char sc = -5;
short s = -300;
unsigned short us = 65000;
int i = -7;
unsigned u = 4000000000u;
long l = -5000000000L;
unsigned long ul = 18446744073709551615UL;
_Bool b = 1;
char c='x';
long long ll = 1LL<<40;
enum color { RED, GREEN = 5, BLUE }; enum color col = BLUE;
enum neg { A=-1, B }; enum neg ng = A;
int f(void){return 3;}
int main(void){
    VALUE(uc + sc); VALUE(s * us); VALUE(i / 2); VALUE(i % 3); VALUE(i / -2); VALUE(u + 1); VALUE(u * 3);
    VALUE(ul + 2); VALUE(l >> 3); VALUE(ul >> 60); VALUE(i >> 1); VALUE((unsigned)i >> 1); VALUE(i < u);
    VALUE(sc < uc); VALUE(l < ul); VALUE(-1 < 1u); VALUE((long)-1 < (long)1u); VALUE(b + b); VALUE(!i);
    VALUE(!!i); VALUE(~uc); VALUE(-sc); VALUE(+us); VALUE(c); VALUE((unsigned char)300);
    VALUE((signed char)200); VALUE((_Bool)0.5); VALUE((_Bool)256); VALUE(i ? uc : l); VALUE(i && 0);
    VALUE(0 || s); VALUE(i & 0xff); VALUE(i | 1); VALUE(i ^ u); VALUE(uc << 4); VALUE(1u << 31);
    VALUE(ll * 3); VALUE(sizeof(int)+sizeof(long)+sizeof(uc+sc)); VALUE(sizeof(col)); VALUE(col + GREEN);
    VALUE(ng < 0); VALUE(ng); uc += 100; VALUE(uc); uc -= 200; VALUE(uc); s *= 2; VALUE(s); us <<= 1;
    VALUE(us); i %= 4; VALUE(i); sc = 127; sc++; VALUE(sc); sc--; VALUE(sc); uc = 255; VALUE(++uc);
    VALUE(uc--); VALUE(uc); b = 7; VALUE(b); b++; VALUE(b); b--; VALUE(b); b += 5; VALUE(b); VALUE(b == 1);
    i = 5; int j = i++ + ++i; VALUE(j); VALUE(i); j = (i = 3, i + 1); VALUE(j); VALUE((j, 9));
    int k = i = j = 2; VALUE(i+j+k); VALUE(INT_MAX); VALUE(LONG_MIN); VALUE(UINT8_MAX); VALUE(INT64_C(5));
    VALUE('\n' + '\x41' + '\0' + '\377'); VALUE(0x7fffffff); VALUE(0xffffffff); VALUE(2147483648);
    VALUE(1.5 + 2.25 == 3.75); VALUE((int)3.99); VALUE((int)-3.99); VALUE((unsigned)3e9); float ff = 0.1f;
    double dd = ff; VALUE(dd == 0.1); VALUE(dd > 0.1); VALUE((int)(ff * 100)); VALUE(7.0 / 2);
    VALUE(1/3.0*3 == 1.0); dd += 1; ff++; VALUE((int)(dd*10)); VALUE((int)(ff*10)); VALUE(-dd < 0);
    VALUE(!dd); VALUE(dd && ff); VALUE((long)1e18); VALUE((float)16777217 == 16777216.0f); VALUE(j ?: 5);
    j = 0; VALUE(j ?: 5); VALUE(f() ?: 4); VALUE(({ int q = 4; q * q; }));
    VALUE(_Generic(1, int: 5, default: 6)); VALUE(__builtin_expect(i, 0)); VALUE(f() + f() * f());
    uint8_t a8 = 250; a8 = a8 + 10; VALUE(a8); int16_t h = 32767; h = h + 1; VALUE(h); VALUE((uint16_t)~0);
    VALUE((char)-1 == -1); int sh = 3; sh <<= 2; VALUE(sh); sh >>= 1; VALUE(sh); sh |= 16; sh &= ~2;
    sh ^= 7; VALUE(sh); long long sh2 = 1; sh2 <<= 40; VALUE(sh2); VALUE(1LL << sh);
    unsigned long long big = 0xdeadbeefcafebabeULL; VALUE((unsigned)big); VALUE((short)big);
    VALUE(big / 1000); VALUE(big % 1000); VALUE((long long)big / 1000); VALUE((long long)big % 1000);
    return 0; }
