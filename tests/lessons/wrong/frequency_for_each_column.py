"""positional-encoding: wrong-frequency"""

import math

import torch


def positional_encoding(length, d_model):
    table = torch.zeros(length, d_model)
    for pos in range(length):
        for i in range(d_model):
            angle = pos / 10000 ** (2 * i / d_model)
            table[pos, i] = math.sin(angle) if i % 2 == 0 else math.cos(angle)
    return table
