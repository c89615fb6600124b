"""All the laws together."""

from cartulary.testing.drawings import DrawingLaws
from cartulary.testing.goldens import GoldenLaws
from cartulary.testing.guide import GuideLaws
from cartulary.testing.hidden import HiddenLaws
from cartulary.testing.play import StateLaws, WordLaws
from cartulary.testing.positions import PositionLaws
from cartulary.testing.rows import EvidenceLaws, HeadingLaws, RowLaws
from cartulary.testing.seen import SeenLaws
from cartulary.testing.tags import TagLaws
from cartulary.testing.taps import TapLaws


class Laws(
    EvidenceLaws,
    RowLaws,
    HeadingLaws,
    GoldenLaws,
    WordLaws,
    StateLaws,
    HiddenLaws,
    SeenLaws,
    PositionLaws,
    TagLaws,
    DrawingLaws,
    TapLaws,
    GuideLaws,
):
    """Every law: a class of a test file that inherits it, and says ``key`` and ``samples``, is all a package needs."""
