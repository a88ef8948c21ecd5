import numpy as np


def angles(positions, depth):
    """(length, depth / 2) matrix of pos / 10000^(2i / depth)"""
    half = depth // 2
    i = np.arange(half)[np.newaxis, :]
    return positions[:, np.newaxis] / (10000 ** (i / half))


def positional_encoding(length, depth):
    """
    Sines in the first half of the columns, cosines in the second one.
    The paper interleaves them, but the columns are only permuted, and a
    dense layer does not care about the order.
    """
    rads = angles(np.arange(length), depth)
    return np.concatenate([np.sin(rads), np.cos(rads)], axis=-1).astype(np.float32)


if __name__ == '__main__':
    pe = positional_encoding(2048, 512)
    print(pe.shape)  # (2048, 512)
    print(pe[1000] @ pe[1001], pe[1000] @ pe[1500])
