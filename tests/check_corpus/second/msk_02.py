import numpy as np
import torch


def get_attn_pad_mask(seq_q, seq_k):
    batch_size, len_q = seq_q.size()
    batch_size, len_k = seq_k.size()
    # eq(zero) is PAD token
    pad_attn_mask = seq_k.data.eq(0).unsqueeze(1)  # batch_size x 1 x len_k, True is masking
    return pad_attn_mask.expand(batch_size, len_q, len_k)


def get_attn_subsequent_mask(seq):
    # seq: [batch_size, tgt_len]
    attn_shape = [seq.size(0), seq.size(1), seq.size(1)]
    subsequent_mask = np.triu(np.ones(attn_shape))
    subsequent_mask = torch.from_numpy(subsequent_mask).bool()
    return subsequent_mask  # True is masking


if __name__ == '__main__':
    s = torch.tensor([[1, 5, 6, 0], [1, 3, 0, 0]])
    print(get_attn_subsequent_mask(s).shape)
