"""Pages: a folder for each topic, a module for each page.

In a folder, modules without a view are the parts of a page that are long or shared:
forms, contexts, rows. Beside the folders are the steps that pages of several topics
share:

* `decorators`: who may open a view, by which methods, with how large a body
* `params`: ids and the next page out of a request
* `fields`, `game_form`, `form_errors`: parts of forms, and their errors
* `page_parts`, `status`: a part of a page as the answer to a script, HTTP statuses
* `repeated`, `late_writes`: forms sent twice, or after an evening was closed
* `amendments`, `closing`: steps that pages of evenings and of clubs share

A view fetches through `ledger.access`, writes through `ledger.journal` and renders;
sentences and rows that the API has as well are made by `ledger.presenters`.
"""

from __future__ import annotations
