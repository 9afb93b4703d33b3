"""Taroki z królami, as played at Kozy in Poland.

Source: the Polish encyclopaedia article "Taroki", after John McLeod's description
of his visit in 2011. Where it is silent, the first choice of an option is ours.
"""

from __future__ import annotations

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
    Option,
    Reason,
    Redeal,
    When,
    Whose,
)
from scoring.sides import Side
from scoring.text import _
from scoring.variant import Variant
from scoring.variants.common import PASSED, PLAYED, contra_cap

LAST = frozenset({12})
ALL = frozenset(range(1, 13))
TRUL = frozenset({"XXI", "I", "Fool"})
PAGAT = frozenset({"I"})
CALLED = frozenset({"called king"})

HELD = {"12": 3, "11": 2, "10": 1, "2": 1, "1": 2, "0": 3}
"""What it is worth to declare so many taroks."""

PACK = Pack(
    points=70,
    group=3,
    off=2,
    left_over=(0, 0, 1),
    hand=12,
    ranks=(
        Rank(
            id="fives",
            name=_("XXI, I, Fool"),
            points=5,
            cards=("T21", "T1", "F"),
            named=("XXI", "I", _("Fool")),
        ),
        Rank(id="kings", name=_("Kings"), points=5, cards=("SK", "CK", "HK", "DK")),
        Rank(id="queens", name=_("Queens"), points=4, cards=("SQ", "CQ", "HQ", "DQ")),
        Rank(id="knights", name=_("Knights"), points=3, cards=("SN", "CN", "HN", "DN")),
        Rank(id="jacks", name=_("Jacks"), points=2, cards=("SJ", "CJ", "HJ", "DJ")),
    ),
    plain=(
        *(f"T{number}" for number in range(2, 21)),
        *(f"{suit}{pip}" for suit in "SC" for pip in ("10", "9", "8", "7")),
        *(f"{suit}{pip}" for suit in "HD" for pip in ("A", "2", "3", "4")),
    ),
)

CONTRACTS = (
    Contract(
        id="1",
        name="1",
        note=_("takes 3"),
        value=1,
        lifts=3,
        contra=False,
        may_surrender=True,
    ),
    Contract(
        id="2",
        name="2",
        note=_("takes 2"),
        value=2,
        lifts=2,
        contra=False,
        may_surrender=True,
    ),
    Contract(id="3", name="3", note=_("takes 1"), value=3, lifts=1, may_surrender=True),
    Contract(id="4", name="4", note=_("takes 0"), value=4, lifts=0),
)

BONUSES = (
    Bonus(
        id="trul",
        name=_("Trul"),
        help=_("The side wins the XXI, the Pagat (I) and the Fool in its tricks."),
        announced=4,
        silent=2,
        takes=TRUL,
        holds=TRUL,
    ),
    Bonus(
        id="kings",
        name=_("Four Kings"),
        help=_(
            "The side wins all four kings in its tricks. "
            "Announced before the bidding by the player who holds all four."
        ),
        announced=8,
        silent=2,
        announced_by=(Side.DECLARER,),
        contra=False,
        takes=frozenset({"called king", "kings"}),
        not_alone_because=("king_in_talon",),
        defenders_need="king_captured",
    ),
    Bonus(
        id="pagat_ultimo",
        name=_("Pagat Ultimo"),
        help=_("The Pagat (I) wins the last trick."),
        announced=2,
        silent=1,
        tricks=LAST,
        won_by="I",
        takes=PAGAT,
        holds=PAGAT,
    ),
    Bonus(
        id="king_ultimo",
        name=_("King Ultimo"),
        help=_(
            "The declarer’s side wins the last trick with the called king in it. "
            "Announced by the king’s holder before the talon is taken."
        ),
        announced=2,
        silent=1,
        announced_by=(Side.DECLARER,),
        silent_by=(Side.DECLARER,),
        tricks=LAST,
        takes=CALLED,
        not_alone_because=("king_in_talon",),
        usually_by_partner=True,
    ),
    Bonus(
        id="king_captured",
        name=_("King Captured"),
        help=_("The defenders win the called king in a trick."),
        silent=1,
        silent_by=(Side.DEFENDERS,),
        contra=False,
        takes=CALLED,
        captures=CALLED,
    ),
    Bonus(
        id="pagat_captured",
        name=_("Pagat Captured"),
        help=_("The side captures the Pagat (I) of the other side."),
        silent=1,
        contra=False,
        takes=PAGAT,
        captures=PAGAT,
    ),
    Bonus(
        id="xxi_captured",
        name=_("XXI Captured"),
        help=_("The side captures the XXI of the other side."),
        contra=False,
        takes=frozenset({"XXI"}),
        captures=frozenset({"XXI"}),
    ),
    Bonus(
        id="walat",
        name=_("Walat"),
        help=_("The side takes all twelve tricks."),
        announced=20,
        silent=5,
        contra=False,
        tricks=ALL,
    ),
)

SILENCED_BY_WALAT = GivesWay(to=("walat",))
NOTHING_BESIDE_WALAT = {
    "gives_way": (GivesWay(to=("walat",), whose=Whose.ANY, failed_too=True),)
}

OPTIONS = (
    Option(
        id="count_rule",
        name=_("Counting the pile"),
        help=_("What a single card left over from the groups of three loses."),
        choices=(
            Choice(value="kozy", name=_("nothing, as at Kozy")),
            Choice(
                value="austrian",
                name=_("one point, the Austrian way"),
                changes=(Change(of="pack", to={"left_over": (0, 1, 1)}),),
            ),
        ),
    ),
    Option(
        id="tarok_bonus_to",
        name=_("Who is paid for declared taroks"),
        help=_("The source names only the bonus, not who pays it."),
        choices=(
            Choice(value="side", name=_("the player’s side")),
            Choice(
                value="player",
                name=_("the player, from each of the other three"),
                changes=(Change(of="holdings", to={"paid_to": "player"}),),
            ),
        ),
    ),
    Option(
        id="walat_scope",
        name=_("What still counts after a Walat"),
        help=_("Whether contract and bonuses are paid as well."),
        choices=(
            Choice(value="adds", name=_("everything else counts too")),
            Choice(
                value="replaces_contract",
                name=_("the contract is not paid"),
                changes=(Change(of="game", adds={"gives_way": (SILENCED_BY_WALAT,)}),),
            ),
            Choice(
                value="replaces_everything",
                name=_("nothing else is paid"),
                changes=tuple(
                    Change(of=item, adds=NOTHING_BESIDE_WALAT)
                    for item in (
                        "game",
                        *(b.id for b in BONUSES if b.id != "walat"),
                        "holdings",
                    )
                ),
            ),
            Choice(
                value="silences_trul_and_kings",
                name=_("Trul and Four Kings are not paid"),
                changes=tuple(
                    Change(of=item, adds={"gives_way": (SILENCED_BY_WALAT,)})
                    for item in ("trul", "kings")
                ),
            ),
        ),
    ),
    Option(
        id="fail_absorbs_loss",
        name=_("A failed announcement swallows the lost card"),
        help=_(
            "A failed Trul or Pagat Ultimo then covers the captured Pagat, a failed "
            "King Ultimo the captured king."
        ),
        choices=(
            Choice(value="off", name=_("no, both are paid")),
            Choice(
                value="on",
                name=_("yes, once is enough"),
                changes=tuple(
                    Change(
                        of=lost,
                        adds={
                            "gives_way": (
                                GivesWay(to=by, when=When.FAILED, whose=Whose.OTHER),
                            )
                        },
                    )
                    for lost, by in (
                        ("pagat_captured", ("trul", "pagat_ultimo")),
                        ("king_captured", ("king_ultimo",)),
                    )
                ),
            ),
        ),
    ),
    Option(
        id="own_king_call",
        name=_("May the declarer call a king they hold"),
        help=_("The declarer then plays alone, without the others knowing."),
        choices=(
            Choice(value="allowed", name=_("yes")),
            Choice(
                value="forbidden",
                name=_("only with all four in hand"),
                changes=(
                    Change(
                        of="own_king",
                        to={
                            "unlikely": _(
                                "Here the declarer may call their own king only with "
                                "all four in hand. If it was so, save anyway."
                            ),
                            "unlikely_unless": "kings",
                        },
                    ),
                ),
            ),
        ),
    ),
    Option(
        id="surrender_price",
        name=_("What a surrender costs"),
        help=_("Paid to each of the three others."),
        choices=(
            Choice(value="flat", name=_("2 points, whatever the contract")),
            Choice(
                value="contract",
                name=_("the contract’s value"),
                changes=(Change(of="surrendered", to={"price": "contract"}),),
            ),
            Choice(
                value="contract_times_contra",
                name=_("the contract’s value and its kontra"),
                changes=(
                    Change(of="surrendered", to={"price": "contract_times_contra"}),
                ),
            ),
        ),
    ),
    Option(
        id="pass_out",
        name=_("When all four pass"),
        help=_("Who deals again, and whether the next hand counts double."),
        choices=(
            Choice(value="next_dealer", name=_("the next player deals")),
            Choice(
                value="same_dealer",
                name=_("the same player deals again"),
                changes=(Change(of="redeal", to={"dealer": "same"}),),
            ),
            Choice(
                value="next_hand_doubled",
                name=_("the next player deals, and it counts double"),
                changes=(Change(of="redeal", to={"doubling": "cumulative"}),),
            ),
        ),
    ),
    Option(
        id="xxi_captured",
        name=_("A captured XXI is paid"),
        help=_("One point to the side that captures it."),
        choices=(
            Choice(value="off", name=_("no")),
            Choice(
                value="on",
                name=_("yes, 1 point"),
                changes=(Change(of="xxi_captured", to={"silent": 1}),),
            ),
        ),
    ),
    contra_cap(_("mort, ×16"), _("subkontra, ×8"), _("rekontra, ×4"), _("kontra, ×2")),
)

TAROKI = Variant(
    id="taroki",
    name=_("Taroki"),
    help=_("With a called king, 54 cards counted in threes, as played at Kozy."),
    source=_(
        "The Polish encyclopaedia article “Taroki”, after John McLeod’s description "
        "of his visit to Kozy in 2011."
    ),
    pack=PACK,
    tricks=12,
    contracts=CONTRACTS,
    game=Game(wins_with=36),
    game_name=_("Contract"),
    result_label=_("Result"),
    partner_label=_("Partner, holds the king"),
    bonuses=BONUSES,
    holdings=Holdings(
        name=_("Taroks held"),
        help=_("10, 11 or 12 taroks in hand, or 2, 1 or none, may be declared."),
        values=HELD,
    ),
    endings=(
        PLAYED,
        PASSED,
        Ending(
            id="surrendered",
            name=_("Surrendered"),
            help=_("The called king lies in the talon and the declarer gives up."),
            kind=EndingKind.SURRENDERED,
            value=2,
        ),
    ),
    alone=(
        Reason(id="king_in_talon", name=_("the king lay in the talon")),
        Reason(id="own_king", name=_("called own king")),
    ),
    called=Called(
        label=_("Called king"), cards=("spades", "clubs", "hearts", "diamonds")
    ),
    ladder=Ladder(
        none=_("no kontra"),
        steps=(_("kontra"), _("rekontra"), _("subkontra"), _("mort")),
        top=4,
    ),
    redeal=Redeal(doubling="off", dealer="next"),
    options=OPTIONS,
)
