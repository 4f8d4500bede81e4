"""The simulator: rounds at random by the million, as a third witness and for what has no formula.

`from upcard.simulate import simulate` is the whole interface; docs/simulate.md shows it at work.
"""

from upcard.simulate.result import Result as Result
from upcard.simulate.run import simulate as simulate
