"""The transformer as the paper names it.

Letters, everywhere: `B` batch, `S` source length, `T` target length, `D` d_model, `H` heads, `K` head width d_k,
`F` d_ff, `V` vocabulary. Read attention, feed_forward, embeddings, layers, transformer, in that order.
"""
