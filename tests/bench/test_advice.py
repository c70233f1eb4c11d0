from bench.advice import core, flags_in, part

REPORT = """ UNKNOWN  I could not decide this program.                     10.4 s
 Sure  No violation in 912 states (explore).
 Stop  The time limit of 10 s was reached (bmc,
       impact).
 Next  More time: --time-limit 100s.
       One property at a time: --property reach, race or memory.
       Less to do: fewer threads (sley explain inputs).
RESULT: unknown
"""


def test_flags_of_advice() -> None:
    lines = part(REPORT, "Next").split("\n")
    assert [flags for line in lines for flags in flags_in(line)] == [
        ["--time-limit", "100s"],
        ["--property", "reach"],
    ]
    assert list(flags_in("Bugs up to a bound: --engine bmc --unwind 3.")) == [
        ["--engine", "bmc", "--unwind", "3"]
    ]
    assert list(flags_in("Check by check: --each-check.")) == [["--each-check"]]


def test_what_a_reader_learns() -> None:
    assert core(REPORT) == core(REPORT.replace("912", "1200"))
    assert core(REPORT) != core(REPORT.replace("UNKNOWN", "SAFE"))
    assert core(REPORT) != core(REPORT.replace("(bmc,", "(symmetry,"))
