"""Keeps profiles/names.json: which component reads which name, since when and until when."""
