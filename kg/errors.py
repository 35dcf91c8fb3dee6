"""The errors of `kg`. A message says what is wrong, where, and what to do about it.

::

    KgError
    ├── InputError       an input cannot be read: missing, damaged, or without a single paper
    ├── OutputError      a build cannot be written or is not one
    ├── NameNotFound     no paper or concept has that name, or several have
    ├── QueryError       SPARQL that is wrong, refused, or took too long
    ├── ModelError       a model cannot be loaded or trained
    ├── WorkerError      a process that shares the work was killed
    └── MissingExtra     an optional dependency is not installed
"""


class KgError(Exception):
    """The root of all errors that `kg` raises on purpose."""


class InputError(KgError):
    """An input cannot be read: it is missing, damaged, or holds no paper."""


class OutputError(KgError):
    """A build cannot be written, or a folder holds none."""


class NameNotFound(KgError):
    """No paper or concept has that name, or more than one has."""


class QueryError(KgError):
    """A query is wrong, refused, or took too long."""


class ModelError(KgError):
    """A model cannot be loaded or trained."""


class WorkerError(KgError):
    """A process that shares the work was killed."""


class MissingExtra(KgError):
    """An optional dependency is not installed."""
