"""Stepping in a terminal of any size: keys, rows and the line an annotation is typed on; the rest is the stepper's."""

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace
from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition, FilterOrBool
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import (
    BufferControl,
    ConditionalContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    Window,
)
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.output import ColorDepth

from cartulary.cli.scribe.page import clamp_scroll, lay_out
from cartulary.cli.shell import full_screen
from cartulary.cli.shell.console import INTERRUPT
from cartulary.cli.stepping.annotating import KEYS, Prompt, ask, preview, write_annotation
from cartulary.cli.stepping.stepper import Stepper


class StepScreen:
    """The full screen on which somebody steps through games and annotates them."""

    def __init__(self, stepper: Stepper, colour: bool) -> None:
        """Lay the screen out; nothing is drawn before ``run``."""
        self.stepper, self.colour = stepper, colour
        self.scroll, self.typed = 0, ""
        self.prompt: Prompt | None = None
        self.preview = ("", "")
        self.line = Buffer(multiline=False, accept_handler=self._accept, on_text_changed=lambda _: self._preview())
        self.above = Window(
            FormattedTextControl(lambda: ANSI("\n".join(self.rows())), show_cursor=False, focusable=True),
            wrap_lines=False,
        )
        control = BufferControl(self.line, input_processors=[BeforeInput(self._label)])
        self.below = Window(control, height=1, wrap_lines=False)
        below = ConditionalContainer(self.below, Condition(self._asking))
        depth = None if colour else ColorDepth.DEPTH_1_BIT
        self.app: Application[int] = Application(
            Layout(HSplit([self.above, below]), focused_element=self.above),
            key_bindings=self._keys(),
            color_depth=depth,
            full_screen=True,
        )

    def run(self) -> int:
        """Let a person step until the screen is left.

        Returns:
            The exit code: 0, 130 after Ctrl-C, or 128 and the number of the signal that ended it.

        Raises:
            Damaged: The log is not what was written.
        """
        return full_screen.run(self.app)

    def rows(self) -> list[str]:
        """Return the rows of the screen, as long as the terminal is high now, without the line to type on.

        While an annotation is typed there is one row less, and the verdict is that on what is typed.
        """
        size = self.app.output.get_size()
        rows = max(1, size.rows - self._asking())
        page = self.stepper.page(size.columns, rows, self.scroll)
        if self._asking():
            page = replace(page, verdict=self.preview[0], kind=self.preview[1])
        return lay_out(page, rows, size.columns, self.colour)

    # --- annotating ---

    def _asking(self) -> bool:
        """Say whether a person is typing an annotation now."""
        return self.prompt is not None

    def _label(self) -> str:
        """Return what stands before the line on which an annotation is typed; empty if none is."""
        return self.prompt.label if self.prompt else ""

    def _ask(self, kind: str) -> None:
        """Open the line to type an annotation, filled with what is noted already.

        If nothing can be noted here, the line stays closed, and the stepper's remark says why.

        Args:
            kind: What is typed, one of the values of ``KEYS``: a glyph, a comment or a variation.
        """
        self.prompt = ask(self.stepper, kind)
        if self.prompt:
            text = self.prompt.text or "!" * (kind == KEYS["!"])
            self.below.horizontal_scroll = 0
            self.line.reset(Document(text, len(text)))
            self._preview()
            self.app.layout.focus(self.below)

    def _preview(self) -> None:
        """Show what Enter would write now, with its verdict; nothing if no annotation is being typed."""
        if self.prompt:
            if len(self.prompt.label + self.line.text) < self.app.output.get_size().columns:
                self.below.horizontal_scroll = 0  # what a longer line was moved by would hide the label
            self.preview = preview(self.stepper, self.prompt, self.line.text)

    def _accept(self, line: Buffer) -> bool:
        """Write the annotation and close the line; if it cannot be written, say why and leave the line open.

        A fault of the program ends the screen. The answer is always True, which tells the library to keep the text.
        """
        assert self.prompt is not None
        try:
            if write_annotation(self.stepper, self.prompt, line.text):
                self._leave_line()
            else:
                self.preview = (self.stepper.remark, "error")
        except Exception as fault:  # told, with its exit code, once the screen is put away
            self.app.exit(exception=fault)
        return True

    def _leave_line(self) -> None:
        """Close the line and give the keys back to stepping. What was typed is not written."""
        self.prompt = None
        self.app.layout.focus(self.above)

    def _forget(self) -> None:
        """Close the line without writing, and clear the remark."""
        self.stepper.remark = ""
        self._leave_line()

    # --- keys ---

    def _does(self, action: Callable[[], None]) -> None:
        """Carry out a step; it also closes the help, and forgets a number that was being typed after ``g``."""
        self.typed, self.stepper.helping = "", False
        action()

    def _move(self, by: int) -> None:
        """Scroll by half a screen, up for -1, down for 1, but not past an end of the board or help."""
        size = self.app.output.get_size()
        length, room = len(self.stepper.page(size.columns, size.rows).body), max(1, size.rows - 6)
        self.scroll = clamp_scroll(length, 1, max(0, self.scroll + by * max(1, room // 2)))

    def _type(self, typed: str) -> None:
        """Keep what is typed to go to a ply, and show it as a remark: ``g17`` shows ``to ply 17``.

        An empty text ends the typing and clears the remark.
        """
        self.typed, self.stepper.remark = typed, f"to ply {typed[1:]}" if typed else ""

    def _digit(self, digit: str) -> None:
        """Add a digit to the number being typed after ``g``, up to six digits.

        If no number is being typed, go into the variation with this number instead.
        """
        if self.typed:
            self._type((self.typed + digit)[:7])
        else:
            self._does(lambda: self.stepper.enter(int(digit)))

    def _enter(self) -> None:
        """Go to the ply that was typed after ``g``, or into the first variation if no ``g`` was typed.

        After ``g`` without a digit nothing happens.
        """
        typed = self.typed
        if typed[1:]:
            self._does(lambda: self.stepper.go(int(typed[1:])))
        elif not typed:
            self._does(lambda: self.stepper.enter(1))

    def _backspace(self) -> None:
        """Take back the last key of a number typed after ``g``; if none is being typed, leave the variation."""
        if self.typed:
            self._type(self.typed[:-1])
        else:
            self._does(self.stepper.leave)

    def _leave(self, code: int) -> None:
        """End the screen; the program then ends with this exit code."""
        full_screen.leave(self.app, code)

    def _help(self) -> None:
        """Show the help, or hide it if it is shown. A number that was being typed is forgotten."""
        self.stepper.helping, self.typed = not self.stepper.helping, ""

    def _keys(self) -> KeyBindings:
        """Return the key bindings of the screen: which function each key calls, and when.

        Most keys hold only while stepping; Escape, pasting and Ctrl-C also work while an annotation is typed.
        """
        stepper = self.stepper
        steps: dict[str, Callable[[], None]] = {
            "right": lambda: stepper.step(1),
            "left": lambda: stepper.step(-1),
            "home": lambda: stepper.go(0),
            "end": lambda: stepper.go(len(stepper.track.positions) - 1),
            "down": lambda: stepper.enter(1),
            "up": stepper.leave,
            "n": lambda: stepper.turn(1),
            "p": lambda: stepper.turn(-1),
            "pagedown": lambda: self._move(1),
            "pageup": lambda: self._move(-1),
        }
        for key, kind in KEYS.items():
            steps[key] = partial(self._ask, kind)
        keys, asking = KeyBindings(), Condition(self._asking)
        stepping = ~asking

        def add(key: str, does: Callable[[], None], when: FilterOrBool = stepping) -> None:
            """Bind a key to a function without arguments, for as long as ``when`` holds, by default while stepping."""
            keys.add(key, filter=when, eager=key == "escape")(lambda _: does())

        for key, action in steps.items():
            add(key, partial(self._does, action))
        for digit in "123456789":
            add(digit, partial(self._digit, digit))
        add("0", lambda: self._type((self.typed + "0")[:7]) if self.typed else None)
        add("g", lambda: self._type("g"))
        add("escape", lambda: self._type(""))
        add("escape", self._forget, asking)
        add("enter", self._enter)
        add("backspace", self._backspace)
        add("?", self._help)
        for key, code, when in (("q", 0, stepping), ("c-d", 0, stepping), ("c-c", INTERRUPT, True)):
            add(key, partial(self._leave, code), when)
        keys.add(Keys.BracketedPaste, filter=asking)(self._paste)
        return keys

    def _paste(self, event: KeyPressEvent) -> None:
        """Insert pasted text into the line, its line breaks as blanks."""
        self.line.insert_text(" ".join(event.data.splitlines()))
