// Statements: switch, goto, loops, short circuits, early exits from blocks.
#include "values.h"

int fall_through(int x)
{
    switch (x) {
    case 1:
        return 10;
    case 2:
    case 3:
        x += 5;
        break;
    case 5 ... 7: {
        int y = x;
        x = y * 2;
    }
    default:
        x++;
    case -4:
        x += 100;
    }
    return x;
}

int narrow_switch(unsigned char c)
{
    switch (c) {
    case 'a':
        return 1;
    case 200:
        return 2;
    }
    return 3;
}

int into_a_loop(int n)
{
    int r = 0;
    switch (n) {
        do {
        case 0:
            r += 1;
        case 1:
            r += 10;
        } while (r < 30);
    }
    return r;
}

int backwards(int n)
{
    int i = 0, s = 0;
again:
    s += i;
    if (++i < n)
        goto again;
    if (s > 100)
        goto out;
    s = s * 2;
out:
    return s;
}

int into_a_block(int n)
{
    goto in;
    {
        int a[2];
    in:
        a[0] = n;
        a[1] = 2;
        int *p = a;
        n = p[0] + p[1];
    }
    return n;
}

int redeclared(int n)
{
again:;
    int x[1];
    x[0] = n--;
    if (n > 0)
        goto again;
    return x[0];
}

int loops(int n)
{
    int s = 0;
    for (int i = 0;; i++) {
        if (i == n)
            break;
        if (i % 2)
            continue;
        s += i;
    }
    int j = 0;
    while (1) {
        if (j++ > 3)
            break;
        s += 100;
    }
    do {
        s++;
    } while (s % 7);
    for (; j > 0; j--)
        ;
    for (;;) {
        int z = s;
        int *pz = &z;
        s = *pz + 1;
        if (s > 450)
            break;
    }
    return s + j;
}

#define UNTIL(i, n) for (; i < n;)

int loops_in_macros(int n)
{
    int i = 0, s = 0;
    UNTIL(i, n) {
        s += i;
        i++;
    }
    for (s = s;;)
        break;
    for (int k = 0;; k++)
        if (k == 3)
            return s + k;
}

int continue_in_switch(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) {
        switch (i) {
        case 1:
            continue;
        case 3:
            break;
        default:
            s += i;
        }
        s += 10;
    }
    return s;
}

int short_circuits(int a, int b)
{
    int r = 0;
    if (a && b)
        r |= 1;
    if (a || b)
        r |= 2;
    if (!(a && b) || (b && !a))
        r |= 4;
    r |= (a && (b = 5)) << 4;
    r |= (a || (b = 9)) << 5;
    return r * 100 + b;
}

int counter = 3;

int count(int v)
{
    counter += v;
    return counter;
}

int choices(int x)
{
    return x > 0 ? count(1) : x < 0 ? count(2) : 0;
}

int effects(int x)
{
    return (x && count(10)) + (x || count(100));
}

int early_exit(int n)
{
    for (int i = 0; i < 10; i++) {
        int buffer[3] = { i, i + 1, i + 2 };
        for (int j = 0; j < 3; j++) {
            int *p = &buffer[j];
            if (*p == n)
                return i * 10 + j;
            if (*p > 8)
                goto done;
        }
    }
done:
    return -1;
}

int two_variables(int n)
{
    int i, j, s = 0;
    for (i = 0, j = n; i < j; i++, j--)
        s += i * j;
    return s;
}

int even(int n);
int odd(int n)
{
    return n == 0 ? 0 : even(n - 1);
}
int even(int n)
{
    return n == 0 ? 1 : odd(n - 1);
}

int main(void)
{
    VALUE(fall_through(1));
    VALUE(fall_through(2));
    VALUE(fall_through(3));
    VALUE(fall_through(4));
    VALUE(fall_through(5));
    VALUE(fall_through(7));
    VALUE(fall_through(8));
    VALUE(fall_through(-4));
    VALUE(narrow_switch('a'));
    VALUE(narrow_switch(200));
    VALUE(narrow_switch(7));
    VALUE(into_a_loop(0));
    VALUE(into_a_loop(1));
    VALUE(into_a_loop(2));
    VALUE(backwards(5));
    VALUE(backwards(20));
    VALUE(into_a_block(5));
    VALUE(redeclared(3));
    VALUE(loops(7));
    VALUE(loops_in_macros(5));
    VALUE(continue_in_switch(5));
    VALUE(short_circuits(0, 0));
    VALUE(short_circuits(1, 0));
    VALUE(short_circuits(0, 1));
    VALUE(short_circuits(3, 4));
    VALUE(choices(1));
    VALUE(choices(-1));
    VALUE(choices(0));
    VALUE(effects(0));
    VALUE(effects(1));
    VALUE(counter);
    VALUE(early_exit(4));
    VALUE(early_exit(60));
    VALUE(two_variables(9));
    VALUE(even(7));
    int x = 1;
    {
        int x = 2;
        VALUE(x);
    }
    VALUE(x);
    return 0;
}
