import torch


def subsequent_mask(size):
    # lower triangle, so every word sees the ones before it
    return torch.tril(torch.ones(1, size, size), diagonal=1) == 1


class Batch:
    """Source, target and the masks for training with teacher forcing."""

    def __init__(self, source, target, pad=2):
        self.source = source
        self.decoder_input = target[:, :-1]
        self.labels = target[:, 1:]
        self.pad = pad

    @property
    def src_mask(self):
        return self.source.ne(self.pad)[:, None, :]

    @property
    def tgt_mask(self):
        # True where a word may be seen: it is no padding and not in the future
        words = self.decoder_input.ne(self.pad)[:, None, :]
        return words & subsequent_mask(words.size(-1)).to(words.device)

    def n_tokens(self):
        return int(self.labels.ne(self.pad).sum())
