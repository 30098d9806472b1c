# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""Pictures: the numbers in them are those computed, and all of them can be drawn."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import percute
from percute import plot

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402

ROOT = Path(__file__).parents[2]
SCENES = ROOT / "examples/scenes"
MOTION = ROOT / "examples/motion"


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def drawn(figure=None):
    """Renders a picture; nothing may warn, not even about room for the axes."""
    figure = figure or plt.gcf()
    figure.canvas.draw()
    pixels = np.asarray(figure.canvas.buffer_rgba())
    assert len(np.unique(pixels.reshape(-1, 4), axis=0)) > 5
    # All that is written lies within the figure.
    width, height = figure.canvas.get_width_height()
    renderer = figure.canvas.get_renderer()
    for ax in figure.axes:
        box = ax.get_tightbbox(renderer)
        assert box.x0 > -2 and box.y0 > -2 and box.x1 < width + 2 and box.y1 < height + 2
    return pixels


def columns(ax, count):
    return np.column_stack([line.get_ydata() for line in ax.lines[:count]])


def label_of(ax):
    return re.sub(r".*\[(.*)\]", r"\1", ax.get_ylabel())


PREFIX = {"m": 1e3, "µ": 1e6, "k": 1e-3, "": 1.0}


def scale(text, unit):
    """What numbers were multiplied by, from the unit at their axis."""
    assert text.endswith(unit), text
    return PREFIX[text.removesuffix(unit)]


@pytest.fixture(scope="module")
def lossy():
    material = percute.Material(restitution=0.9, stiffness=1e9)
    return percute.cradle(4, material=material).resolve(history=True)


@pytest.fixture(scope="module")
def block():
    return percute.simulate(percute.load(MOTION / "rocking_block.toml"))


# --------------------------------------------------------------------------------- one impact


def test_impulses(lossy):
    ax = plot.impulses(lossy.history)
    history = lossy.history
    assert np.allclose(columns(ax, 3), scale(label_of(ax), "N s") * history.impulse)
    assert np.allclose(ax.lines[0].get_xdata(), 1e6 * history.time)
    assert ax.get_xlabel() == "time [µs]"
    assert [text.get_text() for text in ax.texts] == ["1–2", "2–3", "3–4"]
    ends = [e for e in history.events if e.kind == "compression_end"]
    dots = [line for line in ax.lines[3:] if line.get_marker() == "o"]
    assert np.allclose([d.get_xdata()[0] for d in dots], [1e6 * e.time for e in ends])
    drawn()


def test_energies(lossy):
    ax = plot.energies(lossy)
    history, factor = lossy.history, scale(label_of(ax), "J")
    total, kinetic, stored, lost = columns(ax, 4).T / factor
    assert np.allclose(kinetic, history.kinetic_energy)
    assert np.allclose(stored, history.stored_energy.sum(axis=1))
    assert np.allclose(lost, history.dissipated.sum(axis=1))
    # The tolerance of the law is 1e-9.
    assert np.allclose(total, lossy.energy.before, rtol=1e-8)
    drawn()
    elastic = plot.energies(percute.cradle(3).resolve(history=True))
    assert "lost" not in [line.get_label() for line in elastic.lines]


def test_velocities(lossy):
    ax = plot.velocities(lossy.history)
    assert np.allclose(columns(ax, 4), lossy.history.velocity)
    factor = scale(re.sub(r".*\[(.*)\]", r"\1", ax.get_xlabel()), "N s")
    assert np.allclose(ax.lines[0].get_xdata(), factor * lossy.history.total_impulse)
    drawn()


def test_velocities_of_different_units_have_panels():
    spinning = percute.load(SCENES / "rotating_chain.toml").resolve("lzb", history=True)
    panels = plot.velocities(spinning)
    assert [panel.get_ylabel() for panel in panels] == ["velocity [m/s]", "velocity [rad/s]"]
    assert np.allclose(columns(panels[1], 4), spinning.history.velocity[:, 2::3])
    drawn()
    with pytest.raises(ValueError, match="2 panels; 1 axes"):
        plot.velocities(spinning, plt.gca())


def test_forces_and_stored(lossy):
    ax = plot.forces(lossy.history)
    assert np.allclose(columns(ax, 3), scale(label_of(ax), "N") * lossy.history.force)
    drawn()
    ax = plot.stored(lossy.history)
    assert np.allclose(columns(ax, 3), scale(label_of(ax), "J") * lossy.history.stored_energy)
    drawn()


def test_a_history_plots_itself(lossy):
    upper, lower = lossy.history.plot()
    assert np.allclose(columns(upper, 3), scale(label_of(upper), "N s") * lossy.history.impulse)
    factor = scale(label_of(lower), "J")
    assert np.allclose(columns(lower, 3), factor * lossy.history.stored_energy)
    drawn()
    axes = plt.subplots(2, 1, layout="constrained")[1]
    assert lossy.history.plot(axes)[0] is axes[0]


def test_many_contacts_have_few_names():
    upper, _ = percute.cradle(20).resolve(history=True).history.plot()
    assert len(upper.texts) == 5
    assert upper.texts[0].get_text() == "1–2"
    drawn()


def test_a_result_as_bars():
    result = percute.cradle(3).resolve("newton")
    velocities, impulses = result.plot()
    before, after = velocities.containers
    assert np.allclose([bar.get_width() for bar in before], [1, 0, 0])
    assert np.allclose([bar.get_width() for bar in after], result.velocity)
    factor = scale(re.sub(r".*\[(.*)\]", r"\1", impulses.get_xlabel()), "N s")
    assert np.allclose([b.get_width() for b in impulses.containers[0]], factor * result.impulse)
    drawn()


def test_no_history():
    with pytest.raises(ValueError, match="history=True"):
        plot.impulses(percute.cradle(3).resolve())
    with pytest.raises(TypeError, match="history or a result"):
        plot.impulses(3)


# -------------------------------------------------------------------------------------- waves


def test_wave():
    waves = percute.waves(percute.cradle(30), samples=100)
    ax = waves.plot()
    mesh = ax.collections[0]
    assert np.allclose(mesh.get_array(), np.array(waves["space_time"]["velocity"]).T)
    line = ax.lines[0]
    slope = np.diff(line.get_xdata())[0] / np.diff(line.get_ydata())[0]
    assert np.isclose(slope, waves["wave"]["speed"])
    drawn()
    forces = plot.wave(waves, quantity="force")
    assert forces.get_xlabel() == "contact"
    drawn()
    with pytest.raises(ValueError, match="samples=400"):
        plot.wave(percute.waves(percute.cradle(30)))
    with pytest.raises(ValueError, match="'velocity' or 'force'"):
        plot.wave(waves, quantity="speed")


def test_wave_of_a_history(lossy):
    ax = plot.wave(lossy)
    rows = np.concatenate([[True], np.diff(lossy.history.time) > 0])
    assert np.allclose(ax.collections[0].get_array(), lossy.history.velocity[rows])
    drawn()


# --------------------------------------------------------------------------------------- laws


def test_laws():
    comparison = percute.compare(percute.cradle(3), ["newton", "binary", "lzb"])
    ax = comparison.plot()
    table = np.array([[bar.get_width() for bar in body] for body in ax.containers]).T
    assert np.allclose(table, [r.velocity for r in comparison.values()])
    assert [tick.get_text() for tick in ax.get_yticklabels()] == list(comparison)
    assert ax.get_xlabel() == "velocity [m/s]"
    assert [text.get_text() for text in ax.texts][:3] == ["1.000"] * 3
    drawn()


def test_laws_mark_what_is_not_admissible():
    def too_much(problem):
        return percute.ImpactResult(velocity=[-2.0, 0.0, 3.0], impulse=[0.3, 0.3])

    ax = plot.laws(percute.compare(percute.cradle(3), {"mine": too_much}))
    assert ax.texts[0].get_text().endswith("✗")
    with pytest.raises(ValueError, match="empty"):
        plot.laws(percute.Comparison({}))


def test_laws_of_many_balls_are_colours():
    comparison = percute.compare(percute.cradle(20), "newton,binary")
    ax = plot.laws(comparison)
    assert np.allclose(ax.images[0].get_array(), [r.velocity for r in comparison.values()])
    drawn()


def test_outcome_plane():
    problem = percute.cradle(3, material=percute.Material(restitution=0.7))
    ax = plot.outcome_plane(problem, ["moreau", "poisson", "lzb"], samples=500)
    markers = {line.get_label(): line for line in ax.lines if not line.get_label().startswith("_")}
    for law in ("moreau", "poisson", "lzb"):
        outcome = problem.resolve(law).gap_rate
        assert np.allclose(markers[law].get_xydata()[0], outcome)
    clouds = [line for line in ax.lines if line.get_label() == "_family of moreau"]
    assert np.allclose(clouds[0].get_ydata(), 0.0, atol=1e-9)
    drawn()
    for given in (percute.load(SCENES / "three_balls.toml"), percute.systems.BallChain(balls=3)):
        plot.outcome_plane(given, "moreau", families=False)
    with pytest.raises(ValueError, match="two contacts"):
        plot.outcome_plane(percute.cradle(4))


def test_the_admissible_region():
    problem = percute.cradle(3)
    region = plot.admissible_region(problem)
    inverse = np.linalg.inv(problem.delassus())
    before = np.asarray(problem.gap_rates)
    energy = np.einsum("ki,ij,kj->k", region, inverse, region)
    # On the border, to rounding: energy is kept, or a contact rests, or does not push.
    assert np.all(energy <= before @ inverse @ before * (1 + 1e-12))
    assert region.min() > -1e-12
    assert ((region - before) @ inverse).min() > -1e-10
    assert np.allclose(region.max(axis=0), 1.0, atol=1e-4)


def test_map():
    x, y = np.linspace(0.5, 2.0, 6), np.linspace(0.0, 1.0, 5)
    xx, yy = np.meshgrid(x, y)
    mass = np.ones((xx.size, 3))
    mass[:, 1] = xx.ravel()
    problem = percute.cradle(3, mass=1.0)
    many = percute.resolve_many(problem, "lzb", mass=mass, restitution=yy.ravel())
    ax = plot.map(x, y, many, levels=3)
    kept = (many.energy_after / many.energy_before).reshape(5, 6)
    assert np.allclose(ax.collections[0].get_array(), kept)
    drawn()
    last = plot.map(x, y, many, quantity=lambda r: r.velocity[:, -1])
    assert np.allclose(last.collections[0].get_array(), many.velocity[:, -1].reshape(5, 6))
    called = plot.map(x, y, lambda a, b: a - 2 * b, diverging=True)
    assert np.allclose(called.collections[0].get_array(), xx - 2 * yy)
    with pytest.raises(ValueError, match="growing"):
        plot.map(x[::-1], y, many)
    with pytest.raises(ValueError, match="29 values do not fill 5 rows"):
        plot.map(x, y, np.zeros(29))


def test_bar_restitution():
    ax = plot.bar_restitution(angles=[70, 90], restitution=[1.0], segments=2)
    expected = [plot._laws.apparent_restitution(a, 1.0, **{"system.segments": 2}) for a in (70, 90)]
    assert np.array_equal(ax.lines[0].get_ydata(), expected)
    assert 0.9 < expected[1] <= 1.0
    drawn()
    given = plot.bar_restitution({0.5: ([0, 90], [0.6, 0.9])})
    assert np.allclose(given.lines[0].get_xydata(), [[0, 0.6], [90, 0.9]])


# ------------------------------------------------------------------------------------- motion


def test_gaps(block):
    ax = plot.gaps(block)
    assert block.gap.shape == (len(block), 2)
    assert np.allclose(columns(ax, 2), scale(label_of(ax), "m") * block.gap)
    # The corners of a block of width 0.2 that stands on one of them.
    tilt = block.position[0, 2]
    assert np.isclose(block.gap[0].max(), 0.2 * np.sin(abs(tilt)))
    drawn()
    log = plot.gaps(block, log=True)
    assert log.get_yscale() == "log"
    drawn()


def test_phases(block):
    ax = plot.phases(block)
    impacts = sum(len(e.contacts) for e in block.events if e.kind == "impact")
    (ticks,) = [c for c in ax.collections if c.get_label() == "impact"]
    assert len(ticks.get_segments()) == impacts
    phases = plot._motion.phases_of(block)
    begun = [(e.time, c) for e in block.events if e.kind == "contact_begins" for c in e.contacts]
    starts = {(p.start, p.contact) for p in phases}
    assert starts and starts <= set(begun) | {
        (e.time, c) for e in block.events if e.kind in ("sticking", "sliding") for c in e.contacts
    }
    # While a contact lasts its gap is closed.
    for phase in phases:
        during = (block.time > phase.start) & (block.time < phase.end)
        assert np.all(np.abs(block.gap[during, phase.contact]) < 1e-8)
    drawn()


def test_a_run_plots_itself(block):
    upper, lower = block.plot()
    assert upper.get_ylabel().startswith("gap")
    assert lower.get_xlabel() == "time [s]"
    drawn()
    panels = plot.motion(block)
    assert [panel.get_ylabel() for panel in panels] == ["position [m]", "angle [rad]"]
    assert np.allclose(columns(panels[1], 1)[:, 0], block.position[:, 2])
    drawn()


def test_energy_drift():
    ball = percute.systems.BouncingBall(gravity=9.81, material=percute.Material(restitution=0.8))
    run = percute.simulate(ball, ball.at(1.0), "newton", duration=2.0, output_interval=0.01)
    ax = plot.energy_drift(run)
    values = ax.lines[1].get_ydata()
    assert np.allclose(run.kinetic_energy, 0.5 * run.velocity[:, 0] ** 2)
    assert np.allclose(run.potential_energy, 9.81 * run.position[:, 0])
    # Parabolas and located impacts: rounding.
    assert np.abs(values).max() < 1e-12
    drawn()
    shaken = percute.simulate(percute.load(MOTION / "vibrated_column.toml"))
    with pytest.raises(ValueError, match="energy is not kept"):
        plot.energy_drift(shaken)


def test_what_a_run_does_not_say(block):
    with pytest.raises(TypeError, match="a run is wanted"):
        plot.gaps(3)
    plain = percute.Trajectory(block.time, block.position, block.velocity)
    with pytest.raises(ValueError, match="HDF5"):
        plot.phases(plain)
    with pytest.raises(ValueError, match="does not say what moves"):
        plot.animate(plain)


# ------------------------------------------------------------------------------------ animations


@pytest.mark.parametrize("path", sorted(SCENES.glob("*.toml")), ids=lambda path: path.stem)
def test_every_impact_moves(path):
    animation = plot.animate(percute.load(path), seconds=0.2)
    drawn(animation.show(animation.frames - 1))


@pytest.mark.parametrize("path", sorted(MOTION.glob("*.toml")), ids=lambda path: path.stem)
def test_every_motion_moves(path):
    scene = percute.load(path)
    if "falling_column" in path.stem:
        scene = scene.with_values({"simulation.duration": 0.05})
    animation = plot.animate(scene, seconds=0.2)
    drawn(animation.show(2))


def test_balls_are_where_they_are(tmp_path):
    ball = percute.systems.BouncingBall(gravity=9.81, radius=0.05)
    run = percute.simulate(ball, ball.at(1.0), "newton", duration=0.4, output_interval=0.1)
    animation = run.animate(fps=10, speed=1.0)
    assert animation.frames == 4
    animation.show(3)
    circle = animation.axes.patches[-1]
    assert np.allclose(circle.center, (0.0, run.position[-1, 0] + 0.05))
    assert circle.radius == 0.05
    animation.save(tmp_path / "ball.gif", dpi=50)
    assert (tmp_path / "ball.gif").read_bytes()[:4] == b"GIF8"
    assert 'src="data:' in animation._repr_html_()
    with pytest.raises(ValueError, match=".mp4, .gif"):
        animation.save(tmp_path / "ball.png")
    if shutil.which("ffmpeg") is None:
        with pytest.raises(RuntimeError, match="ffmpeg"):
            animation.save(tmp_path / "ball.mp4")
    with pytest.raises(IndexError):
        animation.show(4)


def test_balls_of_an_impact_fly_as_they_do():
    rack = percute.systems.rack(3, 0.03)
    result = rack.impact(rack.at_contact(0, (2.0, 0.0))).resolve("moreau")
    animation = plot.animate(result, rack, seconds=1)
    animation.show(animation.frames - 1)
    last = np.array([patch.center for patch in animation.axes.patches])
    moved = (last - np.array(rack.positions)).ravel()
    assert np.allclose(moved / np.abs(moved).max(), result.velocity / np.abs(result.velocity).max())


def test_a_system_of_ones_own():
    class Unknown:
        pass

    run = percute.Trajectory(np.array([0.0, 1.0]), np.zeros((2, 1)), np.zeros((2, 1)))
    with pytest.raises(TypeError, match=r"draw\(q\)"):
        plot.animate(run, Unknown())


# --------------------------------------------------------------------------- files and commands


def program():
    for path in (
        Path(percute.__file__).parent / "bin/percute",
        Path(percute.__file__).parents[2] / "bin/percute",
    ):
        if path.exists():
            return path
    pytest.skip("no program beside this package")


def percute_command(arguments, folder):
    environment = {**os.environ, "PERCUTE_PYTHON": sys.executable}
    environment["PYTHONPATH"] = str(Path(percute.__file__).parents[1])
    return subprocess.run(
        f"{program()} {arguments}",
        shell=True,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_files_hold_what_is_drawn(tmp_path, block):
    scene = MOTION / "rocking_block.toml"
    done = percute_command(f"simulate {scene} -o run.h5 --quiet", tmp_path)
    assert done.returncode == 0, done.stderr
    run = percute.load(tmp_path / "run.h5")
    assert np.array_equal(run.gap, block.gap)
    assert run.names() == block.names()
    assert [(e.time, e.kind, e.contacts) for e in run.events] == [
        (e.time, e.kind, e.contacts) for e in block.events
    ]
    assert run.summary["impacts"] == block.impacts
    plot.auto(tmp_path / "run.h5")
    drawn()

    result = percute.load(SCENES / "cradle.toml").resolve(history=True)
    for name in ("history.csv", "history.h5"):
        percute.save(tmp_path / name, result)
        history = percute.load(tmp_path / name)
        assert np.array_equal(history.force, result.history.force)
        assert [e.kind for e in history.events] == [e.kind for e in result.history.events]
        upper, _ = plot.auto(tmp_path / name)
        names = [text.get_text().replace("–", "-") for text in upper.texts]
        assert names == ["1-2", "2-3", "3-4", "4-5"]
    for name in ("waves.csv", "waves.h5"):
        done = percute_command(f"waves {SCENES / 'cradle.toml'} -o {name} --quiet", tmp_path)
        assert done.returncode == 0, done.stderr
        ax = plot.auto(tmp_path / name)
        assert ax.collections[0].get_array().shape == (200, 5)


def test_pictures_of_files_that_have_none(tmp_path):
    (tmp_path / "a.csv").write_text("x [m],y\n1,2\n")
    with pytest.raises(percute.InvalidInput, match="neither a run nor a history"):
        plot.auto(tmp_path / "a.csv")
    (tmp_path / "b.h5").write_text("nothing")
    with pytest.raises(percute.InvalidInput, match="b.h5: "):
        plot.auto(tmp_path / "b.h5")
    with pytest.raises(ValueError, match="without its states"):
        plot.record({"format": "percute-run/1"})
    with pytest.raises(ValueError, match="no picture of percute-analysis/1"):
        plot.record(percute.analyze(percute.cradle(3)) | {"format": "percute-analysis/1"})
    with pytest.raises(TypeError, match="no picture of a float"):
        plot.auto(3.0)


def test_the_command_draws(tmp_path):
    cradle, block = SCENES / "cradle.toml", MOTION / "rocking_block.toml"
    done = percute_command(f"plot {cradle}", tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "cradle.svg\n", "")
    first = (tmp_path / "cradle.svg").read_bytes()
    assert b"<svg" in first
    again = percute_command(f"plot {cradle}", tmp_path)
    assert again.returncode == 2
    assert "cradle.svg: is there already" in again.stderr
    offered = percute_command("completion --offer plot --what ''", tmp_path)
    assert sorted(offered.stdout.split()) == sorted(plot._auto.BY_NAME)
    percute_command(f"plot {cradle} -o again.svg", tmp_path)
    assert (tmp_path / "again.svg").read_bytes() == first
    for arguments, figure, start in (
        (f"plot {cradle} --what forces", "f.pdf", b"%PDF"),
        (f"solve {cradle} --law newton", "s.png", b"\x89PNG"),
        (f"simulate {block} --set simulation.duration=0.5", "b.gif", b"GIF8"),
    ):
        option = "-o" if arguments.startswith("plot") else "--quiet --plot"
        done = percute_command(f"{arguments} {option} {figure}", tmp_path)
        assert done.returncode == 0, done.stderr
        assert (tmp_path / figure).read_bytes().startswith(start)
    for arguments, message in (
        ("plot nowhere.toml -o a.svg", "nowhere.toml"),
        (f"plot {cradle} -o a.svg --what faces", "no picture 'faces'; there are auto,"),
        (f"plot {cradle} -o a.gif --what forces", "'forces' does not move"),
        (f"plot {cradle} -o no/a.svg", "no/a.svg"),
        (f"plot {cradle} -o a.svg --what gaps", "simulation"),
    ):
        done = percute_command(arguments, tmp_path)
        assert (done.returncode, done.stdout) == (2, ""), arguments
        assert message in done.stderr
        assert done.stderr.startswith("percute: ") and done.stderr.count("\n") == 1


def test_without_matplotlib():
    code = (
        "import sys\n"
        "sys.modules['matplotlib'] = None\n"
        "import percute\n"
        "percute.plot.impulses(percute.cradle(3).resolve(history=True))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "pip install matplotlib" in done.stderr.splitlines()[-1]
    loaded = "import percute, sys; print('matplotlib' in sys.modules, 'h5py' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", loaded], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False False\n"
