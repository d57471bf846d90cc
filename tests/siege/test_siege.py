"""No attack of one visitor is felt by the others. `SIEGE=full` attacks for longer and judges strictly (make soak).

In the short form an attack has succeeded only if it does harm twice in a row, the second time at a new camp: it
lasts less than two seconds and is judged by the longest wait in them, and machines that run tests are shared and
sometimes stand still.
"""

import os
import sys
from collections.abc import Iterator

import pytest

from siege.attacks import ATTACKS
from siege.conduct import Camps, addresses_of
from siege.report import FULL, SHORT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs the addresses 127.x.y.z, and /proc")

IS_FULL = os.environ.get("SIEGE") == "full"
FORM = FULL if IS_FULL else SHORT
MANY = "-from-many-addresses"
CASES = [name for name, siege in ATTACKS.items() if siege.brief or IS_FULL]
CASES += [name + MANY for name, siege in ATTACKS.items() if siege.many and IS_FULL]


@pytest.fixture(scope="module")
def camps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Camps]:
    camps = Camps(lambda: tmp_path_factory.mktemp("camp"))
    yield camps
    camps.leave()


@pytest.mark.parametrize("case", CASES)
def test_an_attack_fails(camps: Camps, case: str) -> None:
    siege = ATTACKS[case.removesuffix(MANY)]
    report = camps.besiege(siege, FORM, addresses_of(siege, many=case.endswith(MANY)))
    harm = report.harm()
    assert not harm, "\n".join([siege.does, report.doing, *harm, report.complaints[-2000:]])


@pytest.mark.skipif(IS_FULL, reason="the full form looks after each attack")
def test_all_is_as_before_in_the_end(camps: Camps) -> None:
    assert not camps.lasting(SHORT)
