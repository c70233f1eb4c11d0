"""The scheduler: takes a task through a plan, and puts each question to engines by one of three executors.

Giving up becomes Unknown here only. An input error and a bug of ours are not answers: they pass through as
exceptions.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from sley.base.budget import Budget
from sley.base.errors import GaveUpError, InputError, UnsupportedFeatureError
from sley.base.reasons import Reason, Why
from sley.evidence.verdict import Unknown
from sley.program.program import Program
from sley.program.properties import Property
from sley.verification.answers import Answered, gave_up
from sley.verification.attempt import Attempt
from sley.verification.cluster import Cluster
from sley.verification.crashes import Crashes
from sley.verification.engine import AnyEngine
from sley.verification.executors.in_turn import in_turn
from sley.verification.executors.nodes import Nodes
from sley.verification.executors.poll import Executor, Poll
from sley.verification.executors.processes import Processes
from sley.verification.facts import EngineFacts
from sley.verification.observer import Observer
from sley.verification.plan import AFTERWARDS, PLAN, Plan, Question, portfolio
from sley.verification.result import NotSupported, Result, answer_of
from sley.verification.run import Asked, Run
from sley.verification.single_properties import SingleProperties
from sley.verification.task import ONLY_FINDS, Task


def scheduled(
    task: Task,
    observer: Observer,
    budget: Budget,
    engines: Mapping[str, AnyEngine],
    on_known: Callable[[Result], None] = lambda _: None,
) -> Result:
    """The answer to a task by engines; ``on_known`` hears what is known on the way."""
    budget.cores = task.jobs or 1
    executor = executor_of(task)
    crashes = Crashes()

    def asked(task: Task, budget: Budget) -> Asked:
        return Engines(task, engines, executor, budget, observer, crashes)

    try:
        return Scheduler(observer, engines, asked, crashes, PLAN).result(task, budget, on_known)
    finally:
        if isinstance(executor, Nodes):
            executor.close()


def executor_of(task: Task) -> Executor:
    """How engines work: on a cluster, in this process, or in processes of their own."""
    if task.cluster is not None:
        return Nodes(partial(Cluster, task.cluster))
    return Processes(task.jobs) if task.jobs else in_turn


@dataclass(frozen=True)
class Scheduler:
    """Takes tasks through a plan."""

    observer: Observer
    engines: Mapping[str, AnyEngine]
    asked: Callable[[Task, Budget], Asked]
    """What answers the questions about prepared programs."""
    crashes: Crashes
    plan: Plan

    def result(
        self,
        task: Task,
        budget: Budget,
        on_known: Callable[[Result], None] = lambda _: None,
        *,
        afterwards: Plan = AFTERWARDS,
    ) -> Result:
        """The answer to a task, explained unless it is a question on the way to another answer."""
        run = Run(
            task=task,
            budget=budget,
            observer=self.observer,
            engines=self.engines,
            asked=self.asked(task, budget),
            crashes=self.crashes,
            answer_to=lambda other, share: self.result(other, share, afterwards=()),
        )
        try:
            answered = run.answered = self._settled(run, on_known)
            for question in afterwards:
                if question.applies(run):
                    self._put(question, run)
        except UnsupportedFeatureError as unsupported:
            answered = Answered(NotSupported(unsupported.constructs))
        except (GaveUpError, MemoryError, RecursionError) as error:
            answered = Answered(gave_up(error))
        return run.result(answered)

    def _settled(self, run: Run, on_known: Callable[[Result], None]) -> Answered:
        """The first answer that settles the run."""
        run.load()
        known = Answered(Unknown(Reason("the engines are at work", Why.SHARE)))
        for question in self.plan:
            if not question.applies(run):
                continue
            on_known(run.result(known))
            answered = self._put(question, run)
            if answered is not None and answer_of(answered.outcome) in question.settles:
                return answered
            known = answered or known
        raise AssertionError("the last question of a plan settles every run")

    def _put(self, question: Question, run: Run) -> Answered | None:
        """Ask; what an answer can do without may give up, or crash."""
        if question.is_needed:
            return question.put(run)
        try:
            return self.crashes.kept_from(question.name, lambda: question.put(run))
        except (GaveUpError, MemoryError) as error:
            return Answered(gave_up(error))


@dataclass(frozen=True)
class Engines:
    """Puts questions about prepared programs to engines."""

    task: Task
    engines: Mapping[str, AnyEngine]
    executor: Executor
    budget: Budget
    observer: Observer
    crashes: Crashes

    def __call__(
        self,
        program: Program,
        properties: frozenset[Property],
        *,
        engines: tuple[str, ...],
        singly: Program | None = None,
    ) -> Answered:
        """What these engines say; without any, those that fit the program."""
        names = [name for name in engines or portfolio(program) if name in self.engines]
        if self.task.memory_model.text is not None and names != ["bmc"]:
            raise InputError("a memory model in a file is known to one engine: choose --engine bmc")
        attempts = [Attempt(name, self.engines, program, properties, self.task) for name in names]
        facts = EngineFacts(program, properties, self.task, self.crashes)
        single = (
            []
            if singly is None
            else [
                SingleProperties(name, self.engines, singly, self.task)
                for name in names
                if name != ONLY_FINDS
            ]
        )
        return self._asked(
            Poll(attempts, self.crashes, facts, {one.name: one for one in single}), self.budget
        )

    def about(self, attempts: Sequence[Attempt], budget: Budget) -> Answered:
        """What comes of these attempts within a budget."""
        return self._asked(Poll(attempts, self.crashes), budget)

    def _asked(self, poll: Poll, budget: Budget) -> Answered:
        return poll.taken(self.executor, budget, self.observer)
