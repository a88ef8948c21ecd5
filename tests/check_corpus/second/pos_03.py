import numpy as np


def get_angles(pos, i, d_model):
    angle_rates = 1 / np.power(10000, (2 * (i // 2)) / np.float32(d_model))
    return pos * angle_rates


def positional_encoding(position, d_model):
    """Returns an array of shape (1, position, d_model)."""
    angle_rads = get_angles(np.arange(position)[:, np.newaxis],
                            np.arange(d_model)[np.newaxis, :],
                            d_model)
    # sin on even indices, cos on odd indices
    angle_rads[:, 0::2] = np.sin(angle_rads[:, 0::2])
    angle_rads[:, 1::2] = np.cos(angle_rads[:, 1::2])
    return angle_rads[np.newaxis, ...].astype(np.float32)


if __name__ == "__main__":
    import matplotlib.pyplot as plt
    pe = positional_encoding(50, 128)
    plt.pcolormesh(pe[0], cmap="RdBu")
    plt.xlabel("Depth")
    plt.ylabel("Position")
    plt.colorbar()
    plt.show()
