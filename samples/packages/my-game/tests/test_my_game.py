"""My game is held to the laws all games obey, and to its samples."""

from cartulary.testing import Laws


class TestMyGame(Laws):
    key, samples = "my-game", "../samples/my-game"
