"""What a verdict rests on: traces, proofs, and their checkers, which import no engine.

* ``replay`` runs a schedule on the interpreter and makes the trace: ``run`` takes the steps, ``memories``
  says what accesses see under each memory model, ``recorder`` notes events, ``judges`` and ``waiting`` judge
  the failure. Remarks are data (``remarks``); ``names`` has those of C.
* ``minimising`` looks for a shorter schedule first; ``dependence`` says how far each event is from the
  failure.
* One folder per kind of proof, each with its format and its checker; ``runs`` holds random runs against them.
* ``encoding`` writes proofs as plain JSON by their types, and reads them back without trust.
* ``invariants`` hold at places of the C program; ``source_invariants`` finds them, from all states if they
  are few, else from a proof. ``fingerprints`` names findings so that the names outlive edits elsewhere.
"""
