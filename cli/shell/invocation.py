"""Commands that write: their arguments and options are made from the fields of a request.

    @from_request(api.ClockRequest, ply=argument(min=1), clock=argument(required=True))
    def command(typed: Invocation[api.ClockRequest]) -> None:
        \"""Write the time left after a ply.\"""
        typed.put(answer := typed.ask(api.set_clock), clock_line(answer))

A field says itself what help there is and what stands for its value. Beside the command stands
what only a terminal needs, such as which fields are arguments, and how a text becomes the value of a field.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, Generic, TypeVar, get_args, get_origin, get_type_hints

import typer
from msgspec import NODEFAULT, UNSET, Meta, Struct
from msgspec.structs import FieldInfo, fields

from cartulary.cli.shell.console import put, put_json
from cartulary.cli.shell.live import open_log
from cartulary.cli.shell.options import AsSeat, By, Db, Id, Json, asker
from cartulary.notation.viewer import EVERYTHING, Viewer
from cartulary.records import api

R = TypeVar("R", bound="api.Request")
S = TypeVar("S", bound="api.Request")
A = TypeVar("A")


class FieldOption(Struct, frozen=True):
    """How a field of a request is typed at a terminal.

    Attributes:
        names: How its option is spelled, ``--key``; empty for the name of the field.
        argument: It is typed without the name of an option.
        required: It has to be typed, though the request may leave it out.
        min: The least number it takes.
        read: Make the value of the field from what was typed; None to take it as it is.
        typed: The type of what is typed; None for that of the field.
        default: What stands for a field that has to be filled in where nobody types it; None for nothing.
        metavar: What stands for its value, where a terminal has another word for it.
        help: The line of help, where there is more to say at a terminal.
    """

    names: tuple[str, ...] = ()
    argument: bool = False
    required: bool = False
    min: int | None = None
    read: Callable[[Any], object] | None = None
    typed: Any = None
    default: Any = UNSET
    metavar: str = ""
    help: str = ""


def option(*names: str, **more: Any) -> FieldOption:
    """Return the description of a field that is typed as an option.

    Args:
        *names: How the option is spelled, such as ``-t``; without any it is ``--field-name``.
        **more: Other fields of ``FieldOption``.
    """
    return FieldOption(names, **more)


def argument(**more: Any) -> FieldOption:
    """Return the description of a field that is typed as an argument, by its place on the line.

    Args:
        **more: Other fields of ``FieldOption``.
    """
    return FieldOption(argument=True, **more)


class Invocation(Generic[R]):
    """A command as it was typed: the game it is for, what is asked of it, and from whose view it is answered.

    Attributes:
        typed: What was typed, by the names of the fields and options; None for what was not.
        id: The game.
        json: Whether the answer is to be JSON.
        db: The database, as it was named.
    """

    def __init__(self, kind: type[R], typed: Mapping[str, Any], shapes: Mapping[str, FieldOption]) -> None:
        """Take what was typed for a request.

        Args:
            kind: The request.
            typed: What was typed, by name.
            shapes: How the fields of the request are typed, by name.
        """
        self.kind, self.typed, self.shapes = kind, typed, shapes
        self.id, self.json, self.db = typed["id"], typed["json"], typed["db"]

    @property
    def _asker(self) -> tuple[Viewer, str]:
        """A pair: from whose view the answer is made, and the name of who writes; see ``asker``.

        The viewer sees everything if the command has no option ``--seat``.
        """
        return asker(self.typed["seat"], self.typed["by"]) if "seat" in self.typed else (EVERYTHING, self.typed["by"])

    @property
    def viewer(self) -> Viewer:
        """From whose view the answer is made, by ``--seat`` and ``--by``.

        The program ends for the rail, which only watches.
        """
        return self._asker[0]

    @property
    def request(self) -> R:
        """The request that was typed. Fields that nobody typed have their defaults."""
        return self.as_request(self.kind)

    def as_request(self, kind: type[S], **more: Any) -> S:
        """Return a request of another kind, from the typed fields of the same names; other typed fields are not used.

        Args:
            kind: The Struct to make.
            **more: Fields that nobody types, with their values.
        """
        there = {field.name for field in fields(kind)}
        return kind(**{name: value for name, value in self._values() if name in there}, **more, by=self._asker[1])

    def _values(self) -> Iterator[tuple[str, Any]]:
        """Yield name and value of each field that was typed, the value read by the field's ``read``.

        A field for which that gives None is left out, and a list becomes a tuple.
        """
        for name, shape in self.shapes.items():
            value = self.typed[name]
            if value is not None and shape.read is not None:
                value = shape.read(value)
            if value is not None:
                yield name, tuple(value) if isinstance(value, list) else value

    def ask(self, function: "Callable[[api.Log, str, S, Viewer], A]", request: S | None = None) -> A:
        """Open the database, carry out a request with a function of the records, and return its answer.

        Faults are raised, but a text that cannot be read as a move ends the program.

        Args:
            function: The function, such as ``api.close``; it gets the log, the id of the game, the request and the
                viewer.
            request: The request; None for the one that was typed.
        """
        asked: Any = request if request is not None else self.request
        with open_log(self.db) as store:
            return function(store, self.id, asked, self.viewer)

    def put(self, answer: object, *lines: str) -> None:
        """Print an answer.

        Args:
            answer: What is printed if JSON was asked for.
            *lines: What is printed otherwise, each after the id of the game: ``g: reopened``.
        """
        if self.json:
            put_json(answer)
        for line in () if self.json else lines:
            put(f"{self.id}: {line}")


def from_request(
    kind: type[R], *, order: Sequence[str] = (), view: Any = AsSeat, **options: FieldOption | None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that gives a command the arguments and options of a request.

    The command gets an ``Invocation`` first, and by name what it declares beside it.

    Args:
        kind: The request.
        view: The option that says from whose view it is answered; None where the whole game is asked for.
        order: The names of options that are listed first in the help, in this order.
        options: How fields are typed, by their names; None for a field that is not typed.
    """
    shown = {field.name: field for field in fields(kind) if options.get(field.name, FieldOption()) is not None}
    for name in ("by", *(("dry",) if "dry" not in options else ())):
        shown.pop(name, None)
    shapes = {name: options.get(name) or FieldOption() for name in shown}

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        """Return a function for typer that calls the command.

        It has the parameters of the request and those of the command.
        """
        more = list(signature(command).parameters.values())[1:]
        hints = get_type_hints(command, include_extras=True)
        own = {each.name: each.replace(annotation=hints[each.name], kind=Parameter.KEYWORD_ONLY) for each in more}
        base = [name for name in ("command", "expected", "dry") if name in shown]
        of_request = {name: _parameter(shown[name], shapes[name]) for name in shown}
        parameters: dict[str, Parameter] = {
            **({} if "id" in shown else {"id": _plain("id", Id)}),
            **{name: of_request[name] for name in shown if name not in base},
            **own,
            **({} if view is None else {"seat": _plain("seat", view, "")}),
            "by": _plain("by", By, ""),
            **{name: of_request[name] for name in base},
            "json": _plain("json", Json, False),
            "db": _plain("db", Db, None),
        }
        listed = [parameters[name] for name in dict.fromkeys((*order, *parameters))]

        @wraps(command)
        def run(**typed: Any) -> None:
            """Call the command with what was typed."""
            command(Invocation(kind, typed, shapes), **{name: typed[name] for name in own})

        run.__signature__ = Signature(listed)  # type: ignore[attr-defined]
        run.__annotations__ = {each.name: each.annotation for each in listed}
        return run

    return decorate


def _plain(name: str, annotation: Any, default: Any = Parameter.empty) -> Parameter:
    """Return a parameter of a command that can only be given by name; without ``default`` it must be given."""
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _parameter(field: FieldInfo, shape: FieldOption) -> Parameter:
    """Return a field of a request as a parameter of a command, from which typer reads an option or argument.

    A field of several values is a list there, and a default that the help need not show is None.
    """
    kind, meta = _type_of(field)
    kind = shape.typed or kind
    several = get_origin(kind) is tuple
    kind = list[get_args(kind)[0]] if several else kind  # type: ignore[misc]
    metavar = shape.metavar or (meta.extra or {}).get("metavar", "")
    says: dict[str, Any] = {"help": shape.help or meta.description} | ({"metavar": metavar} if metavar else {})
    if shape.min is not None:
        says["min"] = shape.min
    default = Parameter.empty if shape.required else _default(field) if shape.default is UNSET else shape.default
    if several and default == "":  # a text that is typed as several words
        default = None
    if default is None:
        kind = kind | None
    names = shape.names or (f"--{field.name.replace('_', '-')}",)
    info = typer.Argument(**says) if shape.argument else typer.Option(*names, **says)
    return Parameter(field.name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, info])


def _type_of(field: FieldInfo) -> tuple[Any, Meta]:
    """Return the type of a field without its annotations, and the ``Meta`` that describes it.

    A field without a description has an empty ``Meta``.
    """
    declared = field.type
    meta = next((each for each in getattr(declared, "__metadata__", ()) if isinstance(each, Meta)), Meta())
    return (get_args(declared)[0] if get_origin(declared) is Annotated else declared), meta


def _default(field: FieldInfo) -> Any:
    """Return the default that a field has at a terminal, and that the help shows.

    It is ``Parameter.empty`` for a field that must be given. None stands for an empty default, such as 0, which the
    help need not show.
    """
    if field.required:
        return Parameter.empty
    plain = isinstance(field.default, bool | str) or field.default not in (0, (), NODEFAULT)
    return field.default if plain else None
