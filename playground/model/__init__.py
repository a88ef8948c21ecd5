"""The transformer as the paper names it.

Letters, everywhere: `B` batch, `S` source length, `T` target length, `D` d_model, `H` heads, `K` head width d_k,
`F` d_ff, `V` vocabulary. Newer parts have `G` heads of keys and `M` = G K; `C` latent width, `P` rotary width of a
head, `U` = H P and `Q` = K + P; `E` experts. Read attention, feed_forward, embeddings, layers, transformer, in that
order: the model of 2017. `part_classes` says which class stands for a part in other models, one file a part.

A `Tap` returns what it gets; its name is that of the tensor, by which all other rooms find it.
"""
