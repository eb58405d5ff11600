"""Names as everybody sees them: with a number, where somebody else is called the same or looks so."""

CIRCLED_ONE = ord("①")
MOST_CIRCLED = 20


def shown(name: str, number: int | None) -> str:
    """A name with its number, as pages write it."""
    if number is None:
        return name
    sign = chr(CIRCLED_ONE + number - 1) if number <= MOST_CIRCLED else f"({number})"
    return f"{name} {sign}"
