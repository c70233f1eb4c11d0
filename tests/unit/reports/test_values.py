"""The value columns: the right variable."""

from pathlib import Path

from sley.program.properties import PROPERTY_GROUPS
from sley.reports.story import tell
from sley.verification.property_files import Selection
from sley.verification.task import Task
from sley.verification.verify import verify

RACE = """
#include <pthread.h>
int highest = 7, sample;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *thread(void *unused)
{
    pthread_mutex_lock(&lock);
    if (sample > highest)
        highest = sample;
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void)
{
    pthread_t one;
    sample = 9;
    pthread_create(&one, 0, thread, 0);
    int seen = highest;
    pthread_join(one, 0);
    return seen;
}
"""


def test_the_variable_of_a_race_comes_first_though_nobody_has_written_it(tmp_path: Path) -> None:
    file = tmp_path / "highest.c"
    file.write_text(RACE)
    selection = Selection(PROPERTY_GROUPS["race"])
    result = verify(Task(paths=(file,), selection=selection, engines=("explore",)))
    story = tell(result.traces[0])
    assert story.columns[0].name == "highest"
    assert {cell.after for cell in story.columns[0].cells} == {"7"}
