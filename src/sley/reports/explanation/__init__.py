"""What can be said truthfully about why a run goes wrong, and what might mend it: a module per kind of bug.

Every sentence is an observation on the events of this very run; where none applies, something general about
the kind of bug is said, or nothing.
"""

from sley.reports.explanation.explain import explain as explain
from sley.reports.explanation.explanation import Explanation as Explanation
