"""A session of Spark: the one that is there, that of ``spark-submit``, or one on this machine."""

import os
import shutil
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

from ..errors import MissingExtra

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_NEEDED = ("pyspark", "pyarrow", "pandas")
# What tells that somebody else decides where Spark runs.
_SUBMITTED = ("PYSPARK_GATEWAY_PORT", "PYSPARK_SUBMIT_ARGS")
FAILURES = 4  # of one task before the build fails, as on a cluster


def spark_session(jobs: int | None = None) -> "SparkSession":
    """Return the session of Spark that is active, else a new one.

    Parameters
    ----------
    jobs
        How many tasks run at once where Spark is started on this machine alone, by default as
        many as there are processors.

    Raises
    ------
    MissingExtra
        If PySpark or Java is not installed, or Spark does not start.
    """
    if missing := [name for name in _NEEDED if find_spec(name) is None]:
        raise MissingExtra(
            f"--engine spark needs {missing[0]}, which is not installed: pip install '.[spark]'"
        )
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    active = SparkSession.getActiveSession()
    if active is not None:
        return active
    builder = SparkSession.builder.appName("kg")
    if not any(name in os.environ for name in _SUBMITTED):
        builder = _local(builder, jobs or os.cpu_count() or 1)
    try:
        return builder.getOrCreate()
    except PySparkException as error:
        detail = " ".join(str(error).split())[:200]
        raise MissingExtra(f"Spark does not start ({detail}); it needs Java 17 or newer") from error


def _local(builder: "SparkSession.Builder", jobs: int) -> "SparkSession.Builder":
    home = os.environ.get("JAVA_HOME")
    if not (shutil.which("java") or (home and shutil.which("java", path=f"{home}/bin"))):
        raise MissingExtra(
            "--engine spark needs Java 17 or newer, which is not installed: "
            "apt-get install openjdk-17-jre-headless, or set JAVA_HOME"
        )
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    settings: dict[str, bool | float | int | str | None] = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "2g",
        "spark.log.level": "ERROR",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": str(sys.stderr.isatty()).lower(),
    }
    return builder.master(f"local[{jobs},{FAILURES}]").config(map=settings)
