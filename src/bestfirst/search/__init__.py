"""Compiled engines: one file and one public function each."""
