from playground.cli import app

app(prog_name="python -m playground")
