"""From a task to its answer: what engines are asked, and what their answers come to.

* ``task``: what is to be verified. ``verify`` starts a process for it, ``supervision`` holds that
  to its limits.
* ``plan``: the table of questions, with their engines, shares of the time, and what settles a run;
  ``conditions`` has when they apply, ``thresholds`` the numbers. ``scheduler`` goes through it,
  ``run`` is what it knows so far, ``result`` what it ends with.
* Questions: ``large`` (each check by itself, runs led to open ones), ``races``, ``findings`` (one
  violation after another, without ``suppressions``), ``second_look`` (what SAFE does not say:
  ``vacuity``, ``not_asked``).
* Asking: ``executors`` (processes, in turn, nodes of a cluster) put a ``poll`` to engines.
  ``attempt`` has the law: an engine searches, its claim is checked. ``facts`` are given to engines,
  ``single_properties`` is what one does without an answer for all; ``answers`` says what several
  answers come to, ``crashes`` what a bug of ours costs. ``adapters`` join engines and checkers,
  ``engines`` has them by name.
* Programs: ``reading`` (from files to what engines get), ``recursion``, ``memory_models``.
* Files: ``proof_files`` and ``proof_check`` (a file asked instead of engines), ``baseline``,
  ``property_files``, ``task_definition``, ``expectations``, ``witnesses``.
* Beside the answer: ``suggestions`` (weakest orders), ``litmus``, ``execution`` (single runs).
"""
