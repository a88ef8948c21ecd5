"""Charts are data: constant specifications, into which pages put rows."""

import json

from playground import charts


def test_specifications_carry_no_data_and_are_built_once():
    for spec in (charts.loss(), charts.accuracy(("exact match",)), charts.rate()):
        assert "data" not in spec
        assert all("data" not in layer for layer in spec["layer"])
        json.dumps(spec)
    assert charts.loss() is charts.loss()


def test_shares_always_span_the_whole_axis():
    for layer in charts.accuracy(("exact match", "token accuracy"))["layer"]:
        assert layer["encoding"]["y"]["scale"]["domain"] == [0, 1]


def test_every_series_keeps_its_colour_whatever_rows_there_are():
    names = ("exact match", "token accuracy")
    for layer in charts.accuracy(names)["layer"]:
        assert layer["encoding"]["color"]["scale"]["domain"] == list(names)


def test_no_point_is_drawn_that_was_not_measured():
    assert "interpolate" not in charts.loss()["layer"][0]["mark"]
    records = [{"step": 0, "loss": 3.0}, {"step": 1, "loss": 2.0, "exact_match": 0.5}]
    assert charts.rows(records, {"loss": "training", "exact_match": "exact"}) == [
        {"step": 0, "value": 3.0, "series": "training"},
        {"step": 1, "value": 2.0, "series": "training"},
        {"step": 1, "value": 0.5, "series": "exact"},
    ]


def test_a_table_of_rows_has_the_same_columns_even_when_empty():
    rows = [{"step": 1, "value": 2.0, "series": "training"}, {"step": 2, "value": 1.0, "series": "training"}]
    assert charts.table(rows).to_pylist() == rows
    assert charts.table([]).column_names == ["step", "value", "series"]
