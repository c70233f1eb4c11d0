import pytest

from sley.program.instructions import (
    AtomicBegin,
    AtomicEnd,
    Call,
    Check,
    End,
    Enter,
    Fence,
    Leave,
    Return,
)
from sley.verification.result import Answer
from tests.unit.frontend.lowering import Lowering, instructions, of_kind


def test_objects_live_in_their_block(c: Lowering) -> None:
    main = c.main("{ int a[2]; a[0] = 1; } int b[1]; b[0] = 2; return 0;")
    lives = [(type(i).__name__, i.object.c_name) for i in instructions(main) if isinstance(i, Enter | Leave)]
    assert lives == [("Enter", "a"), ("Leave", "a"), ("Enter", "b"), ("Leave", "b")]


def test_return_leaves_all_blocks(c: Lowering) -> None:
    main = c.main("int a[1] = { 0 }; { int b[1] = { 0 }; if (a[0]) return 1; } return 0;")
    assert [e.object.c_name for e in of_kind(main, Leave)] == ["b", "a", "b", "a"]
    assert len(of_kind(main, Return)) == 2


def test_break_and_continue_leave_the_body(c: Lowering) -> None:
    main = c.main("while (1) { int a[1] = { 0 }; if (a[0]) break; if (a[0] > 1) continue; } return 0;")
    assert [e.object.c_name for e in of_kind(main, Leave)] == ["a", "a", "a"]


def test_a_pointer_out_of_its_block_dangles(c: Lowering) -> None:
    text = "int main(void) { int *p; { int x = 1; p = &x; } return *p; }"
    assert c.answer(text) is Answer.BUG


def test_a_jump_over_a_declaration_lets_the_object_live(c: Lowering) -> None:
    text = "int main(void) { goto in; { int a[1]; in: a[0] = 1; return a[0] - 1; } }"
    assert c.answer(text) is Answer.SAFE


def test_a_jump_into_a_switch_lets_the_object_live(c: Lowering) -> None:
    text = "int main(void) { switch (1) { int a[1]; case 1: a[0] = 0; return a[0]; } return 0; }"
    assert c.answer(text) is Answer.SAFE


def test_what_follows_a_loop_that_is_jumped_into_is_reached(c: Lowering) -> None:
    loops = [
        "switch (n) { do { case 0: r += 1; case 1: r += 10; } while (r < 30); }",
        "switch (n) { while (r < 30) { case 0: r += 1; case 1: r += 10; } }",
        "switch (n) { for (; r < 30; r++) { case 0: r += 1; case 1: r += 10; } }",
        "goto in; while (r < 30) { in: r += 10; }",
    ]
    for loop in loops:
        text = f"#include <assert.h>\nint main(void) {{ int n = 0, r = 0; {loop} assert(r < 30); return 0; }}"
        assert c.answer(text) is Answer.BUG


def test_main_returns_zero_at_its_end(c: Lowering) -> None:
    program = c.program("int main(void) { }")
    (returned,) = of_kind(program.functions["main"], Return)
    assert returned.value == program.terms.bv(0, 32)


def test_an_assertion_is_one_check_in_whatever_clothes(c: Lowering) -> None:
    forms = [
        "#include <assert.h>\nint x; int main(void) { assert(x == 0); }",
        "void __assert_fail(const char *, const char *, unsigned, const char *);\n"
        'int x; int main(void) { ((x == 0) ? (void)(0) : __assert_fail("x == 0", "f.c", 2, "main")); }',
        "void __assert_fail(const char *, const char *, unsigned, const char *);\nint x; int main(void) {"
        ' __extension__ ({ if (x == 0) ; else __assert_fail("x == 0", "f.c", 2, "main"); }); }',
        "void __assert_fail(const char *, const char *, unsigned, const char *);\nint x; int main(void) {"
        ' if (!(x == 0)) { __assert_fail("x == 0", "f.c", 2, "main"); } }',
    ]
    for text in forms:
        program = c.program(text)
        main = program.functions["main"]
        (edge,) = (e for e in main.edges if isinstance(e.instruction, Check))
        assert edge.origin.text == "assert(x == 0)"
        assert isinstance(edge.instruction, Check)
        assert edge.instruction.failure.rule == "assertion"
        assert edge.instruction.condition != program.terms.false


def test_reach_error_is_a_failure_whatever_its_body(c: Lowering) -> None:
    text = "void reach_error(void) { }\nint main(void) { reach_error(); return 0; }"
    program = c.program(text)
    (check,) = of_kind(program.functions["main"], Check)
    assert check.failure.message == "`reach_error()` can be called"
    assert list(program.functions) == ["main"]


def test_atomic_functions_are_one_step(c: Lowering) -> None:
    text = (
        "int x; int __VERIFIER_atomic_get(int w) { if (w) return x; x = 1; return 2; }\n"
        "int main(void) { return __VERIFIER_atomic_get(1); }"
    )
    function = c.program(text).functions["__VERIFIER_atomic_get"]
    assert len(of_kind(function, AtomicBegin)) == 1
    assert len(of_kind(function, AtomicEnd)) == len(of_kind(function, Return)) == 2


def test_the_process_ends(c: Lowering) -> None:
    main = c.main("if (x) _exit(1); abort(); x = 2;", "#include <stdlib.h>\n#include <unistd.h>\nint x;")
    assert [call.function for call in of_kind(main, Call)] == ["_exit"]
    assert [e.ending.value for e in of_kind(main, End)] == ["abort"]
    assert not of_kind(main, Return)


@pytest.mark.parametrize(
    ("template", "fences"),
    [
        ("", []),
        ("pause", []),
        ("mfence", ["seq_cst full"]),
        ("lfence", ["acquire loads"]),
        ("sfence; mfence", ["release stores", "seq_cst full"]),
        ("lock; addl $0,0(%%esp)", ["seq_cst full"]),
        ("hwsync", ["seq_cst full"]),
        ("lwsync", ["acq_rel lightweight"]),
        ("isync", ["relaxed control"]),
        ("eieio", ["relaxed stores"]),
        ("dmb ish", ["seq_cst full"]),
        ("dmb ishst", ["relaxed stores"]),
        ("fence iorw, iorw", ["seq_cst full"]),
        ("fence rw,w", ["release stores", "relaxed other"]),
        ("fence w,w", ["relaxed stores"]),
        ("fence r,r", ["relaxed other"]),
    ],
)
def test_assembly_that_only_orders_is_the_strongest_fence_that_it_keeps(
    c: Lowering, template: str, fences: list[str]
) -> None:
    main = c.main(f'__asm__ volatile("{template}" ::: "memory"); return 0;')
    assert [f"{fence.order.value} {fence.barrier.value}" for fence in of_kind(main, Fence)] == fences


def test_texts_are_those_of_the_statements(c: Lowering) -> None:
    main = c.main("int a = x;\nif (x\n  > 2)\n  x = a;\nwhile (x) x = 0;\nreturn x;", "int x;")
    assert list(dict.fromkeys(edge.origin.text for edge in main.edges)) == [
        "int a = x;",
        "if (x > 2)",
        "x = a;",
        "while (x)",
        "x = 0;",
        "return x;",
    ]


def test_a_variable_whose_declaration_was_skipped_is_arbitrary(c: Lowering) -> None:
    text = "#include <assert.h>\nint main(void) { goto in; _Bool b = 1; in: assert(b); return 0; }"
    assert c.answer(text) is Answer.BUG


def test_a_variable_in_its_own_initialiser_is_arbitrary(c: Lowering) -> None:
    text = "#include <assert.h>\nint main(void) { _Bool b = VALUE; assert(!b); return 0; }"
    assert c.answer(text.replace("VALUE", "b")) is Answer.BUG
    assert c.answer(text.replace("VALUE", "0")) is Answer.SAFE


def test_a_computed_goto_leads_to_the_label(c: Lowering) -> None:
    text = """
#include <assert.h>
int main(void)
{
    static void *table[] = { &&one, &&two };
    int i = 0, seen = 0;
    goto *table[i];
one:
    seen = 1;
    { int a[1]; goto *table[1]; two: a[0] = 2; seen += a[0]; }
    assert(seen SIGN 3);
    return 0;
}
"""
    assert c.answer(text.replace("SIGN", "==")) is Answer.SAFE
    assert c.answer(text.replace("SIGN", "!=")) is Answer.BUG


def test_a_computed_goto_to_elsewhere_is_given_up(c: Lowering) -> None:
    text = "int main(void) { void *p = &&out; p = (char *)p + 1; goto *p; out: return 0; }"
    assert c.answer(text) is Answer.UNKNOWN


def test_labels_cannot_be_read(c: Lowering) -> None:
    assert c.answer("int main(void) { char *p = &&out; out: return *p; }") is Answer.BUG
