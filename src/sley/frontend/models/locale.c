// Whose customs functions follow: those of "C", which hold when a program starts, or those of another locale, of which
// nothing is known. A change of it races with all functions that follow it (C11 7.11.1.1p5).
#include "sley.h"

enum { ALL_CATEGORIES = 6, CATEGORIES = 13 };

static _Atomic unsigned int sley_foreign;     // the categories that are not those of "C", bit by bit
static int sley_customs;                      // accessed plainly, so that changes race

_Bool sley_is_foreign(int category)
{
    int customs = sley_customs;
    return sley_foreign >> category & 1;
}

static _Bool is_same(const char *one, const char *other)
{
    for (; *one == *other; one++, other++)
        if (!*one)
            return 1;
    return 0;
}

char *setlocale(int category, const char *name)
{
    if (category < 0 || category >= CATEGORIES)
        return 0;
    unsigned int changed = category == ALL_CATEGORIES ? ~0U : 1U << category;
    if (!name) {
        sley_is_foreign(category);
        return __sley_text("setlocale");
    }
    sley_customs = 0;
    if (!__sley_is_text(name) && (is_same(name, "C") || is_same(name, "POSIX"))) {
        sley_foreign &= ~changed;
        return __sley_text("setlocale");
    }
    if (__sley_nondet_bool())
        return 0;
    sley_foreign |= changed;
    return __sley_text("setlocale");
}

struct lconv {
    char *decimal_point, *thousands_sep, *grouping, *int_curr_symbol, *currency_symbol, *mon_decimal_point;
    char *mon_thousands_sep, *mon_grouping, *positive_sign, *negative_sign;
    char int_frac_digits, frac_digits, p_cs_precedes, p_sep_by_space, n_cs_precedes, n_sep_by_space;
    char p_sign_posn, n_sign_posn, int_p_cs_precedes, int_p_sep_by_space, int_n_cs_precedes, int_n_sep_by_space;
    char int_p_sign_posn, int_n_sign_posn;
};

// One object for all calls: concurrent ones race.
struct lconv *localeconv(void)
{
    enum { NUMERIC = 1, MONETARY = 4, MISSING = 127 };
    static struct lconv sley_conventions = {
        ".", "", "", "", "", "", "", "", "", "", MISSING, MISSING, MISSING, MISSING,
        MISSING, MISSING, MISSING, MISSING, MISSING, MISSING, MISSING, MISSING, MISSING, MISSING,
    };
    if (sley_is_foreign(NUMERIC) || sley_is_foreign(MONETARY))
        __sley_give_up("the conventions of another locale than \"C\"");
    sley_conventions.int_frac_digits = MISSING;
    return &sley_conventions;
}
