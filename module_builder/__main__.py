"""Where the command `module-builder` begins, which is `python -m module_builder`.

Everything is loaded in the function, so that Ctrl+C is answered in one line while that lasts.
"""


def main() -> None:
    """Run the builder's command line."""
    try:
        from assistant.util.memory import collect_seldom

        collect_seldom()
        # Imported only here, so that all that it loads is made with that setting.
        from module_builder.cli import main as run

        run()
    except KeyboardInterrupt:
        from assistant.util.signals import end_interrupted

        end_interrupted("module-builder")


if __name__ == "__main__":
    main()
