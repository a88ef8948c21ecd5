"""The transformer: figure 1 of the paper, and encoder or decoder alone."""

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from playground.common.seeds import seed_of
from playground.model.embeddings import Embeddings, PositionalEncoding
from playground.model.layers import DecoderLayer, EncoderLayer
from playground.model.mixture_layers import MixtureDecoderLayer, MixtureEncoderLayer
from playground.model.part_classes import make_norm
from playground.recording import Tap
from playground.tasks.tokens import PAD

if TYPE_CHECKING:
    from playground.settings.config import ModelConfig

ENCODER_LAYERS = {"dense": EncoderLayer, "mixture": MixtureEncoderLayer}
DECODER_LAYERS = {"dense": DecoderLayer, "mixture": MixtureDecoderLayer}
"""By the kind of their feed-forward network."""


class Encoder(nn.Module):
    """The stack that reads the source; each position attends to all others."""

    def __init__(self, config: "ModelConfig", embeddings: Embeddings) -> None:
        super().__init__()
        self.embeddings = embeddings
        self.layers = nn.ModuleList(ENCODER_LAYERS[config.feed_forward](config) for _ in range(config.n_layers))
        self.norm = _final_norm(config)
        self.tokens, self.padding_mask, self.output = Tap(), Tap(), Tap()

    def forward(self, source: Tensor) -> tuple[Tensor, Tensor]:
        """(B, S) token ids -> output (B, S, D) and the mask (B, 1, 1, S) that is False on padding."""
        source = self.tokens(source)
        mask = self.padding_mask((source != PAD)[:, None, None, :])
        x = self.embeddings(source, (source != PAD).sum(1, keepdim=True))
        for layer in self.layers:
            x = layer(x, mask)
        if self.norm:
            return self.output(self.norm(x)), mask
        return self.output(x), mask


class Decoder(nn.Module):
    """The stack that reads the answer so far; each position attends to itself and to earlier ones."""

    def __init__(self, config: "ModelConfig", embeddings: Embeddings) -> None:
        super().__init__()
        self.embeddings = embeddings
        self.causal = config.causal_mask
        self.layers = nn.ModuleList(DECODER_LAYERS[config.feed_forward](config) for _ in range(config.n_layers))
        self.norm = _final_norm(config)
        self.tokens, self.padding_mask, self.causal_mask, self.mask, self.output = (Tap() for _ in range(5))

    def forward(
        self,
        target: Tensor,
        memory: Tensor | None = None,
        memory_mask: Tensor | None = None,
        source_lengths: Tensor | None = None,
    ) -> Tensor:
        """(B, T) token ids, the encoder's output (B, S, D) and its mask -> (B, T, D).

        Without an encoder, the first `source_lengths` (B, 1) tokens of each row are its source.
        """
        target = self.tokens(target)
        padding_mask = self.padding_mask((target != PAD)[:, None, None, :])  # (B, 1, 1, T)
        everything = torch.ones(target.size(1), target.size(1), dtype=torch.bool, device=target.device)
        if self.causal:
            causal_mask = self.causal_mask(everything.tril()[None, None])  # (1, 1, T, T)
        else:
            causal_mask = self.causal_mask(everything[None, None])
        mask = self.mask(causal_mask & padding_mask)  # (B, 1, T, T)
        x = self.embeddings(target, source_lengths)
        for layer in self.layers:
            x = layer(x, mask, memory, memory_mask)
        if self.norm:
            return self.output(self.norm(x))
        return self.output(x)


class Transformer(nn.Module):
    """Encoder, decoder or both, and the linear layer and softmax on top.

    Initial weights: Xavier for linear layers, N(0, 1/D) for token embeddings, N(0, 1) for position tables, zero for
    biases. A table that is also the output layer's weight is drawn as an embedding: the paper gives no scale, its code
    in tensor2tensor draws the shared table from N(0, 1/D). Each parameter is drawn from the seed and its own name, so
    that two models with one seed have equal initial weights wherever a parameter has the same name and shape.
    """

    def __init__(self, config: "ModelConfig", vocab_size: int, max_positions: int, seed: int) -> None:
        super().__init__()
        d, positions = config.d_model, None
        token_table = nn.Embedding(vocab_size, d)
        if config.adds_positions:
            positions = PositionalEncoding(config.positions, max_positions, d)
        self.encoder = self.decoder = None
        if config.architecture != "decoder-only":
            self.encoder = Encoder(config, Embeddings(config, token_table, positions))
        if config.architecture != "encoder-only":
            self.decoder = Decoder(config, Embeddings(config, token_table, positions))
        self.head = nn.Linear(d, vocab_size, bias=config.output_bias)
        if config.tie_embeddings:  # section 3.4: one matrix for embeddings and output layer
            self.head.weight = token_table.weight
        self.logits, self.probabilities, self.labels, self.loss = Tap(), Tap(), Tap(), Tap()
        self._initialize(seed)

    def forward(
        self,
        source: Tensor | None,
        target: Tensor | None,
        source_lengths: Tensor | None = None,
        labels: Tensor | None = None,
        label_smoothing: float = 0.0,
    ) -> tuple[Tensor, Tensor | None]:
        """(B, S) source and (B, T) target tokens -> logits and, given labels, the loss: a scalar, mean over tokens.

        Encoder-only reads the source alone and gives logits (B, S, V), the others (B, T, V). Decoder-only reads one
        row, `target`: the source, then the answer; `source_lengths` (B, 1) counts the tokens of the source. In every
        row, PAD stands only at the end. The loss ignores labels that are PAD.
        """
        if self.encoder and self.decoder:
            x = self.decoder(target, *self.encoder(source))
        elif self.decoder:
            x = self.decoder(target, source_lengths=source_lengths)
        elif self.encoder:
            x, _ = self.encoder(source)
        logits = self.logits(self.head(x))  # (B, T, V)
        if not self.training:
            self.probabilities(logits.softmax(-1))  # (B, T, V), only shown: the loss takes the logits
        if labels is None:
            return logits, None
        labels = self.labels(labels)  # (B, T)
        loss = self.loss(
            F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=PAD, label_smoothing=label_smoothing)
        )
        return logits, loss

    def _initialize(self, seed: int) -> None:
        for name, parameter in self.named_parameters():
            owner = self.get_submodule(name.rpartition(".")[0])
            generator = torch.Generator().manual_seed(seed_of(seed, name))
            if isinstance(owner, nn.Linear):
                if parameter is owner.bias:
                    nn.init.zeros_(parameter)
                else:
                    nn.init.xavier_uniform_(parameter, generator=generator)
            elif isinstance(owner, nn.Embedding):
                nn.init.normal_(parameter, std=owner.embedding_dim**-0.5, generator=generator)
            elif isinstance(owner, PositionalEncoding):
                nn.init.normal_(parameter, generator=generator)


def _final_norm(config: "ModelConfig") -> nn.Module | None:
    """The norm that ends a pre-norm stack, whose last sum is not normalized."""
    if config.norm_position == "pre" and config.layer_norm:
        return make_norm(config)
    return None
