"""The Step through page: one forward pass, operation by operation."""
