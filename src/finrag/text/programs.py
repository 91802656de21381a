"""Programs of FinQA, ConvFinQA and MultiHiertt as they are written: cut into tokens."""

import json


def finqa_tokens(text: str) -> list[str]:
    """Tokens of a program: split at comma and space, the closing bracket apart, `EOF` last.

    Args:
        text: such as `subtract(5, 3), divide(#0, 3)`.

    Returns:
        Four tokens a step for a program in the set's own form; whatever falls out for another.
    """
    return tokens_of(text, ", ")


def multihiertt_tokens(text: str) -> list[str]:
    """Tokens of a gold program: split at commas, `EOF` last.

    Args:
        text: such as `add(1,2), divide(#0,3)`.
    """
    return tokens_of(", ".join(part.strip() for part in text.split(",")), ", ")


def tokens_of(text: str, separator: str) -> list[str]:
    """Tokens of a program as it is written.

    Args:
        text: such as `add(1, 2), divide(#0, 3)`.
        separator: what stands between two arguments and between two steps.

    Returns:
        The tokens, the opening bracket with its operation, `EOF` last.
    """
    tokens = []
    for part in text.split(separator):
        piece = ""
        for letter in part:
            if letter == ")" and piece:
                tokens.append(piece)
                piece = ""
            piece += letter
            if letter in "()":
                tokens.append(piece)
                piece = ""
        if piece:
            tokens.append(piece)
    return [*tokens, "EOF"]


def program_text(tokens: list[str]) -> str:
    """Return FinQA's tokens of a program as it is written: `subtract(5, 3), divide(#0, 3)`.

    The closing `EOF` is left out. Tokens in an order that makes no program are written out all
    the same, so that an executor can say what is wrong with them.
    """
    written = ""
    for token in tokens[:-1] if tokens[-1:] == ["EOF"] else tokens:
        glued = token == ")" or not written or written.endswith("(")
        written += token if glued else f", {token}"
    return written


def listed_program(tokens: list[str]) -> str:
    """Return tokens of a program as it is written, or as JSON where that reads as other tokens.

    A row of a table may have commas in its name.
    """
    body = tokens[:-1] if tokens[-1:] == ["EOF"] else tokens
    written = program_text(body)
    is_read_back = all(cut(written)[:-1] == body for cut in (finqa_tokens, multihiertt_tokens))
    return written if is_read_back else json.dumps([*body, "EOF"], ensure_ascii=False)
