"""Drawing: maps and pieces as SVG, positions as characters, charts, and the palette that all share."""
