import torch


def get_pad_mask(seq, pad_idx):
    # (batch, 1, 1, len): goes to every head and every query
    return (seq != pad_idx).unsqueeze(1).unsqueeze(2)


def get_subsequent_mask(seq):
    n = seq.size(1)
    return (1 - torch.triu(torch.ones((1, 1, n, n), device=seq.device), diagonal=1)).bool()


def make_src_mask(src, pad_idx=0):
    return get_pad_mask(src, pad_idx)


def make_trg_mask(trg, pad_idx=0):
    return get_pad_mask(trg, pad_idx) & get_subsequent_mask(trg)


if __name__ == "__main__":
    trg = torch.tensor([[5, 6, 7, 0, 0], [3, 4, 5, 6, 7]])
    print(make_src_mask(trg).shape)
    print(make_trg_mask(trg).int())
