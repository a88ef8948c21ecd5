"""Model cards as the Hub reads them: the front matter, and what is wrong with it."""

import re
from collections.abc import Iterator
from typing import Any

import yaml

LICENSES = {"mit", "apache-2.0", "bsd-3-clause", "cc-by-4.0", "cc0-1.0", "gpl-3.0", "openrail", "unknown", "other"}
PIPELINES = {"text-generation", "translation", "token-classification", "text-classification", "fill-mask", "other"}


def as_list(value: Any) -> list[Any]:
    """A value of a card that may stand alone or in a list."""
    return value if isinstance(value, list) else [] if value is None else [value]


def front_matter(text: str) -> Any:
    """What stands between the two lines of dashes at the start, or None without them.

    Raises `ValueError` where the second line is missing and `yaml.YAMLError` where it is not YAML.
    """
    lines = text.splitlines()
    if not lines or lines[0].rstrip() != "---":
        return None
    end = next((n for n, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), None)
    if end is None:
        raise ValueError("the front matter has no end")
    return yaml.safe_load("\n".join(lines[1:end]))


def problems(text: str) -> tuple[list[str], list[str]]:
    """What the Hub refuses in the front matter of a model card, and what it only warns of."""
    try:
        card = front_matter(text)
    except (ValueError, yaml.YAMLError) as error:
        return [f"Invalid YAML metadata: {error}"], []
    if card is None:
        return [], ["empty or missing yaml metadata in repo card"]
    if not isinstance(card, dict):
        return ["YAML metadata must be a mapping"], []
    pipeline = card.get("pipeline_tag", "other")
    warnings = [] if pipeline in PIPELINES else [f'The pipeline tag "{pipeline}" is not in the official list']
    return [*wrong_values(card), *wrong_results(card)], warnings


def wrong_values(card: dict[str, Any]) -> Iterator[str]:
    """Problems with the plain keys."""
    if not {str(value) for value in as_list(card.get("license"))} <= LICENSES:
        yield f'"license" must be one of [{", ".join(sorted(LICENSES))}]'
    for key in ("tags", "datasets", "metrics"):
        if not all(isinstance(value, str) for value in as_list(card.get(key))):
            yield f'"{key}" must be an array of strings'
    if any(len(str(tag)) > 100 for tag in as_list(card.get("tags"))):
        yield '"tags" must not be longer than 100 characters'
    for key, what in (("datasets", "dataset"), ("base_model", "model")):
        for value in as_list(card.get(key)):
            if not re.fullmatch(r"[\w.-]+(/[\w.-]+)?", str(value)):
                yield f'"{key}" with value "{value}" is not valid. Use a {what} id from https://hf.co/{what}s.'


def wrong_results(card: dict[str, Any]) -> Iterator[str]:
    """Problems with what was measured."""
    for number, model in enumerate(as_list(card.get("model-index"))):
        where = f'"model-index[{number}]'
        if not isinstance(model, dict) or not isinstance(model.get("name"), str):
            yield f'{where}.name" is required'
            continue
        for result in as_list(model.get("results")):
            typed = isinstance(result, dict) and all(
                isinstance(result.get(part), dict) and "type" in result[part] for part in ("task", "dataset")
            )
            if not typed:
                yield f'{where}.results" need a task and a dataset with their types'
            elif not all({"type", "value"} <= {*metric} for metric in as_list(result.get("metrics"))):
                yield f'{where}.results.metrics" need a type and a value'
