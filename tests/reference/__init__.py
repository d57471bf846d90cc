"""The game a second time: naive, slow, and written from the rules alone, to hold the library against."""
