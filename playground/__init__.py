"""Transformer Playground: configure, train, step through and keep tiny transformers."""
