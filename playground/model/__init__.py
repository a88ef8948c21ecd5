"""The transformer as the paper names it.

Letters, everywhere: `B` batch, `S` source length, `T` target length, `D` d_model, `H` heads, `K` head width d_k,
`F` d_ff, `V` vocabulary. Read attention, feed_forward, embeddings, layers, transformer, in that order.
"""

from playground.model.attention import MultiHeadAttention, ScaledDotProductAttention
from playground.model.embeddings import Embeddings, PositionalEncoding
from playground.model.feed_forward import FeedForward
from playground.model.layers import AddNorm, DecoderLayer, EncoderLayer
from playground.model.transformer import Decoder, Encoder, Transformer

__all__ = [
    "AddNorm",
    "Decoder",
    "DecoderLayer",
    "Embeddings",
    "Encoder",
    "EncoderLayer",
    "FeedForward",
    "MultiHeadAttention",
    "PositionalEncoding",
    "ScaledDotProductAttention",
    "Transformer",
]
