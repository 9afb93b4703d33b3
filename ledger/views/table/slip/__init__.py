"""Slip: a hand entered by tapping.

A `draft` reads the params into a hand record (`form`, `pile_form`) and has its deal,
score and problems; a `page` adds the chips that can be tapped (`bonuses`,
`pile_counter`, `result`). A `correction` is the page of a recorded hand, and a
`substitute` changes a seat before the hand.
"""
