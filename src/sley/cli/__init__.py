"""The command line: the only place that reads arguments, prints, or exits.

``commands`` and ``flags`` say what there is, ``tasks`` makes a task of flags, ``configuration`` reads
``sley.toml``; ``completion`` is made from the parser.
"""
