"""The games that Kontra knows, in the order in which they are offered."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.variant import Variant
from scoring.variants.palatine import PALATINE
from scoring.variants.paskievics import PASKIEVICS
from scoring.variants.taroki import TAROKI

VARIANTS: Mapping[str, Variant] = {
    variant.id: variant for variant in (TAROKI, PASKIEVICS, PALATINE)
}
