"""Swift source as the lints want it: comments and the text of string literals blanked, lines and columns kept."""


def code_only(source):
    """The source with every comment and string literal replaced by spaces; code inside an interpolation stays."""
    out = list(source)
    at = 0
    strings = []  # open literals: (closing delimiter, number of #, parentheses open in the interpolation or None)

    def blank(start, end):
        for i in range(start, min(end, len(out))):
            if out[i] != "\n":
                out[i] = " "

    while at < len(source):
        if strings and strings[-1][2] is None:
            quote, hashes, _ = strings[-1]
            if source.startswith("\\" + "#" * hashes, at):
                after = at + 1 + hashes
                if source.startswith("(", after):
                    strings[-1] = (quote, hashes, 1)
                    blank(at, after + 1)
                else:
                    blank(at, after + 1)
                at = after + 1
            elif source.startswith(quote + "#" * hashes, at):
                end = at + len(quote) + hashes
                blank(at, end)
                strings.pop()
                at = end
            else:
                blank(at, at + 1)
                at += 1
            continue
        if source.startswith("//", at):
            end = source.find("\n", at)
            end = len(source) if end < 0 else end
            blank(at, end)
            at = end
        elif source.startswith("/*", at):
            end = block_comment_end(source, at)
            blank(at, end)
            at = end
        elif (opened := opening_quote(source, at)) is not None:
            quote, hashes = opened
            end = at + hashes + len(quote)
            blank(at, end)
            strings.append((quote, hashes, None))
            at = end
        else:
            if strings:
                quote, hashes, depth = strings[-1]
                depth += (source[at] == "(") - (source[at] == ")")
                strings[-1] = (quote, hashes, depth or None)
            at += 1
    return "".join(out)


def block_comment_end(source, at):
    depth = 0
    while at < len(source):
        if source.startswith("/*", at):
            depth, at = depth + 1, at + 2
        elif source.startswith("*/", at):
            depth, at = depth - 1, at + 2
            if depth == 0:
                return at
        else:
            at += 1
    return at


def opening_quote(source, at):
    hashes = 0
    while source.startswith("#", at + hashes):
        hashes += 1
    for quote in ('"""', '"'):
        if source.startswith(quote, at + hashes):
            return quote, hashes
    return None
