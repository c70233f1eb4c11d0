import pytest

from sley.program.instructions import Assign, Assume, Check, Fence, Havoc, Load, MemoryOrder, Store, Update
from sley.program.memory import Display
from sley.program.properties import Property
from sley.verification.result import Answer
from tests.unit.frontend.lowering import Lowering, instructions, of_kind


def test_an_increment_of_memory_is_a_read_and_a_write(c: Lowering) -> None:
    main = c.main("x++; return 0;", "unsigned x;")
    assert [type(i) for i in instructions(main)[:2]] == [Load, Store]


def test_an_increment_of_an_atomic_object_is_one_step(c: Lowering) -> None:
    main = c.main("x++; x += 2; return 0;", "_Atomic unsigned x;")
    assert [u.access.order for u in of_kind(main, Update)] == [MemoryOrder.SEQUENTIAL, MemoryOrder.SEQUENTIAL]
    assert not of_kind(main, Load)


def test_locals_are_registers_unless_their_address_is_taken(c: Lowering) -> None:
    main = c.main("int a = 1, b = 2; int *p = &b; return a + *p;")
    assert [r.c_name for r in main.registers if r.c_name] == ["a", "p"]
    assert [o.c_name for o in main.objects] == ["b"]


def test_a_load_goes_straight_into_the_variable(c: Lowering) -> None:
    main = c.main("int tmp = x; return tmp;", "int x;")
    (load,) = of_kind(main, Load)
    assert load.target.c_name == "tmp"
    assert load.target.display is Display.SIGNED


def test_conditions_without_memory_are_one_branch(c: Lowering) -> None:
    main = c.main("int a = f(), b = f(); if (a && b || !a) return 1; return 0;", "int f(void) { return 1; }")
    assert len(of_kind(main, Assume)) == 2


def test_the_right_operand_is_read_only_if_needed(c: Lowering) -> None:
    main = c.main("return x && y;", "int x, y;")
    first, second = of_kind(main, Load)
    assert (first.access.text, second.access.text) == ("x", "y")
    assert len(of_kind(main, Assume)) == 2


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("p->next->value", "p->next->value"),
        ("nodes[i].value", "nodes[i].value"),
        ("*q", "*q"),
        ("(*p).value", "(*p).value"),
        ("(&nodes[0])->value", "(&nodes[0])->value"),
        ("matrix[1][i]", "matrix[1][i]"),
        ("FIRST", "nodes[0].value"),
    ],
)
def test_accesses_are_called_what_c_calls_them(c: Lowering, expression: str, text: str) -> None:
    before = (
        "struct node { struct node *next; int value; } nodes[3], *p; int *q, i, matrix[2][2];\n"
        "#define FIRST nodes[0].value\n"
    )
    main = c.main(f"return {expression};", before)
    assert of_kind(main, Load)[-1].access.text == text


def overflow_checks(c: Lowering, expression: str) -> list[str]:
    before = "int a, b; unsigned u; char s, t; long l; _Bool z;"
    found = of_kind(c.main(f"long r = {expression}; return 0;", before), Check)
    return [check.failure.rule for check in found]


@pytest.mark.parametrize(
    ("expression", "rules"),
    [
        ("a + b", ["signed-overflow"]),
        ("a - 1", ["signed-overflow"]),
        ("a * b", ["signed-overflow"]),
        ("-a", ["signed-overflow"]),
        ("a / b", ["division-by-zero", "signed-overflow"]),
        ("a % 3", []),
        ("a / -1", ["signed-overflow"]),
        ("a << b", ["shift-amount", "signed-overflow"]),
        ("a >> b", ["shift-amount"]),
        ("a >> 3", []),
        ("u << 3", []),
        ("u + u", []),
        ("u / u", ["division-by-zero"]),
        ("s + t", []),
        ("s * t", []),
        ("-s", []),
        ("z + 1", []),
        ("(char)a", []),
        ("a++", ["signed-overflow"]),
        ("s++", []),
        ("u++", []),
        ("l * a", ["signed-overflow"]),
    ],
)
def test_only_what_can_go_wrong_is_checked(c: Lowering, expression: str, rules: list[str]) -> None:
    assert overflow_checks(c, expression) == rules


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        ("int x = 2147483647; x++; return 0;", Answer.BUG),
        ("int x = 2147483646; x++; return 0;", Answer.SAFE),
        ("int x = -2147483647 - 1; x = -x; return 0;", Answer.BUG),
        ("int x = -2147483647 - 1, y = -1; x /= y; return 0;", Answer.BUG),
        ("int x = 1; x <<= 31; return 0;", Answer.BUG),
        ("int x = 1, n = 32; x = x >> n; return 0;", Answer.BUG),
        ("int x = -1; x <<= 1; return 0;", Answer.BUG),
        ("unsigned x = 1; x <<= 31; return 0;", Answer.SAFE),
        ("long long n = 1LL << 32; unsigned x = 1; x >>= n; return 0;", Answer.BUG),
        ("signed char x = 127; x++; return 0;", Answer.SAFE),
    ],
)
def test_overflow(c: Lowering, body: str, answer: Answer) -> None:
    properties = frozenset({Property.OVERFLOW})
    assert c.answer(f"int main(void) {{ {body} }}", properties=properties) is answer


def test_earlier_operands_are_not_changed_by_later_ones(c: Lowering) -> None:
    text = """
#include <assert.h>
int id(int a, int b) { return a * 10 + b; }
int main(void)
{
    int i = 3;
    assert(i + (i = 5) == 8);
    i = 3;
    assert(id(i, i++) == 33);
    int a[2] = { 1, 2 };
    i = 0;
    a[i] = (i = 1, 7);
    assert(a[0] == 7);
    i = 1;
    assert((i > 0) + (i = 0) == 1);
    return 0;
}
"""
    assert c.answer(text) is Answer.SAFE


def test_an_uninitialised_local_is_arbitrary(c: Lowering) -> None:
    main = c.main("_Bool b; return b;")
    (havoc,) = of_kind(main, Havoc)
    assert (havoc.target.c_name, havoc.cause.value) == ("b", "uninitialised")


def test_a_cas_on_a_local_does_not_need_its_address(c: Lowering) -> None:
    main = c.main(
        "int seen = 0; return atomic_compare_exchange_strong(&x, &seen, 1);",
        "#include <stdatomic.h>\natomic_int x;",
    )
    assert not main.objects
    (update,) = of_kind(main, Update)
    assert update.access.text == "x"


def test_a_weak_cas_may_fail_for_no_reason(c: Lowering) -> None:
    text = """
#include <stdatomic.h>
#include <assert.h>
atomic_int x;
int main(void)
{
    int seen = 0;
    assert(atomic_compare_exchange_KIND(&x, &seen, 1));
    return 0;
}
"""
    assert c.answer(text.replace("KIND", "weak")) is Answer.BUG
    assert c.answer(text.replace("KIND", "strong")) is Answer.SAFE


def test_memory_orders_are_kept(c: Lowering) -> None:
    main = c.main(
        "atomic_store_explicit(&x, 1, memory_order_release);\n"
        "return atomic_load_explicit(&x, memory_order_acquire) + __atomic_load_n(&y, __ATOMIC_RELAXED);",
        "#include <stdatomic.h>\natomic_int x; int y;",
    )
    (store,) = of_kind(main, Store)
    assert (store.access.order, store.access.text) == (MemoryOrder.RELEASE, "x")
    assert [load.access.order for load in of_kind(main, Load)] == [MemoryOrder.ACQUIRE, MemoryOrder.RELAXED]


def test_a_cas_says_when_it_succeeds_and_what_it_is_otherwise(c: Lowering) -> None:
    main = c.main(
        "int e = 0; return atomic_compare_exchange_strong_explicit(&x, &e, 1, memory_order_acq_rel,"
        " memory_order_relaxed) + __sync_val_compare_and_swap(&y, 1, 2) + atomic_fetch_add(&x, 1);",
        "#include <stdatomic.h>\natomic_int x; int y;",
    )
    cas, sync, fetch = of_kind(main, Update)
    assert (cas.access.order, cas.failure) == (MemoryOrder.ACQUIRE_RELEASE, MemoryOrder.RELAXED)
    assert (sync.access.order, sync.failure) == (MemoryOrder.SEQUENTIAL, MemoryOrder.SEQUENTIAL)
    assert cas.success is not None
    assert sync.success is not None
    assert fetch.success is None


def test_locks_of_gcc_acquire_and_release(c: Lowering) -> None:
    main = c.main("int t = __sync_lock_test_and_set(&x, 1); __sync_lock_release(&x); return t;", "int x;")
    (update,), (store,) = of_kind(main, Update), of_kind(main, Store)
    assert (update.access.order, store.access.order) == (MemoryOrder.ACQUIRE, MemoryOrder.RELEASE)


def test_an_order_that_is_not_a_constant_is_looked_at(c: Lowering) -> None:
    main = c.main(
        "return atomic_load_explicit(&x, order());",
        "#include <stdatomic.h>\natomic_int x; memory_order order(void) { return memory_order_acquire; }",
    )
    kinds = {load.access.order for load in of_kind(main, Load)}
    assert kinds == set(MemoryOrder) - {MemoryOrder.PLAIN}


def test_fences(c: Lowering) -> None:
    main = c.main(
        "atomic_thread_fence(memory_order_acquire); atomic_thread_fence(memory_order_relaxed);"
        "atomic_signal_fence(memory_order_seq_cst); __sync_synchronize();"
        '__CPROVER_fence("WWfence", "RRfence", "RWfence", "WWcumul"); __CPROVER_fence("WWfence", "WRfence");'
        "_mm_mfence(); _mm_lfence(); _mm_sfence(); _mm_pause(); return 0;",
        "#include <emmintrin.h>\n#include <stdatomic.h>\nvoid __CPROVER_fence(const char *, ...);",
    )
    assert [f"{fence.order.value} {fence.barrier.value}" for fence in of_kind(main, Fence)] == [
        *("acquire lightweight", "seq_cst full", "acq_rel lightweight", "relaxed stores"),
        *("relaxed store-load", "seq_cst full", "acquire loads", "release stores"),
    ]


def test_bit_fields_share_a_memory_location(c: Lowering) -> None:
    main = c.main(
        "s.b = 1; return s.c;", "struct { unsigned a : 3, b : 4; unsigned : 0; unsigned c : 2; } s;"
    )
    (store,) = of_kind(main, Store)
    assert store.access.location == (0, 1)
    assert of_kind(main, Load)[-1].access.location == (0, 1)
    assert [len(of_kind(main, kind)) for kind in (Load, Assign)] == [2, 0]


def test_races_between_neighbouring_bit_fields(c: Lowering) -> None:
    text = """
#include <pthread.h>
struct { unsigned a : 3; unsigned SEPARATOR b : 3; } s;
void *worker(void *arg) { s.a = 1; return 0; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    s.b = 2;
    pthread_join(t, 0);
    return 0;
}
"""
    races = frozenset({Property.RACE})
    assert c.answer(text.replace("SEPARATOR", ""), properties=races) is Answer.BUG
    separated = text.replace("SEPARATOR", ": 0; unsigned")
    assert c.answer(separated, properties=races) is Answer.SAFE


def test_far_pointer_steps_lead_nowhere(c: Lowering) -> None:
    text = "int a[2]; int main(void) { long i = 1L << 31; int *p = a + 2 * i; return *p; }"
    assert c.answer(text) is Answer.BUG
    assert c.answer("int a[2]; int main(void) { int i = 1; return a[i]; }") is Answer.SAFE
    assert c.answer("int a[2]; int main(void) { int i = -1; return *(a + 1 + i); }") is Answer.SAFE
