"""The boards that one may watch, kept current by the news of them (Contract §5, *Boards*)."""

from collections.abc import Mapping

from halfmoon.engine.spots import INDEX, PILES, Spot
from halfmoon.wire.messages import (
    AnyNews,
    Boards,
    RoomSnapshot,
    SeatMoved,
    SeatUndone,
    SeatUnmasked,
    ShownCard,
    WatchedBoard,
    WatchedPile,
)


def after(room: RoomSnapshot, news: AnyNews) -> RoomSnapshot | None:
    """The room with the boards as they are after `news`.

    None where something was left out before it, and the room has to be asked for again.
    """
    if isinstance(news, Boards):
        return room.model_copy(update={"w": news.w, "boards": news.boards})
    board = None if room.boards is None else room.boards.get(news.player)
    if room.boards is None or room.w is None or board is None or news.w > room.w + 1:
        return None
    if news.w <= room.w:
        return room
    board = _after(board, news)
    return room.model_copy(update={"w": news.w, "boards": {**room.boards, news.player: board}})


def _after(board: WatchedBoard, news: SeatMoved | SeatUndone | SeatUnmasked) -> WatchedBoard:
    match news:
        case SeatUnmasked():
            return _with_cards(board, news.cards, 0).model_copy(update={"status": news.status})
        case SeatMoved():
            board = _with_cards(board, news.revealed, -1)
        case SeatUndone():
            board = _with_cards(board, news.restored, +1)
    numbers = {name: getattr(news, name) for name in ("turn", "score", "moves", "status")}
    return board.model_copy(update=numbers)


def _with_cards(
    board: WatchedBoard, cards: Mapping[Spot, ShownCard | None], more: int
) -> WatchedBoard:
    """The board with these cards on top, and so many more on each of these piles."""
    piles, reserve = list(board.piles), list[ShownCard | None](board.reserve)
    for spot, card in cards.items():
        place = INDEX[spot]
        if place < len(PILES):
            piles[place] = WatchedPile(top=card, count=piles[place].count + more)
        else:
            reserve[place - len(PILES)] = card
    return board.model_copy(update={"piles": piles, "reserve": reserve})
