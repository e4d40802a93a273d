#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A model of the Llama family that knows nothing, for servers that are to be tuned: random weights behind a
vocabulary file of llama.cpp (models/ggml-vocab-llama-spm.gguf).

    bench/self/made_up_model.py VOCABULARY MODEL

540 million parameters in fp16, 1.1 GB. The keys of the vocabulary stay, with the sizes below put in their place.
"""
import struct
import sys

import numpy

LAYERS, WIDTH, INNER, HEADS, WORDS = 8, 2048, 5632, 16, 32000
SIZES = {"llama.block_count": LAYERS, "llama.embedding_length": WIDTH, "llama.feed_forward_length": INNER,
         "llama.attention.head_count": HEADS, "llama.attention.head_count_kv": HEADS,
         "llama.rope.dimension_count": WIDTH // HEADS}
F32, F16, ALIGNMENT = 0, 1, 32


def shapes():
    yield "token_embd.weight", (WIDTH, WORDS), F16
    for i in range(LAYERS):
        for name in ("attn_norm", "ffn_norm"):
            yield f"blk.{i}.{name}.weight", (WIDTH,), F32
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            yield f"blk.{i}.{name}.weight", (WIDTH, WIDTH), F16
        yield f"blk.{i}.ffn_gate.weight", (WIDTH, INNER), F16
        yield f"blk.{i}.ffn_up.weight", (WIDTH, INNER), F16
        yield f"blk.{i}.ffn_down.weight", (INNER, WIDTH), F16
    yield "output_norm.weight", (WIDTH,), F32
    yield "output.weight", (WIDTH, WORDS), F16


def with_sizes(keys):
    for key, size in SIZES.items():
        word = struct.pack("<Q", len(key)) + key.encode()
        place = keys.find(word)
        if place < 0:
            sys.exit(f"the vocabulary lacks {key}")
        at = place + len(word) + 4  # behind the kind of the value
        keys = keys[:at] + struct.pack("<I", size) + keys[at + 4:]
    return keys


def padding(length):
    return b"\0" * (-length % ALIGNMENT)


def main():
    with open(sys.argv[1], "rb") as file:
        vocabulary = file.read()
    magic, version, tensors, keys = struct.unpack_from("<4sIQQ", vocabulary)
    if magic != b"GGUF" or tensors:
        sys.exit("this is no vocabulary of llama.cpp")
    head = struct.pack("<4sIQQ", magic, version, len(list(shapes())), keys) + with_sizes(vocabulary[24:])
    offset = 0
    for name, shape, kind in shapes():
        head += struct.pack("<Q", len(name)) + name.encode() + struct.pack("<I", len(shape))
        head += b"".join(struct.pack("<Q", size) for size in shape) + struct.pack("<IQ", kind, offset)
        size = int(numpy.prod(shape)) * (2 if kind == F16 else 4)
        offset += size + len(padding(size))
    some = numpy.random.default_rng(1).normal(0, 0.02, 1 << 22).astype(numpy.float16)
    with open(sys.argv[2], "wb") as out:
        out.write(head + padding(len(head)))
        for _, shape, kind in shapes():
            count = int(numpy.prod(shape))
            data = (numpy.resize(some, count) if kind == F16 else numpy.ones(count, numpy.float32)).tobytes()
            out.write(data + padding(len(data)))


if __name__ == "__main__":
    main()
