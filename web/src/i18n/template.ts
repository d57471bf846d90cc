/**
 * Sentences with holes: `{name}` is filled with a value, `{name.form}` with a grammatical form of it, and
 * `{n:step|steps}` with the form for the number `n`. Forms stand in the order of the language's plural categories; the
 * last one stands for all further categories.
 */

const HOLE = /\{(\w+)(?:\.(\w+))?(?::([^{}]*))?\}/g;
const CATEGORIES: Intl.LDMLPluralRule[] = ["zero", "one", "two", "few", "many", "other"];

/** How a language counts and lists. */
export interface Grammar {
	/** The place of the form for a number among the forms of a template. */
	formOf: (n: number) => number;
	list: (items: readonly string[], joined: "and" | "or") => string;
}

export function makeGrammar(locale: string): Grammar {
	const plurals = new Intl.PluralRules(locale);
	const { pluralCategories } = plurals.resolvedOptions();
	const categories = CATEGORIES.filter((category) => pluralCategories.includes(category));
	const lists = {
		and: new Intl.ListFormat(locale, { type: "conjunction" }),
		or: new Intl.ListFormat(locale, { type: "disjunction" }),
	};
	return {
		formOf: (n) => categories.indexOf(plurals.select(n)),
		list: (items, joined) => lists[joined].format(items),
	};
}

/** The template with its holes filled; a hole without a value stays as it is. */
export function fill(
	template: string,
	grammar: Grammar,
	value: (name: string, form: string | undefined) => string | number | undefined,
): string {
	return template.replace(HOLE, (hole, name: string, form?: string, plurals?: string) => {
		const content = value(name, form);
		if (plurals === undefined) return String(content ?? hole);
		const forms = plurals.split("|");
		return typeof content === "number" ? (forms[grammar.formOf(content)] ?? forms.at(-1) ?? "") : hole;
	});
}
