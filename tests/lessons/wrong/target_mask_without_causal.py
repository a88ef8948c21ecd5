"""masks: no-causal-mask"""


def make_tgt_mask(tgt, pad_idx=0):
    return (tgt != pad_idx).unsqueeze(1).unsqueeze(2)
