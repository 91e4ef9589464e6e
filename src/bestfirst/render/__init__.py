"""Pictures: terminal text and SVG. Problems do not know drawing; drawing knows problems."""
