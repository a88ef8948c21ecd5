"""Tests of a transformer, written as a learner would: they catch all mistakes and accept all right models."""

import torch
from torch import nn
from torch.nn import functional as F


def tokens(config, length, rows=2):
    return torch.randint(config.first_token, config.vocab_size, (rows, length))


def same(a, b):
    return torch.allclose(a, b, atol=1e-5)


def check_causality(model, config):
    source, target = tokens(config, 6), tokens(config, 7)
    changed = target.clone()
    changed[:, 4:] = tokens(config, 3)
    return same(model(source, target)[:, :4], model(source, changed)[:, :4])


def check_padding(model, config):
    source, target = tokens(config, 5), tokens(config, 4)
    padded = torch.cat([source, torch.full((2, 3), config.pad)], 1)
    return same(model(source, target), model(padded, target))


def check_the_source_is_read(model, config):
    target = tokens(config, 4)
    return not same(model(tokens(config, 5), target), model(tokens(config, 5), target))


def check_order(model, config):
    source, target = tokens(config, 6), tokens(config, 4)
    return not same(model(source, target), model(source.flip(1), target))


def test_evaluation_is_deterministic(model, config):
    model.eval()
    source, target = tokens(config, 6), tokens(config, 4)
    assert torch.equal(model(source, target), model(source, target))


def test_attention_like_torch(attention):
    query, key, value = torch.randn(2, 3, 5, 8), torch.randn(2, 3, 7, 8), torch.randn(2, 3, 7, 8)
    mask = torch.rand(2, 1, 5, 7) < 0.7
    mask[..., 0] = True
    torch.testing.assert_close(
        attention(query, key, value, mask), F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    )


def test_weights_sum_to_one(attention):
    query, key = torch.randn(2, 3, 5, 8), torch.randn(2, 3, 7, 8)
    mask = torch.ones(5, 7, dtype=torch.bool).tril(1)[None, None]
    assert same(attention(query, key, torch.ones(2, 3, 7, 8), mask), torch.ones(2, 3, 5, 8))


def test_heads_like_torch(multi_head_attention, config):
    d = config.d_model
    right = nn.MultiheadAttention(d, config.n_heads, batch_first=True)
    with torch.no_grad():
        mine = multi_head_attention
        right.in_proj_weight.copy_(torch.cat([mine.w_q.weight, mine.w_k.weight, mine.w_v.weight]))
        right.out_proj.weight.copy_(mine.w_o.weight)
        x, memory = torch.randn(2, 5, d), torch.randn(2, 7, d)
        mask = torch.ones(2, 1, 5, 7, dtype=torch.bool)
        assert same(mine(x, memory, mask), right(x, memory, memory)[0])


def test_norm_like_torch(layer_norm, config):
    x = 3 * torch.randn(2, 5, config.d_model) + 1
    torch.testing.assert_close(layer_norm(x), F.layer_norm(x, (config.d_model,)))


def test_position_0(positional_encoding):
    first = positional_encoding(4)[0]
    assert (first[0::2] == 0).all()
    assert (first[1::2] == 1).all()


def check_not_linear(feed_forward, config):
    x = torch.randn(1, 3, config.d_model)
    return not same(feed_forward(x) + feed_forward(-x), 2 * feed_forward(0 * x))


def test_residual(encoder_layer, config):
    for module in encoder_layer.modules():
        if isinstance(module, nn.Linear):
            nn.init.zeros_(module.weight)
    x = torch.randn(1, 3, config.d_model)
    output = encoder_layer(x, torch.ones(1, 1, 3, 3, dtype=torch.bool))
    assert output.abs().max() > 0.1, "the input is lost"


def test_post_norm(encoder_layer, config):
    if config.norm_position == "post":
        output = encoder_layer(100 * torch.randn(1, 3, config.d_model), torch.ones(1, 1, 3, 3, dtype=torch.bool))
        torch.testing.assert_close(output.square().mean(-1), torch.ones(1, 3), rtol=0.01, atol=0.01)


def test_cross_attention(decoder_layer, config):
    x, memory = torch.randn(1, 3, config.d_model), torch.randn(1, 4, config.d_model)
    hidden = torch.tensor([True, True, True, False])[None, None, None]
    causal = torch.ones(3, 3, dtype=torch.bool).tril()[None, None]
    other = memory.clone()
    other[:, 3] = 5
    assert same(decoder_layer(x, causal, memory, hidden), decoder_layer(x, causal, other, hidden))
    other[:, 0] = 5
    assert not same(decoder_layer(x, causal, memory, hidden), decoder_layer(x, causal, other, hidden))
