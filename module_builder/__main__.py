"""Where the command `module-builder` begins, which is `python -m module_builder`."""

from assistant.util.memory import collect_seldom


def main() -> None:
    """Run the builder's command line."""
    collect_seldom()
    from module_builder.cli import main as run  # only here: what it loads is made with that setting

    run()


if __name__ == "__main__":
    main()
