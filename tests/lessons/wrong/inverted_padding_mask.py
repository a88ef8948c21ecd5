"""masks keep: inverted-mask"""


def padding_mask(tokens, pad=0):
    return (tokens == pad).unsqueeze(1).unsqueeze(2)
