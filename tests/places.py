"""Where the checkout lies, told once: a test may move to another folder and still find everything."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "samples"
DOCS = ROOT / "docs"
