"""Everything that is drawn: maps and pieces as SVG, positions with characters, charts; and the palette of it all."""
