"""The interactive page: what it holds (`model`), and its template, style and scripts."""
