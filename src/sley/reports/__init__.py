"""A result for a human or a machine: pure functions from results to text; nothing here prints.

* Text: ``text``; ``rows`` makes statements of events, ``story`` chooses those to show, ``notes`` and
  ``values`` say what stands beside them, ``table`` draws columns, ``explanation`` says why, a module per kind
  of bug.
* Machines: ``json_report``, ``sarif``, ``witnesses``. Pages: ``html``.
"""
