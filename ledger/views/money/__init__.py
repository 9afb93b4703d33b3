"""Money pages: settle, payments, take_back, pot, statement, method.

Beside them are the fields of their forms (fields, player_choice, scope_params), what
they list (payment_list, statement_rows, plan_notes), and what they answer (just_done,
refused).
"""

from __future__ import annotations
