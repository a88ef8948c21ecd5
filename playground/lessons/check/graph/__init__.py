"""What a recorded pass computes: softmax, attention, normalization and their blocks, found in its graph."""
