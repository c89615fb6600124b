"""Nine Men's Morris is held to the laws all games obey, and to its samples."""

from cartulary.testing import Laws


class TestNineMensMorris(Laws):
    key, samples = "nine-mens-morris", "../samples/nine-mens-morris"
