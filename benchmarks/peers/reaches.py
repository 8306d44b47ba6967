"""How far units come over steps that are priced: `reaches.py RUNS < GRAPH`; see marches.py for ours.

The graph is JSON: `edges`, each from, to, cost; `units`, each where it begins and how far it goes; and `total`, how many hexes
they reach together, which the peer has to find too.
"""

import json
import sys

import networkx
from timing import tell

graph = json.load(sys.stdin)


def with_networkx():
    """Its Dijkstra from each unit, as far as that goes, which keeps all paths."""
    total = 0
    for start, most in graph["units"]:
        costs, _ways = networkx.single_source_dijkstra(NETWORKX, start, cutoff=most)
        total += len(costs) - 1
    if total != graph["total"]:
        sys.exit(f"{total} is not {graph['total']}")


NETWORKX = networkx.DiGraph()
NETWORKX.add_weighted_edges_from(graph["edges"], weight="weight")

if __name__ == "__main__":
    tell({"networkx": with_networkx}, int(sys.argv[1]))
