"""What is known, in the user's words; nothing below makes sentences.

``events`` has notes, facts and reliances of traces, ``reasons`` reasons for giving up, ``labels`` variables
and terms; ``topics`` reads what ``sley explain`` says.
"""
