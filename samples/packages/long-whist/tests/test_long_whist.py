"""Long whist is held to the laws all games obey, and to its samples."""

from cartulary.testing import Laws


class TestLongWhist(Laws):
    key, samples = "long-whist", "../samples/long-whist"
