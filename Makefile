# Two commands do everything: `make demo` and `make test`. Both set up .venv on first use; the demo ends with the command that opens the table page.

PYTHON ?= python3
BIN = .venv/bin
# Without the warning that names in the working folder come first: they are the program itself.
INSTALL = PYTHONWARNINGS=ignore:Editable $(BIN)/python -m pip install --quiet --disable-pip-version-check
export PYTHONDONTWRITEBYTECODE =  # else each process that the tests begin would compile the program anew

.PHONY: help demo test thorough lint rules mutation faults proof referee evenings explore bench guard docs site prints engine engine-docs page-parts program board release clean

demo: .venv/installed
	$(BIN)/assistant demo

# What newcomers need; docs/maintaining has the rest.
help:
	@echo 'make demo      the program at work: what it answers, and how to open the table page'
	@echo 'make test      the cases of each module, in some four minutes on two cores; what to run before a commit'
	@echo 'make thorough  all that make test leaves out: hours (SHARE=30 runs every thirtieth case)'
	@echo 'make lint      style, types and which part may import which'
	@echo 'make rules     whether tests notice faults in the rules, for some of them (ROW=10.8a: one, in seconds)'
	@echo 'make proof     what the code says of a rule, to be read beside the rulebook (CHAPTER=18.1)'
	@echo 'make explore   searches for faults by chance; without WHAT=... what there is to look for'
	@echo 'make bench     how long it takes, beside other programs'
	@echo 'make docs      pictures and pages of the handbook that the program makes'
	@echo 'make site      the handbook as a web site in build/site'
	@echo 'make program   the program for machines without Python, in build/program'
	@echo 'make release   a release of the last commit, in dist (DRAFT=yes tries it)'

# Each module's cases and each limit, in some four minutes on two cores; the cases that tests make up are few, and the same each time.
# FAULTS=20 also notes what the tests execute of the functions into which `make faults COUNT=20` will put faults, so that it need not run them.
test: .venv/tested lint
	$(BIN)/python -m $(if $(FAULTS),tests.faults --trace --count $(FAULTS) --seed $(or $(SEED),1914),pytest -q -n 2 --dist worksteal -rs -m "not thorough" --hypothesis-profile=few)

# What `make test` leaves out: whatever takes long, and the other cases of what is tried there once. SEED=7 tries new cases where tests make
# them up, and another order of the tests; ORDER=global mixes the tests of all files. BUT=rule leaves out those with that mark, all of which
# `make rules` runs; SHARE=3 runs every third case of each test.
thorough: .venv/tested
	$(if $(SEED),CASES=$(SEED)) $(BIN)/python -m pytest -q -n 2 --dist worksteal -rs -m "(thorough or hypothesis)$(if $(BUT), and not $(BUT))" $(if $(SHARE),--share $(SHARE)) --durations 30 \
		$(if $(SEED),--hypothesis-profile=explore --hypothesis-seed=$(SEED)) \
		--random-order-seed=$(or $(SEED),1914) --random-order-bucket=$(or $(ORDER),module)

# The real VASSAL engine for the tests in tests/engine, which are skipped without it; the packages in
# tests/debian-packages.txt must be installed too.
engine: .venv/engine/Vengine.jar

.venv/engine/Vengine.jar: tests/engine/fetch_engine.py
	$(PYTHON) tests/engine/fetch_engine.py $@
	touch $@

# The program for machines without Python, in build/program/field-staff: both commands with the games that are installed, for this system. On Linux it
# needs binutils. `make program WITH=../my-game` takes in another game's package (docs/maintaining/program.md); tests/tools/program tries it.
program:
	rm -rf build/lib build/program
	$(PYTHON) -m venv --clear .venv/program
	.venv/program/bin/python -m pip install --quiet --disable-pip-version-check "pyinstaller>=6.10" . $(WITH)
	.venv/program/bin/pyinstaller --log-level ERROR --distpath build/program --workpath build/program/work tools/program/program.spec

# What the page needs in a browser beside the program, and what its tests check it with (tests/page, which are skipped without);
# needs npm. The browser is one of the packages in tests/debian-packages.txt.
page-parts: .venv/page-parts/fetched

.venv/page-parts/fetched: tests/page/fetch_parts.py module_builder/page/command.py | .venv/installed
	$(BIN)/python -m tests.page.fetch_parts $(@D)
	touch $@

lint: .venv/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tests.walks
	$(BIN)/python -m tests.plain_english

# Which rule of the index is computed where, by which tests that is shown, and how many small faults in that code and where it is
# joined they notice: for rows drawn by chance until so many faults are tried, or a sixth of a game (SAMPLE=600, SEED=1914), in some functions
# alone (ONLY=combat.,crt:), or for all (SAMPLE=all); in one game alone with GAME=twilight-in-the-east. Once `make mutation` has judged all
# rows, those that have changed since come first, up to SAMPLE faults, and of the others a third of that. ROW=10.8a: one row by the tests of its
# own mark, which alone are run then: seconds. A run that is broken off goes on where it was, as long as no source changes.
# FAULTS=20 also notes what the marked tests execute of the functions into which `make faults COUNT=20` will put faults; then `make test FAULTS=20`
# leaves them out, which would run them once more on the same sources.
rules: .venv/tested
	$(BIN)/python -m tests.credit --sample $(or $(SAMPLE),600) --seed $(or $(SEED),1914) --only "$(ONLY)" --row "$(ROW)" \
		$(if $(GAME),--game $(GAME)) $(if $(FAULTS),--faults $(FAULTS))

# The clauses of a chapter as the code has them, to be proof-read beside the rulebook: CHAPTER=17 or CHAPTER=18.1 (GAME=twilight-in-the-east).
proof: .venv/installed
	$(BIN)/assistant rules $(or $(GAME),twilight-in-the-east) "$(CHAPTER)" --proof

# Everything in docs/ that the program writes itself.
docs: .venv/installed
	$(BIN)/assistant battle plugins/twilight_in_the_east/examples/battle.pos --picture docs/pictures/battle.svg --force > /dev/null
	$(BIN)/assistant battle plugins/twilight_in_the_east/examples/battle-before.pos --chart docs/pictures/chances.svg --force > /dev/null
	$(BIN)/assistant supply plugins/twilight_in_the_east/examples/supplied.pos --picture docs/pictures/supply.svg --force > /dev/null
	FIELD_STAFF_LIMIT_PIXELS=1500000 $(BIN)/assistant supply plugins/twilight_in_the_east/setups/19-august-1914.pos --umpire \
		--side russian --part 5 --picture docs/pictures/supply-army.png --force > /dev/null
	FIELD_STAFF_LIMIT_PIXELS=1500000 $(BIN)/assistant supply plugins/twilight_in_the_east/setups/19-august-1914.pos --umpire \
		--part 5 --picture docs/pictures/supply-sides.png --force > /dev/null
	FIELD_STAFF_LIMIT_PIXELS=900000 $(BIN)/assistant ask retreat plugins/twilight_in_the_east/examples/retreat.pos --umpire \
		--picture docs/pictures/retreat.png --force > /dev/null
	FIELD_STAFF_LIMIT_PIXELS=700000 $(BIN)/assistant ask repulse plugins/twilight_in_the_east/examples/repulse.pos --umpire \
		--picture docs/pictures/repulse.png --force > /dev/null
	FIELD_STAFF_LIMIT_PIXELS=900000 $(BIN)/assistant ask reach plugins/twilight_in_the_east/setups/19-august-1914.pos --umpire --units 36/17 \
		--reconstruction --picture docs/pictures/reach-gumbinnen.png --force > /dev/null
	FIELD_STAFF_LIMIT_PIXELS=1200000 $(BIN)/assistant ask threat plugins/twilight_in_the_east/examples/threat.pos --umpire \
		--picture docs/pictures/threat.png --force > /dev/null
	FIELD_STAFF_LIMIT_PIXELS=1000000 $(BIN)/assistant battle plugins/twilight_in_the_east/examples/gumbinnen.pos --umpire \
		--picture docs/pictures/gumbinnen.png --force > /dev/null
	FIELD_STAFF_LIMIT_PIXELS=1000000 $(BIN)/assistant battle plugins/kaisers_war_in_the_east/examples/lemberg.pos --umpire \
		--picture docs/pictures/lemberg.png --force > /dev/null
	FIELD_STAFF_LIMIT_PIXELS=1000000 $(BIN)/assistant ask reach plugins/world_undone_east_prussia/examples/reach.pos --umpire \
		--picture docs/pictures/reach.png --force > /dev/null
	FIELD_STAFF_LIMIT_PIXELS=460000 $(BIN)/assistant journal chart plugins/der_weltkrieg/examples/books.journal dm ge ah ru \
		-o docs/pictures/morale.png --force
	FIELD_STAFF_LIMIT_PIXELS=1600000 $(BIN)/assistant story plugins/twilight_in_the_east/examples/august-1914.journal --umpire \
		--strip docs/pictures/story-strip.png --force
	FIELD_STAFF_LIMIT_PIXELS=900000 $(BIN)/assistant luck plugins/world_undone_east_prussia/examples/evening.journal --umpire \
		--page docs/pictures/luck.png --force > /dev/null
	$(BIN)/module-builder symbols -o docs/pictures/symbols.png --force > /dev/null
	$(BIN)/module-builder colours -o docs/pictures/colours.png --force > /dev/null
	$(BIN)/python -m tests.referee --write
	$(BIN)/python -m tests.pages --write
	$(BIN)/module-builder counters twilight-in-the-east --overview docs/pictures/counters.png --dpi 110 --force
	$(BIN)/module-builder counters twilight-in-the-east --overview docs/pictures/first-counter.png --dpi 250 --force --only "25/3"
	$(BIN)/module-builder counters twilight-in-the-east --overview docs/pictures/counters-close.png --dpi 200 --force --only "1/1" --only "29/20" \
		--only "36 r/1 R" --only "3 gd/23" --only "1 gdc" --only Tilsit --only "German 1 Train" --only "Russian SECOND Minor Depot"
	$(BIN)/module-builder counters twilight-in-the-east --markers --overview docs/pictures/markers.png --dpi 110 --force
	$(BIN)/module-builder sheets twilight-in-the-east --preview docs/pictures/sheet.png --force
	$(BIN)/module-builder board twilight-in-the-east -o docs/pictures/board.png --px 11 --force
	$(BIN)/module-builder board twilight-in-the-east -o docs/pictures/board-prussia.png --area 68.15-44.33 --px 36 --force
	$(BIN)/module-builder board twilight-in-the-east -o docs/pictures/board-warsaw.png --area 70.43-46.61 --px 36 --force
	$(BIN)/module-builder board twilight-in-the-east -o docs/pictures/board-galicia.png --area 58.76-34.94 --px 36 --force
	$(BIN)/module-builder board der-weltkrieg --board map-5-5 -o docs/pictures/board-weltkrieg.png --px 34 --force
	$(BIN)/module-builder board world-undone-east-prussia-1914 -o docs/pictures/board-east-prussia.png --px 22 --force
	$(BIN)/module-builder aids twilight-in-the-east --only turn-track --preview docs/pictures/turn-track.png --force
	$(BIN)/module-builder aids twilight-in-the-east --only checklist --side russian --preview docs/pictures/checklist.png --force
	$(BIN)/module-builder aids kaisers-war-in-the-east --only charts --preview docs/pictures/aid-charts.png --force
	$(BIN)/module-builder aids twilight-in-the-east --only counter --preview docs/pictures/aid-counter.png --force
	$(BIN)/module-builder aids twilight-in-the-east --only roster --preview docs/pictures/aid-roster.png --force
	$(BIN)/module-builder aids twilight-in-the-east --only answers --preview docs/pictures/aid-answers.png --force
	$(BIN)/module-builder aids der-weltkrieg --only turn-track --preview docs/pictures/aid-months.png --force
	$(BIN)/module-builder aids twilight-in-the-east --only armies --nation russian --preview docs/pictures/aid-armies.png --force
	$(BIN)/module-builder aids der-weltkrieg --only turn-sheet --journal plugins/der_weltkrieg/examples/books.journal --side entente \
		--preview docs/pictures/turn-sheet.png --force

# The handbook in docs/ as a site in build/site, which needs no network and no host. Any warning is an error.
site: .venv/documented
	rm -rf build/site build/doctrees
	$(BIN)/python -m sphinx --quiet --jobs 2 --nitpicky --fail-on-warning --keep-going --conf-dir docs --doctree-dir build/doctrees . build/site
	@echo build/site/index.html

.venv/documented: .venv/installed
	$(INSTALL) --editable ".[docs]"
	touch $@

# What the pages show beside the program: Dask and a notebook. Without them the tests of those pages are skipped.
.venv/examples: .venv/tested
	$(INSTALL) --editable ".[examples]"
	touch $@

# A release of the last commit, in a folder of dist named after the version, with -draft behind it for a draft: wheel and sdist, the table page ready to host, checksums, an SBOM, the changelog's section, and its tag
# (docs/maintaining/house.md). DRAFT=yes tries all of it but the tag before the changelog has a date. PYTHONS=/opt/py313/bin/python3.13:/opt/py314/bin names Pythons, or their folders, that are not on PATH.
release: .venv/tested page-parts
	$(if $(filter-out yes no,$(DRAFT)),$(error DRAFT is yes or no))
	$(if $(filter yes,$(DRAFT)),,$(BIN)/python -m tests.surface)
	$(BIN)/python -m tools.release $(if $(filter yes,$(DRAFT)),--draft)

# Small faults put into functions outside the rules, drawn by chance (COUNT=100 SEED=1914), in some modules alone (MODULE=assistant.formats):
# what share of them tests notice. build/faults holds those that nobody notices.
faults: .venv/tested
	$(BIN)/python -m tests.faults --count $(or $(COUNT),100) --seed $(or $(SEED),1914) --module "$(MODULE)" --least $(or $(LEAST),0)

# The boards that the tables in tools/geography/games give, drawn anew (docs/making/geography.md).
board: .venv/installed
	$(BIN)/python -m tools.geography twilight-in-the-east
	$(BIN)/python -m tools.geography plugins/der_weltkrieg
	$(BIN)/python -m tools.geography world-undone-east-prussia-1914

# What the real engine has to draw or save: pictures of the module's window, and the save that demo and docs read.
engine-docs: .venv/tested engine
	$(BIN)/python -m tests.engine.keep

.venv/installed: pyproject.toml setup.py
	$(PYTHON) -m venv .venv
	$(INSTALL) --upgrade "pip>=24"
	$(INSTALL) --editable .
	$(BIN)/python -m compileall -q assistant module_builder plugins
	touch $@

.venv/tested: .venv/installed
	$(INSTALL) --editable ".[test]"
	touch $@

# docs/maintaining/performance.md measured anew, beside peers in environments of their own (.venv/bench-*, made on first use). The system's own
# Python is built with optimisation, as players have it; one of pyenv often is not.
BENCH_PYTHON ?= $(firstword $(wildcard /usr/bin/python3) $(PYTHON))
bench: .venv/measuring/installed page-parts
	.venv/measuring/bin/python -m benchmarks

.venv/measuring/installed: pyproject.toml setup.py
	$(BENCH_PYTHON) -m venv --clear .venv/measuring
	.venv/measuring/bin/python -m pip install --quiet --disable-pip-version-check --editable ".[test]"
	touch $@

# Start-up and ten jobs, counted in instructions by valgrind: none may cost 3 % more than benchmarks/instructions.toml has, which WRITE=yes writes anew.
guard: .venv/installed
	$(BIN)/python -m benchmarks.instructions $(if $(WRITE),--write)

# A search for faults by chance: WHAT=combats SEED=7 COUNT=10000, the words of MORE at the end of its command. Without WHAT it lists what there is
# to look for. Some put their figures into docs/maintaining/runs.md and their tables into build/runs.
explore: .venv/tested $(if $(filter fuzz,$(WHAT)),.venv/fuzzed)
	@$(BIN)/python -m tests.explore "$(WHAT)" "$(COUNT)" "$(SEED)" $(MORE)

.venv/fuzzed: .venv/tested
	$(INSTALL) --editable ".[fuzz]"
	touch $@

# The whole suites, made by second programs into build/referee, which must be those recorded in docs/referee (SEED=7 makes others), and put
# to the plugins; and the recorded evenings played again.
referee: .venv/tested
	$(BIN)/python -m tests.referee $(if $(SEED),--seed $(SEED))
	$(BIN)/assistant referee build/referee --jobs 2

evenings: .venv/tested
	$(BIN)/python -m tests.evenings

# What is printed and shown, measured, into docs/maintaining/runs.md: blank feet of aids, distances of nations' colours, palettes in the
# real engine.
prints: .venv/tested
	$(BIN)/python -m tests.prints

# All rules judged as by `make rules SAMPLE=all`, and the figures put into docs/maintaining/runs.md, or with GAME=twilight-in-the-east those of
# one game. What each row was then is noted in tests/judged_rows.txt.
mutation: .venv/tested
	$(BIN)/python -m tests.credit --write $(if $(GAME),--game $(GAME))

clean:
	rm -rf .venv build dist *.egg-info
