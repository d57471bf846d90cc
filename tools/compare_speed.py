"""Compares the speed of two checkouts, in CPU time: how many times as fast is the second one?

    python tools/compare_speed.py ../before . --rounds 7

The checkouts take turns, so that a noisy machine slows both. Everything runs in processes of their own with the `src`
of a checkout in PYTHONPATH, by the command line or by names that both have. A ratio above 1 means that the second is
faster. The best rounds are those that others have disturbed least. To learn the noise, compare a checkout with itself.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median

POSITIONS = (
    "oracle/paddock/harbor'/tower' hermits,knights,fishermen - 222222 C5D3F4G1T3 GDTGTGGD 5A/F/3/- "
    "28:a1,b1,c1,d1,e1,b2,c2,e2,e3,f3,d4,e4::F 28:d6,e6,e7,d8,d9,e9,e10,f10,g10,j18,j19,i20::?",
    "tavern'/farm'/tower/oracle knights,lords,hermits - 1112222 C2D2F2G1T1 GGTDTGFDTFCFCCTG 5A/D/3/- "
    "26:b2,c2,d2,d3,b4,d4,b5,c5,d5,e5,c6,e6,c7,f7:c4:D 28:j9,k9,k10,i11,j11,k11,l11,j12,l12,m12,l13,k14::? "
    "28:e1,f1,e2,f2,f3,e4,p6,q7,r7,t7,r8,s8::? 27:i2,j2,j3,s3,t3,i4,j4,k4,l4,r4,j5,l5,i6:h4,r5:?",
    "monastery/university'/oasis/city-hall lords,citizens,ambassadors - 22121222 C2D1F1G4T3 FTFCDFGCCTDFD "
    "3D/D/3/- 31:r4,q5,r5,a9,d12,e12,d13,e13,d14::? 31:s5,t5,s6,j14,k14,i15,j15,k15,k16::? "
    "31:f2,t2,f3,q3,r3,s3,t3,f4,p4::? 33:m7,k8,l8,k9,l9,l10,m10::D 34:q9,r9,q10,f13,g13,f14:r8,h13:? "
    "tasks=compass-points,place-of-refuge caves=t1,a5,s16 ambassadors=2,0,2,0,1",
    "caravan'/paddock'/lighthouse/village' chainers,shepherds,rangers - 1210112211 D1F1T2 TFCFGCDGDTGFGDFTGCCD"
    " 6A/C/3/- 25:r1,s1,t1,r2,s2,t2,r3,s3,t3,s5,i9,k9,m9,h10,m11:s4,l8:C "
    "25:j1,k1,l1,j2,k2,l4,l5,n5,o5,p5,l6,m6,n7,m8,n8:l8:? "
    "25:b1,d4,d5,r14,s14,t14,s15,t15,s16,t16,s17,t17,t18,t19,t20:d3,q14:? "
    "24:d6,d7,q9,d12,d13,e13,d14,a17,b17,c17,d17,a18,a19,b19,a20,b20:c14:? tasks=fortress "
    "nomads=g7:donation-mountain,p17:donation-water caves=c7,p8,k12,i19 shepherds=6,4,2,10",
    "mountain-station'/bazaar/lighthouse/paddock merchants,mayors,homesteaders - 22212222 C4D1F2G4T4 DCTDFDFDF"
    " 5B/G/3/- 24:m1,n1,m2,m3,l4,a5,a6,k8,k9,j10,i11,j11,i12,j12,i16,j17:l5:? "
    "27:n6,n7,o7,m8,n8,n9,n11,o11,m12,n12,o12,m13,l14::G tasks=place-of-refuge caves=s1,b6,k12,i18",
)
"""What the seat in turn sees at the beginning of a turn, in golden records: two base games, three of all boxes."""

SEARCHES = """
import json, sys
from time import process_time
from kingdom_builder.notation import parse_position
from kingdom_builder.players import make_player
name, times, *positions = sys.argv[1:]
seen = [parse_position(position) for position in positions]
choices, spent = [], 0.0
for number in range(int(times)):
    for each in seen:
        player = make_player(name, number)
        began = process_time()
        choices.append(player.choose(each))
        spent += process_time() - began
print(json.dumps({"per_second": len(choices) / spent, "choices": choices}))
"""

Figures = Mapping[str, float]


def engine(checkout: Path, quick: bool) -> Figures:
    """Games of random players per second."""
    found = json.loads(run(checkout, "-m", "kingdom_builder", "bench", "--json", "--games", "300" if quick else "3000"))
    return {
        "games": found["games_per_cpu_second"],
        "games, all sets": found["all_sets_games_per_cpu_second"],
    }


def search(checkout: Path, quick: bool) -> Figures:
    """Searches per second with a fixed number of positions each: the ratio is that of positions per second."""
    figures = {}
    for name in ("hard:2000n", "expert:2000n"):
        times = "1" if quick else "6"
        found = json.loads(run(checkout, "-c", SEARCHES, name, times, *POSITIONS))
        figures[f"searches, {name}"] = found["per_second"]
        same_choices(name, found["choices"])
    return figures


_choices: dict[str, Sequence[int]] = {}


def same_choices(name: str, choices: Sequence[int]) -> None:
    """Warn if a search chose something else than before: then it did not do the same work."""
    if _choices.setdefault(name, choices) != choices:
        print(f"{name} does not always choose the same: its ratio says little", file=sys.stderr)


def serve(checkout: Path, quick: bool) -> Figures:
    """Actions per CPU second of the server."""
    load = ("--tables", "20", "--seconds", "3") if quick else ("--tables", "100", "--seconds", "10")
    found = json.loads(run(checkout, "-m", "kingdom_builder", "bench", "serve", "--json", *load))
    return {"server, actions": 1000 / found["server_cpu_ms_per_action"]}


MEASURES: dict[str, Callable[[Path, bool], Figures]] = {"engine": engine, "search": search, "serve": serve}


def run(checkout: Path, *arguments: str) -> str:
    """What Python prints with the code of a checkout."""
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src"), "PYTHONHASHSEED": "0"}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=checkout, env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout


def compare(checkouts: Sequence[Path], rounds: int, names: Sequence[str], quick: bool) -> None:
    found: dict[str, tuple[list[float], list[float]]] = {}
    for number in range(rounds):
        for name in names:
            for which in (0, 1) if number % 2 else (1, 0):
                for figure, value in MEASURES[name](checkouts[which], quick).items():
                    found.setdefault(figure, ([], []))[which].append(value)
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
    print(f"{'per CPU second':24} {'first':>9} {'second':>9} {'ratio of medians':>17} {'of best':>8}   single rounds")
    for figure, (first, second) in found.items():
        ratios = [b / a for a, b in zip(first, second, strict=True)]
        print(
            f"{figure:24} {median(first):9.1f} {median(second):9.1f} {median(second) / median(first):17.3f}"
            f" {max(second) / max(first):8.3f}   {min(ratios):.3f} to {max(ratios):.3f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", type=Path, help="a checkout")
    parser.add_argument("second", type=Path, help="another one")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="default 5")
    parser.add_argument("--only", choices=MEASURES, action="append", help="measure this; may be given several times")
    parser.add_argument("--quick", action="store_true", help="short and noisy, to see whether everything runs")
    arguments = parser.parse_args()
    checkouts = [arguments.first.resolve(), arguments.second.resolve()]
    for checkout in checkouts:
        code = run(checkout, "-c", "import kingdom_builder; print(kingdom_builder.__file__)").strip()
        if not Path(code).is_relative_to(checkout):
            parser.error(f"{checkout} is not a checkout: its code would come from {code}")
    compare(checkouts, arguments.rounds, arguments.only or list(MEASURES), arguments.quick)


if __name__ == "__main__":
    main()
