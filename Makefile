# Two commands do everything: `make demo` and `make test`. Both set up .venv on first use; the demo ends with the command that opens the table page.

PYTHON ?= python3
BIN = .venv/bin
# Without the warning that names in the working folder come first: they are the program itself.
INSTALL = PYTHONWARNINGS=ignore:Editable $(BIN)/python -m pip install --quiet --disable-pip-version-check
export PYTHONDONTWRITEBYTECODE =  # else each process that the tests begin would compile the program anew

.PHONY: alike board combats prints proof evenings explore failures faults release fuzz hostile imports kills lacking referee secrets sessions supplies undoing mutation phones program demo test thorough engine page-parts lint rules docs site engine-docs bench guard clean

demo: .venv/installed
	$(BIN)/assistant demo

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

.venv/page-parts/fetched: tests/page/fetch_parts.py module_builder/page/parts.py | .venv/installed
	$(BIN)/python -m tests.page.fetch_parts $(@D)
	touch $@

lint: .venv/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tests.walks

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

# docs/maintaining/performance.md measured anew, beside peers in environments of their own (.venv/bench-*, made on first use).
bench: .venv/installed
	$(BIN)/python -m benchmarks

# Start-up and ten jobs, counted in instructions by valgrind: none may cost 3 % more than benchmarks/instructions.toml has, which WRITE=yes writes anew.
guard: .venv/installed
	$(BIN)/python -m benchmarks.instructions $(if $(WRITE),--write)

# The tests that make up their own cases, with new ones in each of ROUNDS rounds.
explore: .venv/tested
	for round in $$(seq $(or $(ROUNDS),10)); do $(BIN)/python -m pytest -q -n 2 -m hypothesis --hypothesis-profile=explore || exit 1; done

# Much spoiled input through the command line, the table prompt and the builder (SEED=4 COUNT=100000). Like those below, this run puts its figures
# into docs/maintaining/runs.md and its tables into build/runs. FIRST=2000 begins with that input; what crashes the program is kept in build/hostile.
hostile: .venv/tested
	$(BIN)/python -m tests.hostile.run $(or $(COUNT),100000) $(or $(SEED),4) $(or $(FIRST),0)

# Inputs guided by the code that they reach (SEED=1914 COUNT=105000). What is at fault is kept in build/fuzz.
fuzz: .venv/tested
	$(INSTALL) --editable ".[fuzz]"
	$(BIN)/python -m tests.fuzz.run $(or $(COUNT),105000) $(or $(SEED),1914)

# Modules of VASSAL made up from a seed (SEED=1914 COUNT=1000), each imported, built again, adopted and read by a program of its own: on which
# pieces, names, sides, hexes and pixels these do not agree, but for what IMPORT.md says.
imports: .venv/tested
	$(BIN)/python -m tests.importing.run $(or $(COUNT),1000) $(or $(SEED),1914)

# Pairs of positions that differ only in what is hidden from a side (SEED=1914 COUNT=5000).
secrets: .venv/tested
	$(BIN)/python -m tests.secrets.run $(or $(COUNT),5000) $(or $(SEED),1914)
	$(BIN)/python -m tests.secrets.foreign $(or $(COUNT),1000) $(or $(SEED),1914)
	$(BIN)/python -m tests.secrets.beside $(or $(COUNT),1000) $(or $(SEED),1914)
	$(BIN)/python -m tests.secrets.fog $(or $(COUNT),1000) $(or $(SEED),1914)
	$(BIN)/python -m tests.secrets.shared $(or $(COUNT),300) $(or $(SEED),1914)

# Random combats played with random dice and choices until nothing is owed, each left as its moves leave it that are entered one by one
# (SEED=7 COUNT=10000).
# FIRST=2000 begins with that combat.
combats: .venv/tested
	$(BIN)/python -m tests.combats.run $(or $(COUNT),10000) $(or $(SEED),7) $(or $(FIRST),0)

# The supply of random positions, each unit asked for alone and with its side, and worked out by a naive solver (SEED=1914 COUNT=2000).
# FIRST=500 begins with that position; build/supplies holds what is at fault, as small as it becomes.
supplies: .venv/tested
	$(BIN)/python -m tests.supplies.run $(or $(COUNT),2000) $(or $(SEED),1914) $(or $(FIRST),0)

# Random positions with half of their ground typed, each asked about in a file, by a command, of the library, at the prompt and on the page
# (SEED=1914 COUNT=500). FIRST=100 begins with that position; build/alike holds what differs.
alike: .venv/tested
	$(BIN)/python -m tests.alike.run $(or $(COUNT),500) $(or $(SEED),1914) $(or $(FIRST),0)

# Asks COUNT questions (3,000 by default) of positions of every game, with and without some of their facts: no other figure may
# look whole. GAME=twilight takes positions of one game.
lacking: .venv/tested
	$(BIN)/python -m tests.lacking.checking $(or $(COUNT),3000) $(or $(SEED),1914) $(GAME)

# Random taps, undos, lost answers and restarts at one table with several phones (COUNT=10000 steps): each shows a view of the one journal.
phones: .venv/tested
	$(BIN)/python -m tests.assistant.faces.page.phones $(or $(COUNT),10000)

# Random lines, undos and strikes at a table with the laptop, the open link and two sides, held to a plain model: no unit is lost, and no
# enemies come into one hex (COUNT=5000 steps, SEED=0).
undoing: .venv/tested
	$(BIN)/python -m tests.undoing.run $(or $(COUNT),5000) $(or $(SEED),0)

# The suites of docs/referee, each made by a second program, put to the plugins; and the recorded evenings played again.
referee: .venv/tested
	$(BIN)/assistant referee docs/referee --jobs 2

evenings: .venv/tested
	$(BIN)/python -m tests.evenings

# Random sessions at the table: of lines that a file could hold too, held to the position that the file gives, and of answers and slips,
# after each of which a file may say what lies on the table (SEED=29 COUNT=5000).
sessions: .venv/tested
	$(BIN)/python -m tests.assistant.faces.prompt.grammar $(or $(COUNT),5000) $(or $(SEED),29)
	$(BIN)/python -m tests.assistant.faces.prompt.stored $(or $(COUNT),5000) $(or $(SEED),29)

# What is printed and shown, measured, into docs/maintaining/runs.md: blank feet of aids, distances of nations' colours, palettes in the
# real engine.
prints: .venv/tested
	$(BIN)/python -m tests.prints

# Commands that write, killed at each call that writes. With strace, by the kernel too.
kills: .venv/tested
	$(BIN)/python -m tests.hostile.kills

# Every command with calls failing by which it reads, writes or allocates, once and for good.
# It takes about an hour: JOBS=4 in four processes; MOST=20 tries twenty numbers of each kind; RESUME=yes goes on with
# a run that was broken off. build/failures holds what was found.
failures: .venv/tested
	$(BIN)/python -m tests.hostile.failures $(if $(JOBS),--jobs $(JOBS)) $(if $(MOST),--most $(MOST)) $(if $(RESUME),--resume)

# All rules judged as by `make rules SAMPLE=all`, and the figures put into docs/maintaining/runs.md, or with GAME=twilight-in-the-east those of
# one game. tests/judged_rows.txt notes what each row was then.
mutation: .venv/tested
	$(BIN)/python -m tests.credit --write $(if $(GAME),--game $(GAME))

clean:
	rm -rf .venv build dist *.egg-info
