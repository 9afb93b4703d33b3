"""A tiny game for three, declared here and nowhere else.

One plays alone against two, the pack has 12 cards, and there are two bonuses and a
ladder of two steps.
"""

from __future__ import annotations

from scoring.cards import Pack, Rank
from scoring.contra import Ladder
from scoring.items import (
    Bonus,
    Change,
    Choice,
    Contract,
    Ending,
    EndingKind,
    Game,
    GivesWay,
    Option,
    Redeal,
)
from scoring.variant import Variant

TINY = Variant(
    id="tiny",
    name="Tiny",
    help="Three players, twelve cards, four tricks.",
    source="A test.",
    active=3,
    tricks=4,
    pack=Pack(
        points=24,
        hand=4,
        trumps=4,
        apart=0,
        ranks=(
            Rank(id="kings", name="Kings", points=5, cards=("K1", "K2", "K3", "K4")),
        ),
        plain=("T1", "T2", "T3", "T4"),
    ),
    contracts=(
        Contract(id="small", name="small", value=1),
        Contract(id="great", name="great", value=3, contra=False),
    ),
    game=Game(wins_with=13, gives_way=(GivesWay(to=("sweep",)),)),
    game_name="Contract",
    result_label="Result",
    partner_label="Partner",
    bonuses=(
        Bonus(
            id="last",
            name="Last king",
            help="A king wins the last trick.",
            announced=4,
            silent=2,
            tricks=frozenset({4}),
        ),
        Bonus(
            id="sweep",
            name="Sweep",
            help="The side takes all four tricks.",
            announced=6,
            silent=3,
            times_contract=True,
            tricks=frozenset({1, 2, 3, 4}),
        ),
    ),
    endings=(
        Ending(
            id="played", name="Played", help="It is played.", kind=EndingKind.PLAYED
        ),
        Ending(
            id="passed", name="Passed", help="Nobody pays.", kind=EndingKind.THROWN_IN
        ),
    ),
    ladder=Ladder(none="no knock", steps=("knock", "knock back"), top=2),
    redeal=Redeal(doubling="cumulative"),
    options=(
        Option(
            id="last_king",
            name="Last king",
            help="What a silent last king is worth.",
            choices=(
                Choice(value="two", name="two points"),
                Choice(
                    value="nothing",
                    name="nothing",
                    changes=(Change(of="last", to={"silent": None}),),
                ),
            ),
        ),
    ),
)

PLAYERS = ("Ania", "Bartek", "Celina")
WORKED = (
    # slip, gains from forehand on
    ({"contract": "small", "declarer": "Ania", "won": True}, (2, -1, -1)),
    (
        {"contract": "great", "declarer": "Bartek", "card_points": 12, "multiplier": 2},
        (6, -12, 6),
    ),
    (
        {
            "contract": "small",
            "declarer": "Celina",
            "card_points": 20,
            "contra": 2,
            "bonuses": [{"bonus": "last", "announced_by": "Ania", "made": False}],
        },
        (-8, -8, 16),
    ),
    (
        {
            "contract": "great",
            "declarer": "Ania",
            "won": True,
            "bonuses": [{"bonus": "sweep", "side": "declarer", "made": True}],
        },
        (18, -9, -9),
    ),
    ({"ending": "passed"}, (0, 0, 0)),
)
