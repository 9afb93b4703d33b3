"""Text: values in the reader's language, and back; it knows no models."""

from __future__ import annotations
