"""What every layer may use: errors, source positions, budgets; it knows no other room.

``outside`` reads files from outside, ``shown`` says how text from there is shown; ``persistent`` has
sequences and tables whose changed copies share the rest; ``compiled`` makes helpers with the machine's
compiler.
"""
