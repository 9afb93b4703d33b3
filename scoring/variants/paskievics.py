"""Paskievics, the Hungarian tarokk with four bids and 42 cards.

Source: the chapter "Hungarian Tarokk I: Paskievics"; the preset `pagat` follows the
description on pagat.com. Where the source is silent, the first choice is ours.
"""

from __future__ import annotations

from collections.abc import Mapping

from scoring.cards import Pack, Rank
from scoring.contra import Ladder
from scoring.items import (
    Bonus,
    Called,
    Change,
    Choice,
    Contract,
    Ending,
    EndingKind,
    Game,
    GivesWay,
    Holdings,
    Mayor,
    Option,
    Preset,
    Reason,
    Redeal,
    When,
)
from scoring.text import _
from scoring.variant import Variant
from scoring.variants.common import PASSED, PLAYED, contra_cap

LAST = frozenset({9})
ALL = frozenset(range(1, 10))

HELD = {"9": 2, "8": 1}
"""What it is worth to declare so many trumps."""

PACK = Pack(
    points=94,
    hand=9,
    ranks=(
        Rank(
            id="honours",
            name=_("XXI, I, Fool"),
            points=5,
            cards=("T21", "T1", "F"),
            named=("XXI", "I", _("Fool")),
        ),
        Rank(id="kings", name=_("Kings"), points=5, cards=("SK", "CK", "HK", "DK")),
        Rank(id="queens", name=_("Queens"), points=4, cards=("SQ", "CQ", "HQ", "DQ")),
        Rank(
            id="cavaliers",
            name=_("Cavaliers"),
            points=3,
            cards=("SC", "CC", "HC", "DC"),
        ),
        Rank(id="valets", name=_("Valets"), points=2, cards=("SV", "CV", "HV", "DV")),
    ),
    plain=(*(f"T{number}" for number in range(2, 21)), "S10", "C10", "H1", "D1"),
)

CONTRACTS = (
    Contract(
        id="three",
        name=_("Three"),
        value=1,
        lifts=3,
        sweep_at_least=79,
        swept_at_most=12,
    ),
    Contract(
        id="two", name=_("Two"), value=2, lifts=2, sweep_at_least=74, swept_at_most=8
    ),
    Contract(
        id="one", name=_("One"), value=3, lifts=1, sweep_at_least=69, swept_at_most=4
    ),
    Contract(
        id="without",
        name=_("Without"),
        value=4,
        lifts=0,
        sweep_at_least=72,
        swept_at_most=0,
    ),
)

AFTER_A_SLAM = (GivesWay(to=("slam",)),)
SILENT_AFTER_A_SLAM = (GivesWay(to=("slam",), silent_only=True),)

BONUSES = (
    Bonus(
        id="honours",
        name=_("Honours"),
        help=_("The side wins the XXI, the Pagat (I) and the Fool in its tricks."),
        announced=2,
        silent=1,
        takes=frozenset({"XXI", "I", "Fool"}),
        gives_way=AFTER_A_SLAM,
    ),
    Bonus(
        id="kings",
        name=_("Four Kings"),
        help=_("The side wins all four kings in its tricks."),
        announced=2,
        silent=1,
        takes=frozenset({"K♠", "K♣", "K♥", "K♦"}),
        gives_way=AFTER_A_SLAM,
    ),
    Bonus(
        id="high_game",
        name=_("High Game"),
        help=_("The side takes 71 card points or more."),
        announced=4,
        silent=2,
        times_contract=True,
        at_least=71,
        gives_way=(GivesWay(to=("slam",), when=When.CLAIMED, silent_only=True),),
    ),
    Bonus(
        id="slam",
        name=_("Slam"),
        help=_("The side takes all nine tricks."),
        announced=6,
        silent=3,
        times_contract=True,
        tricks=ALL,
        not_with=("honours", "kings"),
    ),
    Bonus(
        id="pagat_ultimo",
        name=_("Pagat Ultimo"),
        help=_("The Pagat wins the last trick."),
        announced=10,
        silent=5,
        silent_can_fail=True,
        tricks=LAST,
        won_by="I",
        takes=frozenset({"I"}),
    ),
    Bonus(
        id="mond",
        name=_("Mond"),
        help=_("The side captures the XXI of the other side."),
        announced=40,
        silent=20,
        takes=frozenset({"XXI"}),
        captures=frozenset({"XXI"}),
    ),
)

OPTIONS = (
    Option(
        id="tie_47",
        name=_("47 to 47"),
        help=_("Who wins when both sides have the same."),
        choices=(
            Choice(value="defenders", name=_("the defenders")),
            Choice(
                value="no_payment",
                name=_("nobody pays for the game"),
                changes=(Change(of="game", to={"tie_goes_to": "nobody"}),),
            ),
            Choice(
                value="last_doubler_loses",
                name=_("whoever doubled last has lost"),
                changes=(Change(of="game", to={"tie_goes_to": "last_doubler_loses"}),),
            ),
        ),
    ),
    Option(
        id="factor_scope",
        name=_("What High Game and Slam multiply"),
        help=_("The source says “the payment for the hand”."),
        choices=(
            Choice(value="contract", name=_("the contract only")),
            Choice(
                value="whole_hand",
                name=_("every bonus too"),
                changes=(Change(of="", to={"multiplies_all": True}),),
            ),
        ),
    ),
    Option(
        id="lone_base",
        name=_("A game played alone counts"),
        help=_("The value of the contract when the declarer has no partner."),
        choices=(
            Choice(value="bid", name=_("as it was bid")),
            Choice(
                value="without",
                name=_("always as Without, 4"),
                changes=(Change(of="game", to={"lone_value": 4}),),
            ),
        ),
    ),
    Option(
        id="slam_silences",
        name=_("Not paid after a Slam"),
        help=_(
            "Honours and Kings of the side that won it, if made. "
            "A failed announcement of them is always paid."
        ),
        choices=(
            Choice(value="all", name=_("Honours and Kings, announced or silent")),
            Choice(
                value="silent",
                name=_("only silent Honours and Kings"),
                changes=(
                    Change(of="honours", to={"gives_way": SILENT_AFTER_A_SLAM}),
                    Change(of="kings", to={"gives_way": SILENT_AFTER_A_SLAM}),
                    Change(of="slam", to={"not_with_is_sure": False}),
                ),
            ),
        ),
    ),
    Option(
        id="silent_pagat_loss",
        name=_("A silent Pagat beaten in the last trick"),
        help=_("Whether the attempt costs the silent value."),
        choices=(
            Choice(value="off", name=_("costs nothing")),
            Choice(
                value="on",
                name=_("costs the silent value"),
                changes=(Change(of="pagat_ultimo", to={"silent_loss": True}),),
            ),
        ),
    ),
    Option(
        id="trump_count",
        name=_("Eight or nine trumps declared"),
        help=_("1 point for eight, 2 for nine."),
        choices=(
            Choice(value="off", name=_("are not paid")),
            Choice(
                value="all_others",
                name=_("by each of the other three"),
                changes=(Change(of="holdings", to={"paid_to": "player"}),),
            ),
            Choice(
                value="side",
                name=_("to the player’s side"),
                changes=(Change(of="holdings", to={"paid_to": "side"}),),
            ),
        ),
    ),
    contra_cap(
        _("mordkontra, ×32"),
        _("hirskontra, ×16"),
        _("szubkontra, ×8"),
        _("rekontra, ×4"),
        _("kontra, ×2"),
    ),
    Option(
        id="redeal",
        name=_("After a thrown-in deal"),
        help=_("How the deals that follow are doubled."),
        choices=(
            Choice(
                value="next_deal_cumulative",
                name=_("the next counts ×2, then ×4, ×8 …"),
            ),
            Choice(
                value="next_deal_flat",
                name=_("the next counts ×2, never more"),
                changes=(Change(of="redeal", to={"doubling": "flat"}),),
            ),
            Choice(
                value="round",
                name=_("a whole round counts ×2"),
                changes=(Change(of="redeal", to={"doubling": "round"}),),
            ),
            Choice(
                value="off",
                name=_("nothing is doubled"),
                changes=(Change(of="redeal", to={"doubling": "off"}),),
            ),
        ),
    ),
    Option(
        id="thrown_in_dealer",
        name=_("Who deals after a thrown-in deal"),
        help=_("The same player deals again, or the next one does."),
        choices=(
            Choice(value="same", name=_("the same player")),
            Choice(
                value="next",
                name=_("the next player"),
                changes=(Change(of="redeal", to={"dealer": "next"}),),
            ),
        ),
    ),
)

PAGAT_OPTIONS: Mapping[str, str | int] = {
    "slam_silences": "silent",
    "silent_pagat_loss": "on",
    "trump_count": "all_others",
    "redeal": "round",
    "first_eight_needs_all_tricks": "off",
}
PAGAT_VALUES: Mapping[str, Mapping[str, int | None]] = {
    "mond": {"announced": 42, "silent": 21},
    "first_five": {"announced": 10, "silent": None},
    "first_six": {"announced": 10, "silent": None},
    "first_seven": {"announced": 10, "silent": None},
    "first_eight": {"announced": 20, "silent": None},
}

PRESETS = (
    Preset(id="classic", name=_("classic"), help=_("As the chapter describes it.")),
    Preset(
        id="pagat",
        name="pagat",
        help=_("As described on pagat.com: Mond 42, trumps paid, a doubled round."),
        options=PAGAT_OPTIONS,
        values=PAGAT_VALUES,
    ),
    Preset(
        id="tournament",
        name=_("tournament"),
        help=_("Like pagat, with First Eight 15, hirskontra last, no doubling."),
        options={**PAGAT_OPTIONS, "contra_cap": 4, "redeal": "off"},
        values={**PAGAT_VALUES, "first_eight": {"announced": 15, "silent": None}},
    ),
)

PASKIEVICS = Variant(
    id="paskievics",
    name=_("Paskievics"),
    help=_("Hungarian tarokk with four bids, a called trump and 42 cards."),
    source=_(
        "The chapter “Hungarian Tarokk I: Paskievics”; the preset pagat follows "
        "pagat.com."
    ),
    pack=PACK,
    tricks=9,
    contracts=CONTRACTS,
    game=Game(
        wins_with=48,
        tie=47,
        gives_way=(
            GivesWay(to=("high_game", "slam"), when=When.CLAIMED, unless_contra=True),
        ),
    ),
    game_name=_("Game"),
    result_label=_("Card points of the declarer’s side"),
    partner_label=_("Partner"),
    bonuses=BONUSES,
    holdings=Holdings(
        name=_("Trumps held"),
        help=_("Eight or nine trumps in hand may be declared."),
        values=HELD,
        paid_to="nobody",
    ),
    endings=(
        PLAYED,
        PASSED,
        Ending(
            id="annulled",
            name=_("Annulled"),
            help=_("A player annuls a hand too bad to play; nobody pays."),
            kind=EndingKind.THROWN_IN,
            keeps_contract=True,
            by=_("Annulled by"),
            reasons=(
                Reason(id="no_trumps", name=_("no trumps")),
                Reason(id="only_pagat", name=_("only the Pagat")),
                Reason(id="only_xxi", name=_("only the XXI")),
                Reason(id="four_kings", name=_("all four kings")),
            ),
        ),
    ),
    alone=(
        Reason(
            id="called_card_discarded",
            name=_("the called trump was discarded"),
            needs_contra=_(
                "Whoever discarded the called trump must say kontra to the game: set "
                "its kontra."
            ),
        ),
        Reason(id="called_card_in_stock", name=_("the called trump lay in the stock")),
        Reason(id="own_card", name=_("called own trump")),
    ),
    called=Called(
        label=_("Called trump"), cards=tuple(str(n) for n in range(20, 1, -1))
    ),
    ladder=Ladder(
        none=_("no kontra"),
        steps=(
            _("kontra"),
            _("rekontra"),
            _("szubkontra"),
            _("hirskontra"),
            _("mordkontra"),
        ),
        top=5,
    ),
    mayor=Mayor(
        label=_("Mayor’s hat: who lost the XXI"), lost="xxi_lost_by", caught_by="mond"
    ),
    redeal=Redeal(doubling="cumulative", dealer="same"),
    options=OPTIONS,
    presets=PRESETS,
)
