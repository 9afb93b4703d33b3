"""Answers to OPTIONS: name, description and media types of an address.

Fields are described by the schema alone: who may not write asks for no serializer.
"""

from __future__ import annotations

from typing import Any

from rest_framework.metadata import SimpleMetadata


class Metadata(SimpleMetadata):
    def determine_actions(self, request: Any, view: Any) -> Any:
        return None
