"""Which of a row of texts read a name, and where a default changed."""

import dataclasses


@dataclasses.dataclass
class History:
    first: str  # the first text that reads it
    gone: str | None = None  # the first text after that which does not
    defaults: list = dataclasses.field(default_factory=list)  # (text since when, default)

    def __str__(self):
        text = f"since {self.first}"
        if self.gone:
            text += f", gone in {self.gone}"
        return text + "".join(f"; {default} since {since}" for since, default in self.defaults)


def of_texts(texts):
    """texts: [(title, {name: (default, scope)}, quoted names)], oldest first. Returns {name: History};
    a name that comes back counts from its first text. A text that quotes a name which others read
    reads it, too: by a function of its own that patterns do not know."""
    histories = {}
    known = {name for _, found, _ in texts for name in found}
    for title, found, quoted in texts:
        found = {**dict.fromkeys(quoted & known, (None, None)), **found}
        for name, (default, _) in found.items():
            history = histories.setdefault(name, History(title))
            history.gone = None
            if default is not None and (not history.defaults or history.defaults[-1][1] != default):
                history.defaults.append((title, default))
        for name, history in histories.items():
            if name not in found and history.gone is None:
                history.gone = title
    return histories
