"""No attack of one visitor is felt by the others. `SIEGE=full` attacks for longer and judges strictly (make soak)."""

import os
import sys
from collections.abc import Iterator

import pytest

from siege.attacks import ATTACKS
from siege.conduct import Camp, addresses_of
from siege.report import FULL, SHORT, lasting

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs the addresses 127.x.y.z, and /proc")

IS_FULL = os.environ.get("SIEGE") == "full"
FORM = FULL if IS_FULL else SHORT
MANY = "-from-many-addresses"
CASES = [name for name, siege in ATTACKS.items() if siege.brief or IS_FULL]
CASES += [name + MANY for name, siege in ATTACKS.items() if siege.many and IS_FULL]


class Camps:
    """Gives a camp for each attack: a new one when an attack has succeeded, and for each in the full form."""

    def __init__(self, folders: pytest.TempPathFactory) -> None:
        self._folders = folders
        self._camp: Camp | None = None

    def camp(self) -> Camp:
        if self._camp is None:
            self._camp = Camp(self._folders.mktemp("camp"))
        return self._camp

    def leave(self) -> None:
        if self._camp is not None:
            self._camp.__exit__()
            self._camp = None


@pytest.fixture(scope="module")
def camps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Camps]:
    camps = Camps(tmp_path_factory)
    yield camps
    camps.leave()


@pytest.mark.parametrize("case", CASES)
def test_an_attack_fails(camps: Camps, case: str) -> None:
    siege = ATTACKS[case.removesuffix(MANY)]
    report = camps.camp().besiege(siege, FORM, addresses_of(siege, many=case.endswith(MANY)))
    harm = report.harm()
    if harm or IS_FULL:
        camps.leave()
    assert not harm, "\n".join([siege.does, report.doing, *harm, report.complaints[-2000:]])


@pytest.mark.skipif(IS_FULL, reason="the full form looks after each attack")
def test_all_is_as_before_in_the_end(camps: Camps) -> None:
    camp = camps.camp()
    assert not lasting(camp.rest(FULL), camp.quiet, SHORT)
