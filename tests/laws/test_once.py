"""A property that is worked out once: what is slow for one object keeps no other waiting."""

from pathlib import Path
from threading import Event, Thread

from cartulary.engine.once import once_each
from tests.places import ROOT


class Question:
    """Something with an answer. begun, ends: when it is being worked out, and when that may end"""

    def __init__(self, begun: Event, ends: Event) -> None:
        self.begun, self.ends, self.times = begun, ends, 0

    @once_each
    def answer(self) -> int:
        """The answer."""
        self.times += 1
        self.begun.set()
        assert self.ends.wait(20)
        return 42


def test_it_is_worked_out_once() -> None:
    ends = Event()
    ends.set()
    question = Question(Event(), ends)
    assert [question.answer, question.answer, question.times] == [42, 42, 1]
    assert Question.answer.__doc__ == "The answer."


def test_what_is_slow_for_one_object_keeps_no_other_thread_waiting() -> None:
    begun, never, now = Event(), Event(), Event()
    now.set()
    slow, quick = Question(begun, never), Question(Event(), now)
    answers: list[int] = []
    working = Thread(target=lambda: answers.append(slow.answer))
    working.start()
    assert begun.wait(20)
    other = Thread(target=lambda: answers.append(quick.answer))
    other.start()
    other.join(5)
    assert answers == [42]
    never.set()
    working.join()
    assert answers == [42, 42]


def test_nothing_else_is_cached_under_a_lock_that_all_share() -> None:
    """As ``functools.cached_property`` is in Python 3.11."""
    packages = ("engine", "notation", "records", "web", "cli", "testing")
    files = [file for package in packages for file in Path(ROOT / package).rglob("*.py")]
    assert len(files) > 300
    assert [file for file in files if "import cached_property" in file.read_text("utf-8")] == []
