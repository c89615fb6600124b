"""Tarot, in the making: the rules of tricks and of scoring, which stand; dealing, bidding and the module follow.

Rules: two variants, ``dementlieu`` and ``fft`` (French Tarot as the Fédération Française de Tarot plays it).
"""
