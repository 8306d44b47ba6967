"""A cost field from many sources with the lines to some hexes: `graphs.py RUNS < GRAPH`; see tracing.py for ours.

The graph is JSON: `edges`, each from, to, cost; `sources` and `ends`, hexes by number; `nodes`, their number; and
`total`, what all hexes cost together, which every peer has to find too.
"""

import json
import sys

import igraph
import networkx
import numpy
import rustworkx
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra
from timing import print_least

graph = json.load(sys.stdin)
EDGES, SOURCES, ENDS, NODES = graph["edges"], graph["sources"], graph["ends"], graph["nodes"]
#: Where a library knows one source only: a node before all of them, a step away.
BEFORE = NODES
FROM_BEFORE = [(BEFORE, source, 1) for source in SOURCES]


def checked(total):
    """Stop if a peer has found another field than ours."""
    if total != graph["total"]:
        sys.exit(f"{total} is not {graph['total']}")


def with_networkx():
    """Its multi-source Dijkstra, which keeps all paths."""
    costs, lines = networkx.multi_source_dijkstra(NETWORKX, SOURCES)
    checked(sum(costs.values()))
    return [lines[end] for end in ENDS]


def with_rustworkx():
    """Lengths from the node before all sources, and the paths to the ends."""
    costs = rustworkx.dijkstra_shortest_path_lengths(RUSTWORKX, BEFORE, float)
    checked(int(sum(costs.values())) - len(costs))
    lines = rustworkx.dijkstra_shortest_paths(RUSTWORKX, BEFORE, weight_fn=float)
    return [lines[end] for end in ENDS]


def with_igraph():
    """Distances from the node before all sources, and the paths to the ends."""
    (costs,) = IGRAPH.distances(BEFORE, weights="cost")
    checked(int(sum(costs)) - NODES)
    return IGRAPH.get_shortest_paths(BEFORE, ENDS, weights="cost")


def with_scipy():
    """Its Dijkstra with the nearest of many sources; lines by following the predecessors."""
    costs, before, _ = dijkstra(SCIPY, indices=SOURCES, return_predecessors=True, min_only=True)
    checked(int(costs.sum()))
    lines = []
    for end in ENDS:
        line = [end]
        while before[line[-1]] >= 0:
            line.append(int(before[line[-1]]))
        lines.append(line)
    return lines


NETWORKX = networkx.DiGraph()
NETWORKX.add_weighted_edges_from(EDGES, weight="weight")
RUSTWORKX = rustworkx.PyDiGraph()
RUSTWORKX.add_nodes_from(range(NODES + 1))
RUSTWORKX.add_edges_from([(one, other, cost) for one, other, cost in (*EDGES, *FROM_BEFORE)])
IGRAPH = igraph.Graph(n=NODES + 1, directed=True, edges=[edge[:2] for edge in (*EDGES, *FROM_BEFORE)])
IGRAPH.es["cost"] = [edge[2] for edge in (*EDGES, *FROM_BEFORE)]
ROWS, COLUMNS, COSTS = numpy.array(EDGES).T
SCIPY = csr_matrix((COSTS, (ROWS, COLUMNS)), shape=(NODES, NODES))

if __name__ == "__main__":
    peers = {"networkx": with_networkx, "rustworkx": with_rustworkx, "igraph": with_igraph, "scipy": with_scipy}
    print_least(peers, int(sys.argv[1]))
