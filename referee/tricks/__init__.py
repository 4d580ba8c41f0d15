"""Games of tricks: the auction, the play of a deal, its score, and what goes wrong in one."""
