"""Whist is held to the laws all games obey, and to its samples."""

from cartulary.testing import Laws


class TestWhist(Laws):
    key, samples = "whist", "../samples/whist"
