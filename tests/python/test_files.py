# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""Files, tables, and questions about impacts: the same as the command line says."""

import json
from pathlib import Path

import numpy as np
import pytest

import percute

ROOT = Path(__file__).parents[2]
CRADLE = ROOT / "examples/scenes/cradle.toml"
MOTION = ROOT / "examples/motion/cradle_with_gravity.toml"
FIT = ROOT / "examples/fit/tennis_on_basketball.toml"


def test_a_scene():
    scene = percute.load(CRADLE)
    assert isinstance(scene, percute.Scene)
    assert scene.keys["system"]["kind"] == "ball_chain"
    result = scene.resolve()
    assert np.array_equal(result.velocity, scene.problem.resolve().velocity)
    three = scene.with_values({"system.balls": 3})
    assert np.allclose(three.resolve("newton").velocity, [-1 / 3, 2 / 3, 2 / 3])
    assert len(scene.resolve().velocity) == 5


@pytest.mark.parametrize(
    "path", sorted((ROOT / "examples/scenes").glob("*.toml")), ids=lambda p: p.stem
)
def test_every_example_is_an_impact(path):
    problem = percute.load(path).problem
    assert len(problem.contacts) > 0
    assert problem._repr_html_().count("<tr>") > 2


def test_messages_of_files_are_those_of_the_command_line(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text(CRADLE.read_text().replace("balls", "bals"))
    with pytest.raises(percute.InvalidInput) as caught:
        percute.load(path).problem
    message = str(caught.value)
    assert message.startswith(f"{path}:")
    assert "did you mean 'balls'?" in message
    with pytest.raises(percute.InvalidInput, match="nowhere.toml"):
        percute.load(tmp_path / "nowhere.toml")
    with pytest.raises(percute.InvalidInput, match=r"material.restitution=3: .*3 is not"):
        percute.load(CRADLE).with_values({"material.restitution": 3}).resolve()


def test_problems_are_written_and_read(tmp_path):
    problem = percute.cradle(4).replace(law=percute.laws.Poisson())
    path = tmp_path / "problem.json"
    percute.save(path, problem)
    again = percute.load(path)
    assert isinstance(again, percute.ImpactProblem)
    assert again.law == percute.laws.Poisson()
    assert np.array_equal(again.velocity, problem.velocity)
    assert np.array_equal(again.gradients, problem.gradients)


def test_results_are_written_and_read(tmp_path):
    result = percute.cradle(4).resolve(history=True)
    path = tmp_path / "result.json"
    percute.save(path, result)
    assert json.loads(path.read_text())["format"] == "percute-result/1"
    again = percute.load(path)
    assert np.array_equal(again.velocity, result.velocity)
    assert np.array_equal(again.impulse, result.impulse)
    assert again.energy == result.energy
    assert again.consistency.margins == result.consistency.margins
    assert again.consistency.kinematic
    assert again.diagnostics.steps == result.diagnostics.steps
    assert again.diagnostics.contacts == result.diagnostics.contacts
    percute.save(tmp_path / "history.csv", result)
    rows = (tmp_path / "history.csv").read_text().splitlines()
    assert len(rows) == len(result.history) + 1


def test_a_scene_moves():
    scene = percute.load(MOTION)
    run = percute.simulate(scene, duration=1.0, output_interval=0.1)
    assert run.ok()
    assert len(run) == 11
    assert run.summary["format"] == "percute-run/1"
    assert run.names()[0] == "ball 1"
    assert run.impacts == run.summary["impacts"] > 0


def test_compare():
    comparison = percute.compare(percute.cradle(3), ["newton", "binary", "lzb"])
    assert list(comparison) == ["newton", "binary", "lzb"]
    assert np.allclose(comparison["newton"].velocity, [-1 / 3, 2 / 3, 2 / 3])
    assert "newton" in repr(comparison)
    every = percute.compare(percute.load(CRADLE))
    assert {"lzb", "moreau", "poisson"} <= set(every)
    own = percute.compare(percute.cradle(3), {"mine": percute.laws.Moreau(restitution=0.3)})
    assert own["mine"].energy.after < own["mine"].energy.before
    varied = percute.compare(percute.cradle(3), "binary:order=left_right,binary:order=right_left")
    assert len(varied) == 2


def test_analyze():
    told = percute.analyze(percute.cradle(3))
    assert told.rank == 2
    assert told.redundant is False
    assert np.allclose(told.delassus, percute.cradle(3).delassus())
    assert percute.analyze(percute.cradle(3), choices=True).choices


def test_waves():
    told = percute.waves(percute.cradle(30))
    assert len(told.contacts) == 29
    assert told.format == "percute-waves/1"


def test_reproduce():
    assert len(percute.reproducible()) > 100
    told = percute.reproduce("table6.2to8")
    assert told.ok
    assert told["items"][0]["rows"][0]["published"] is not None


@pytest.mark.skipif(not hasattr(percute._core, "_fit"), reason="built without Ceres Solver")
def test_fit():
    told = percute.fit(FIT)
    assert told.format == "percute-fit-result/1"
    assert told.status == "converged"


# ------------------------------------------------------------------------------------ tables


def test_text_and_html():
    result = percute.cradle(3).resolve()
    assert "ball 1   +1.000000   -0.070952" in str(result)
    assert "1–2" in str(result)
    assert result._repr_html_().count("<table>") == 2
    assert repr(result).startswith("<ImpactResult: ok · v⁺ [-0.0709")
    assert repr(percute.cradle(3)).startswith("<ImpactProblem: BallChain · 3 coordinates")


def test_pandas():
    pytest.importorskip("pandas")
    result = percute.cradle(3).resolve(history=True)
    frame = result.to_dataframe()
    assert frame.loc["ball 3", "velocity"] == result.velocity[2]
    assert len(result.history.to_dataframe()) == len(result.history)
    many = percute.resolve_many(percute.cradle(3), restitution=[0.5, 1.0]).to_dataframe()
    assert list(many["status"]) == ["ok", "ok"]
    assert len(percute.compare(percute.cradle(3), "newton,lzb").to_dataframe()) == 2
    assert list(percute.cradle(3).to_dataframe()["restitution"]) == [1.0, 1.0]
    run = percute.simulate(percute.load(MOTION), duration=0.5)
    assert len(run.to_dataframe()) == len(run)
    assert len(run.events_dataframe()) == len(run.events)


def test_xarray():
    pytest.importorskip("xarray")
    result = percute.cradle(3).resolve(history=True)
    assert result.to_xarray().impulse.attrs["units"] == "N s"
    assert result.history.to_xarray().force.shape == (len(result.history), 2)
    many = percute.resolve_many(percute.cradle(3), restitution=[0.5, 1.0]).to_xarray()
    assert many.velocity.sel(coordinate="ball 3").shape == (2,)
    compared = percute.compare(percute.cradle(3), "newton,lzb").to_xarray()
    assert compared.velocity.sel(law="newton", coordinate="ball 3") == pytest.approx(2 / 3)
    run = percute.simulate(percute.load(MOTION), duration=0.5).to_xarray()
    assert run.velocity.attrs["units"] == "rad/s"
    assert run.position.attrs["units"] == "rad"
    assert percute.cradle(3).to_xarray().gradients.shape == (3, 2)


@pytest.mark.parametrize("suffix", ["h5", "csv"])
def test_runs_on_disk(tmp_path, suffix):
    pytest.importorskip("h5py")
    path = tmp_path / f"run.{suffix}"
    run = percute.simulate(percute.load(MOTION), duration=1.0, output=path)
    again = percute.load(path)
    assert isinstance(again, percute.Trajectory)
    assert np.array_equal(again.time, run.time)
    assert np.array_equal(again.position, run.position)
    assert np.array_equal(again.velocity, run.velocity)
    assert again.names() == run.names()
    assert again.units == run.units == ["rad/s"] * 5
    assert len(run.contact_names) == len(again.contact_names) == 4
    assert again.events == run.events
    if suffix == "h5":
        assert again.contact_names == run.contact_names
        assert again.summary["impacts"] == run.impacts


@pytest.mark.parametrize("suffix", ["h5", "csv"])
def test_histories_on_disk(tmp_path, suffix):
    pytest.importorskip("h5py")
    path = tmp_path / f"inside.{suffix}"
    result = percute.cradle(3).resolve(history=True)
    percute.save(path, result)
    again = percute.load(path)
    assert isinstance(again, percute.ImpactHistory)
    for name in ("time", "force", "stored_energy", "velocity", "kinetic_energy"):
        assert np.array_equal(getattr(again, name), getattr(result.history, name))
    assert again.primary == result.history.primary
    assert again.events == result.history.events


def test_what_is_no_run_is_refused(tmp_path):
    pytest.importorskip("h5py")
    (tmp_path / "no.h5").write_text("no")
    with pytest.raises(percute.InvalidInput, match="no.h5"):
        percute.load(tmp_path / "no.h5")
    (tmp_path / "no.csv").write_text("a,b\n1,2\n")
    with pytest.raises(percute.InvalidInput, match="neither a run nor a history"):
        percute.load(tmp_path / "no.csv")
    with pytest.raises(percute.InvalidInput, match="nowhere.csv"):
        percute.load(tmp_path / "nowhere.csv")
