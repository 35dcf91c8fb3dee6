"""Files -> streams of text: unpacked, bounded, hashed and decoded on the way, never held whole."""

import bz2
import codecs
import contextlib
import gzip
import hashlib
import io
import lzma
import re
import sys
from collections.abc import Callable
from typing import IO, Any, BinaryIO

HEAD = 1 << 16
# A text rarely shrinks to a tenth. What swells a hundredfold, and is large, was made to harm.
LARGEST_SWELLING = 100
HARMLESS = 1 << 26
MOST_CONTROL = 0.05
MOST_ODD = 0.3

_CONTROL = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b"))
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED = re.compile(rb"""\s*<\?xml[^>]{1,80}encoding=["']([\w.-]{1,40})["']""")
_NO_TEXT = (
    (b"%PDF-", "a PDF, which kg does not read: export its title and abstract, say as BibTeX"),
    (b"PK\x03\x04", "an archive in an archive or on standard input: unpack it first"),
    (b"\xd0\xcf\x11\xe0", "an office document: save it as text or CSV"),
    (b"{\\rtf", "an RTF document: save it as plain text"),
)
PARQUET_MARK = b"PAR1"


class Refused(Exception):
    """Nothing of a file is read, with the reason."""


class Damaged(Exception):
    """A file breaks off; what stood before it does can be read."""


class OpenFile:
    """A file that is open: its `text`, its `head`, and the hash of its bytes as they are stored.

    `odd_bytes` counts those that were no UTF-8 and were taken for Windows-1252.

    Examples
    --------
    >>> OpenFile(io.BytesIO(gzip.compress("Łódź".encode()))).text.read()
    'Łódź'
    """

    def __init__(self, stored: IO[bytes], packed: int | None = None) -> None:
        """Open a stream of bytes; `packed` is the size that a member of an archive has in it.

        Raises
        ------
        Refused, Damaged
            If it is no text, or cannot be unpacked.
        """
        self._stored = _Stored(stored, None if packed is None else lambda: packed)
        content = _unpacked(io.BufferedReader(self._stored, HEAD), self._stored)
        head = content.peek(HEAD)
        encoding = encoding_of(head)
        self.odd_bytes = 0
        codecs.register_error("kg-odd-bytes", self._decode_odd)
        self.head = codecs.getincrementaldecoder(encoding)("replace").decode(head)
        self.text = io.TextIOWrapper(content, encoding, errors="kg-odd-bytes")

    def hexdigest(self) -> str:
        """Return the SHA-256 of all the stored bytes, reading those that are left."""
        with contextlib.suppress(Damaged):
            while self._stored.read(HEAD):
                pass
        return self._stored.hash.hexdigest()

    def _decode_odd(self, error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeDecodeError):
            raise error
        if error.encoding != "utf-8":
            return "\ufffd", error.end
        odd = error.object[error.start : error.end]
        self.odd_bytes += len(odd)
        return odd.decode("cp1252", "replace"), error.end


class _Flow(io.RawIOBase):
    """Bytes on their way, kept in proportion to what they were unpacked from."""

    def __init__(self, stream: IO[bytes], packed: Callable[[], int] | None = None) -> None:
        self._take: Callable[[int], bytes] = getattr(stream, "read1", stream.read)
        self._packed = packed
        self._error: Exception | None = None
        self.count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        view, filled = memoryview(buffer), 0
        while filled < len(view) and not self._error:
            try:
                data = self._take(len(view) - filled)
            except Refused:
                raise
            except Exception as error:  # each unpacker words damage in exceptions of its own
                told = isinstance(error, Damaged)
                self._error = error if told else Damaged(f"broken or cut short: {error}")
                break
            if not data:
                break
            view[filled : filled + len(data)] = data
            filled += len(data)
        if self._error and not filled:
            raise self._error
        self._count(view[:filled])
        return filled

    def _count(self, data: memoryview) -> None:
        self.count += len(data)
        if self._packed and self.count > max(HARMLESS, LARGEST_SWELLING * self._packed()):
            raise Refused(f"it swells more than {LARGEST_SWELLING} times: a decompression bomb?")


class _Stored(_Flow):
    """Bytes as they are stored, hashed as they go by."""

    def __init__(self, stream: IO[bytes], packed: Callable[[], int] | None = None) -> None:
        super().__init__(stream, packed)
        self.hash = hashlib.sha256()

    def _count(self, data: memoryview) -> None:
        super()._count(data)
        self.hash.update(data)


def _unpacked(content: io.BufferedReader, stored: _Flow) -> io.BufferedReader:
    """Return the content, unpacked where it begins as a compressed file does."""
    magic = content.peek(6)
    opener = next((opener for mark, opener in _UNPACKERS if magic.startswith(mark)), None)
    if opener is None:
        return content
    return io.BufferedReader(_Flow(opener(content), lambda: stored.count), HEAD)


def _zstd(stream: BinaryIO) -> Any:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd.ZstdFile(stream)


_UNPACKERS: tuple[tuple[bytes, Callable[[Any], Any]], ...] = (
    (b"\x1f\x8b", lambda stream: gzip.GzipFile(fileobj=stream)),
    (b"BZh", bz2.BZ2File),
    (b"\xfd7zXZ\x00", lzma.LZMAFile),
    (b"\x28\xb5\x2f\xfd", _zstd),
)


def encoding_of(head: bytes) -> str:
    """Return the encoding of a text by its first bytes.

    UTF-16 is told by its mark or its NULs, another one by an XML declaration; the rest is UTF-8.

    Raises
    ------
    Refused
        If they are no text, with the reason.

    Examples
    --------
    >>> encoding_of("Łódź".encode("utf-16")), encoding_of(b"caf\\xe9 au lait")
    ('utf-16', 'utf-8')
    """
    for mark, reason in _NO_TEXT:
        if head.startswith(mark):
            raise Refused(reason)
    if head.startswith(PARQUET_MARK):
        return "latin-1"
    for mark, encoding in _BOMS:
        if head.startswith(mark):
            return encoding
    if declared := _DECLARED.match(head):
        return _known(declared[1].decode())
    for first, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        if head[first::2].count(0) > len(head) * 0.4:
            return encoding
    if len(head) - len(head.translate(None, _CONTROL)) > MOST_CONTROL * len(head):
        raise Refused("not text")
    if head.decode("utf-8", "replace").count("\ufffd") > MOST_ODD * len(head):
        raise Refused("neither UTF-8, UTF-16 nor Windows-1252: convert it to UTF-8 first")
    return "utf-8"


def _known(encoding: str) -> str:
    """Return the encoding that an XML file declares, UTF-8 (where odd bytes do no harm) for the
    common ones and those that are not known."""
    try:
        name = codecs.lookup(encoding).name
    except LookupError:
        return "utf-8"
    common = name in ("ascii", "iso8859-1", "cp1252") or name.startswith("utf-16")
    return "utf-8" if common else name
