"""Token ids that every task shares, and the errors about tokens that a person types."""

from playground.common.errors import PlaygroundError

SPECIALS = ("PAD", "BOS", "EOS", "SEP")
"""Token names in front of a task's own symbols; their index is their token id."""

PAD, BOS, EOS, SEP = range(len(SPECIALS))


class InputError(PlaygroundError, ValueError):
    """The typed text is not a valid input of this model."""


class OutOfRangeError(InputError):
    """A number of tokens that cannot be; `nearest` is the nearest that can, None where there is none."""

    def __init__(self, sentence: str, setting: str, nearest: int | None) -> None:
        super().__init__(sentence)
        self.setting = setting  # the name of the argument
        self.nearest = nearest
