"""A file of tests to begin with."""

from playground.lessons.examine.modules import PARTS

_PARTS = "\n".join(f"#   {part.call}: {part.shapes}" for part in PARTS.values())

TEMPLATE = f'''"""Tests of a transformer. Each one runs on right models and on models with a mistake."""

import torch


def test_weights_sum_to_one(attention):
    """If all values are 1, a weighted mean of them is 1, whatever the mask hides."""
    query, key = torch.randn(2, 4, 5, 8), torch.randn(2, 4, 7, 8)
    mask = torch.ones(2, 1, 5, 7, dtype=torch.bool).tril(2)
    output = attention(query, key, torch.ones(2, 4, 7, 8), mask)
    assert torch.allclose(output, torch.ones(2, 4, 5, 8), atol=1e-5)


# A test is a function whose name begins with test_ or check_. It returns True or False, or uses assert.
# The name of its argument says what it gets, in evaluation mode:
{_PARTS}
# In a mask, True means that this query may attend to this key. A second argument, config, has d_model, n_heads, d_ff,
# vocab_size, max_positions, norm_position ("pre" or "post"), pad (the id of padding) and first_token (ids before it are
# special).
'''
