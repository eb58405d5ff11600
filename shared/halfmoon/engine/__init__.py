"""The rules of Half Moon: cards, deals, boards, standings, records. Values and functions only."""
