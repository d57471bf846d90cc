/** What one build of the page consists of; the build writes it. */
export interface Shell {
	/** Another one for every build. */
	version: string;
	/** The paths of the files whose names change with their content. */
	files: string[];
	/** The file that the page begins with. */
	entry: string;
	/** The positions that the start page and the rules show pictures of, that of the start page first. */
	positions: string[];
}
