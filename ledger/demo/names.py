"""Who plays at a club that never was."""

from __future__ import annotations

PEOPLE = (
    *("Łukasz", "Ágnes", "Bartek", "Őry Gergő", "Celina", "Zsófi", "Darek", "Jörg"),
    *("Ewa", "Bálint", "Filip", "Katalin", "Grażyna", "Sándor", "Henryk", "Márta"),
    *("Iwona", "Tibor", "Józef", "Ilona", "Kasia", "Péter", "Małgorzata", "Rudi"),
    *("Nikodem", "Eszter", "Oskar", "Heinrich", "Paulina", "Ferenc", "Ryszard", "Lili"),
    *("Stanisław", "Júlia", "Teresa", "Ödön", "Urszula", "Vince", "Wojciech", "Zita"),
)
