"""Names of the players of invented clubs."""

from __future__ import annotations

PLAYER_NAMES = (
    *("Łukasz", "Ágnes", "Bartek", "Őry Gergő", "Celina", "Zsófi", "Darek", "Jörg"),
    *("Ewa", "Bálint", "Filip", "Katalin", "Grażyna", "Sándor", "Henryk", "Márta"),
    *("Iwona", "Tibor", "Józef", "Ilona", "Kasia", "Péter", "Małgorzata", "Rudi"),
    *("Nikodem", "Eszter", "Oskar", "Heinrich", "Paulina", "Ferenc", "Ryszard", "Lili"),
    *("Stanisław", "Júlia", "Teresa", "Ödön", "Urszula", "Vince", "Wojciech", "Zita"),
)
