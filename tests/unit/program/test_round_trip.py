"""parse . print: every program that can be printed is read back as the same program."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sley.base.errors import InputError, Unsupported
from sley.base.source import Span
from sley.logic.operators import ArrayValue, Op
from sley.logic.sorts import BOOL, F32, F64, I8, I32, I64, ArraySort
from sley.program.instructions import Assign, Assume, Load
from sley.program.memory import Cell, Display, Layout, MemoryObject, PointerLayout, Storage
from sley.program.parser import parse_program
from sley.program.passes import prepare
from sley.program.printer import FunctionPrinter, print_function, print_program
from sley.program.program import Edge, Function, Origin, Program
from tests.unit.logic.random_terms import Tree, make, random_tree, random_values
from tests.unit.program.random_programs import random_program, with_random_origins
