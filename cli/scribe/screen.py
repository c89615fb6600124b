"""The scribe's screen: the position, the verdict on what is being typed, and the line, in a terminal of any size.

Everything it knows of a record it asks the scribe; here are only keys, rows and the moment a verdict is asked for:
in a thread, a breath after the last key, so that typing never waits for it.
"""

import asyncio
from collections.abc import Callable, Iterable

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition, FilterOrBool, has_completions
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.key_binding.bindings.completion import generate_completions
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import BufferControl, Float, FloatContainer, FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.layout.menus import CompletionsMenu
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

from cartulary.cli.scribe.page import VERDICT_ROWS, Page, clamp_scroll, lay_out, text_rows
from cartulary.cli.scribe.scribe import LineAnswer, Scribe
from cartulary.cli.scribe.view import offers
from cartulary.cli.shell import full_screen
from cartulary.cli.shell.console import INTERRUPT
from cartulary.cli.shell.positions import heading
from cartulary.records.table.sayings import last_line

BREATH = 0.05
"""Seconds without a key after which a verdict is asked for."""
MENU_ROWS = 8
STYLE = Style.from_dict(
    {
        "completion-menu": "noinherit",
        "completion-menu.completion": "noinherit",
        "completion-menu.completion.current": "noinherit reverse bold",
        "completion-menu.meta.completion": "noinherit",
        "completion-menu.meta.completion.current": "noinherit reverse",
    }
)


class Offers(Completer):
    """Completes words on the line: legal moves, calls and commands."""

    def __init__(self, scribe: Scribe) -> None:
        self.scribe = scribe

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Yield what can complete the word before the cursor, each with what is to be said of it."""
        text = document.text_before_cursor.lstrip()
        typed = len(text.rpartition(" ")[2])
        for offer in offers(self.scribe.view, text):
            yield Completion(offer.word, -typed, display_meta=offer.says)


class Screen:
    """The full screen on which a scribe types: rows above, one line below."""

    def __init__(self, scribe: Scribe, colour: bool) -> None:
        """Lay the screen out; nothing is drawn before ``run``."""
        self.scribe, self.colour = scribe, colour
        self.answer = LineAnswer(remark="Tab completes; `help` lists the commands.")
        self.verdict: tuple[str, str] = (scribe.turn, "")
        self.scroll = 0
        self.has_old_line = False
        self.change = asyncio.Event()
        self.line = Buffer(
            completer=Offers(scribe),
            history=InMemoryHistory(),
            multiline=False,
            accept_handler=self._accept,
            on_text_changed=lambda _: self._on_change(),
            on_cursor_position_changed=lambda _: setattr(self, "has_old_line", False),
        )
        above = Window(FormattedTextControl(lambda: ANSI("\n".join(self.rows()))), wrap_lines=False)
        control = BufferControl(self.line, input_processors=[BeforeInput(lambda: self.scribe.prompt)])
        self.below = below = Window(control, height=1, wrap_lines=False)
        menu = Float(CompletionsMenu(max_height=MENU_ROWS, scroll_offset=1), right=0, bottom=VERDICT_ROWS + 1)
        depth = None if colour else ColorDepth.DEPTH_1_BIT
        self.app: Application[int] = Application(
            Layout(FloatContainer(HSplit([above, below]), [menu]), focused_element=below),
            key_bindings=self._keys(),
            style=STYLE,
            color_depth=depth,
            full_screen=True,
        )

    def run(self) -> int:
        """Let the scribe type until it leaves.

        Returns:
            The exit code: 0, 130 after Ctrl-C, or 128 and the number of the signal that ended it.

        Raises:
            Damaged: The log is not what was written.
        """
        return full_screen.run(self.app, self._begin)

    def _begin(self) -> None:
        """Start the task that judges what is typed while it is typed."""
        self.app.create_background_task(self._judge_along())

    def _leave(self, code: int) -> None:
        """End the screen with an exit code, unless it has ended already."""
        full_screen.leave(self.app, code)

    # --- the verdict while typing ---

    def _on_change(self) -> None:
        """Forget the verdict on the old text of the line, and ask ``_judge_along`` for one on the new text."""
        self.has_old_line = False
        if len(self.scribe.prompt) + len(self.line.text) < self.app.output.get_size().columns:
            self.below.horizontal_scroll = 0  # what a longer line was moved by would hide the prompt
        self.verdict = ("…" if self.line.text.strip() else self.scribe.turn, "")
        self.change.set()

    async def _judge_along(self) -> None:
        """Judge the line whenever nothing was typed for ``BREATH`` seconds, in a thread, so that typing never waits.

        It runs until the screen ends. A verdict on a text that has changed meanwhile is dropped.
        """
        while True:
            await self.change.wait()
            self.change.clear()
            await asyncio.sleep(BREATH)
            if self.change.is_set():
                continue
            text, view = self.line.text, self.scribe.view
            try:
                verdict = await asyncio.get_running_loop().run_in_executor(None, self.scribe.verdict, text)
            except Exception as fault:  # a fault of the program must not stop who types; Enter brings it to light
                verdict = f"no verdict: the program itself has a fault, {type(fault).__name__}", "error"
            if text == self.line.text and view is self.scribe.view:
                self.verdict = verdict
                self.app.invalidate()

    # --- after Enter ---

    def _accept(self, line: Buffer) -> bool:
        """Carry out the line after Enter, and put back on it what has to be corrected or entered next.

        A fault of the program ends the screen. The answer is always True, which tells the library to leave the line as
        it is then.
        """
        try:
            self.answer = self.scribe.enter(line.text)
        except Exception as fault:  # told, with its exit code, once the screen is put away
            self.app.exit(exception=fault)
            return True
        self.scroll = 0
        if self.answer.end:
            self._leave(0)
        text = self.answer.retry
        line.reset(Document(text, self.answer.cursor or len(text)), append_to_history=True)
        self._on_change()
        self.has_old_line = bool(text) and not self.answer.done  # what is typed next takes its place
        return True

    def _insert(self, text: str) -> None:
        """Insert text at the cursor; a line that was given back to be corrected is replaced as a whole."""
        if self.has_old_line:
            self.line.text = ""
        self.line.insert_text(text)

    # --- rows ---

    def rows(self) -> list[str]:
        """Return the rows above the line to type on, as many as the terminal has now, less one."""
        size = self.app.output.get_size()
        rows, columns = max(1, size.rows - 1), size.columns
        return lay_out(self._page(columns), rows, columns, self.colour)

    def _page(self, columns: int) -> Page:
        """Return everything to show, for a terminal of so many columns.

        That is the title, the picture or the long answer in place of it, the last plies, the messages and the verdict.
        """
        view = self.scribe.view
        position = self.answer.position or view.position
        messages = () if self.answer.long else self.answer.lines
        body = text_rows(self.answer.lines, columns) if self.answer.long else view.picture_of(position)
        return Page(
            f"{self.scribe.id}  {next(iter(heading(position, view.people)))}",
            body,
            last_line(position, view.steps[: position.ply], columns),
            (*self._remark(), *messages),
            *self.verdict,
            self.scroll,
        )

    def _remark(self) -> tuple[str, ...]:
        """Return the remark on the last line in a tuple; an empty one if there is none or the verdict says the same."""
        remark, (verdict, kind) = self.answer.remark, self.verdict
        return () if not remark or (kind == "error" and remark.endswith(verdict)) else (remark,)

    def _move(self, step: int) -> None:
        """Scroll the picture or the long answer by half a screen, up for -1, down for 1, but not past its ends."""
        size = self.app.output.get_size()
        length, room = len(self._page(size.columns).body), max(1, size.rows - 3)
        self.scroll = clamp_scroll(length, 1, max(0, self.scroll + step * max(1, room // 2)))

    # --- keys ---

    def _keys(self) -> KeyBindings:
        """Return the key bindings of the screen: which function each key calls, and when."""
        actions: tuple[tuple[Keys | str, FilterOrBool, Callable[[KeyPressEvent], None]], ...] = (
            ("tab", True, generate_completions),
            ("s-tab", has_completions, lambda _: self.line.complete_previous()),
            ("enter", has_completions, lambda _: setattr(self.line, "complete_state", None)),
            ("escape", has_completions, lambda _: self.line.cancel_completion()),
            ("c-u", True, lambda _: setattr(self.line, "text", "")),
            ("c-c", True, lambda _: self._leave(INTERRUPT)),
            ("c-d", Condition(lambda: not self.line.text), lambda _: self._leave(0)),
            ("pageup", True, lambda _: self._move(-1)),
            ("pagedown", True, lambda _: self._move(1)),
            (Keys.BracketedPaste, True, lambda event: self._insert(" ".join(event.data.split()))),
            (Keys.Any, Condition(lambda: self.has_old_line), lambda event: self._insert(event.data)),
        )
        keys = KeyBindings()
        for key, when, does in actions:
            keys.add(key, filter=when, eager=key == "escape")(does)
        return keys
