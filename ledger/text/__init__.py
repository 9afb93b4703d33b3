"""Text: values in the reader's language, and back. It knows no models and no request.

amounts, dates and names format and parse; messages has the sentences of the rules;
hands has a hand in words; markup has figures, names and icons as pages show them.
"""

from __future__ import annotations
