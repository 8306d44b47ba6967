"""A sheet of counters for the LaTeX package wargame: `wargame_sheets.py NUMBER` prints the document.

So many two-sided counters, backs beyond a gutter: a symbol with its size, two names and three figures a side. They show less than
ours do, and have neither bleed nor marks.
"""

import sys

A_PAGE = 48
HEAD = r"""\documentclass[a4paper]{article}
\usepackage[margin=1cm]{geometry}
\usepackage{wargame}
\pagestyle{empty}
\tikzset{
  unit/.style args={#1,#2,#3,#4,#5}{
    /chit/symbol={[faction=friendly,command=land,main=infantry,echelon=division]},
    /chit/left={chit/identifier=#1},
    /chit/right={chit/identifier=#2},
    /chit/factors={chit/3 factors={#3,#4,#5}},
    fill=friendly, draw=black},
}
"""


def document(number):
    """The whole document."""
    yield HEAD
    for n in range(number):
        yield rf"\tikzset{{u{n}/.style={{unit={{{n},{n % 40},{n % 20 + 1},{n % 9 + 1},{n % 7 + 1}}}}}}}"
        yield rf"\tikzset{{u{n} flipped/.style={{unit={{{n},{n % 40},{n % 10 + 1},{n % 5 + 1},1}}}}}}"
    yield r"\begin{document}\noindent"
    for first in range(0, number, A_PAGE):
        names = ",".join(f"u{n}" for n in range(first, min(number, first + A_PAGE)))
        yield rf"\def\sheet{{{{{names}}}}}"
        yield r"\begin{tikzpicture}[scale=1.32,transform shape]\doublechits{\sheet}{5}{1.2}\end{tikzpicture}\clearpage"
    yield r"\end{document}"


print("\n".join(document(int(sys.argv[1]))))
