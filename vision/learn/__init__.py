"""Learning one set of tiles that its owner shows: which face is which tile, and what its marks look like.

`find` finds the faces in pictures, `thickness.measured` tells how thick the tiles are where it was shown, `study` names
the faces, `kind_of` reads by what was learnt. The shipped networks stay as they are.
"""

from vision.learn.known import kind_of
from vision.learn.lesson import Lesson, Wanted, study
from vision.learn.naming import Named
from vision.learn.shown import Face, NothingToLearnError, find
from vision.learn.thickness import Thickness

__all__ = ["Face", "Lesson", "Named", "NothingToLearnError", "Thickness", "Wanted", "find", "kind_of", "study"]
