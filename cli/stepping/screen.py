"""Stepping in a terminal of any size: keys and rows; what is seen is the stepper's."""

from collections.abc import Callable

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output import ColorDepth

from cartulary.cli.scribe.page import laid_out, most_scrolled
from cartulary.cli.shell import full_screen
from cartulary.cli.shell.console import INTERRUPTED
from cartulary.cli.stepping.stepper import Stepper


class StepScreen:
    """One terminal in which somebody steps through games."""

    def __init__(self, stepper: Stepper, colour: bool) -> None:
        """Lay the screen out; nothing is drawn before ``run``."""
        self.stepper, self.colour = stepper, colour
        self.scroll, self.typed = 0, ""
        window = Window(FormattedTextControl(lambda: ANSI("\n".join(self.rows())), show_cursor=False), wrap_lines=False)
        depth = None if colour else ColorDepth.DEPTH_1_BIT
        self.app: Application[int] = Application(
            Layout(window), key_bindings=self._keys(), color_depth=depth, full_screen=True
        )

    def run(self) -> int:
        """Step until it is left; return the exit code: 0, 130 after Ctrl-C, 128 + a signal."""
        return full_screen.run(self.app)

    def rows(self) -> list[str]:
        """Return the rows of the terminal as it is now."""
        size = self.app.output.get_size()
        page = self.stepper.page(size.columns, size.rows, self.scroll)
        return laid_out(page, size.rows, size.columns, self.colour)

    # --- keys ---

    def _does(self, action: Callable[[], None]) -> None:
        self.typed, self.stepper.helping = "", False
        action()

    def _move(self, by: int) -> None:
        size = self.app.output.get_size()
        length, room = len(self.stepper.page(size.columns, size.rows).body), max(1, size.rows - 6)
        self.scroll = most_scrolled(length, 1, max(0, self.scroll + by * max(1, room // 2)))

    def _type(self, typed: str) -> None:
        self.typed, self.stepper.remark = typed, f"to ply {typed[1:]}" if typed else ""

    def _digit(self, digit: str) -> None:
        if self.typed:
            self._type((self.typed + digit)[:7])
        else:
            self._does(lambda: self.stepper.enter(int(digit)))

    def _enter(self) -> None:
        typed = self.typed
        if typed[1:]:
            self._does(lambda: self.stepper.go(int(typed[1:])))
        elif not typed:
            self._does(lambda: self.stepper.enter(1))

    def _back(self) -> None:
        if self.typed:
            self._type(self.typed[:-1])
        else:
            self._does(self.stepper.leave)

    def _ask(self) -> None:
        self.stepper.helping, self.typed = not self.stepper.helping, ""

    def _keys(self) -> KeyBindings:
        stepper = self.stepper
        steps: dict[str, Callable[[], None]] = {
            "right": lambda: stepper.step(1),
            "left": lambda: stepper.step(-1),
            "home": lambda: stepper.go(0),
            "end": lambda: stepper.go(len(stepper.track.positions) - 1),
            "down": lambda: stepper.enter(1),
            "up": stepper.leave,
            "n": lambda: stepper.open(stepper.number + 1),
            "p": lambda: stepper.open(stepper.number - 1),
            "pagedown": lambda: self._move(1),
            "pageup": lambda: self._move(-1),
        }
        keys = KeyBindings()
        for key, action in steps.items():
            keys.add(key)(lambda _, action=action: self._does(action))
        for digit in "123456789":
            keys.add(digit)(lambda _, digit=digit: self._digit(digit))
        keys.add("0")(lambda _: self._type((self.typed + "0")[:7]) if self.typed else None)
        keys.add("g")(lambda _: self._type("g"))
        keys.add("escape", eager=True)(lambda _: self._type(""))
        keys.add("enter")(lambda _: self._enter())
        keys.add("backspace")(lambda _: self._back())
        keys.add("?")(lambda _: self._ask())
        for key, code in (("q", 0), ("c-d", 0), ("c-c", INTERRUPTED)):
            keys.add(key)(lambda _, code=code: full_screen.leave(self.app, code))
        return keys
