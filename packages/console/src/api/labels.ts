/** Names for people: what models and paths are called on the screen. Pure. */
import type { Field, Model } from './models.ts';
import { capitalised, capitals, pluralOf, singularOf } from './plurals.ts';

type Named = Pick<Model, 'fields' | 'nested'>;
type NamedModel = Pick<Model, 'name' | 'label'>;
type Grouped = Pick<Model, 'group'>;

/** Names whose words say too little. */
const fixed: Readonly<Record<string, string>> = { _id: 'ID', __v: 'Version' };

/** The words of a name: `firstName`, `first_name` and `first-name` have two, `PDFFile` too. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[\s_-]+/)
    .filter(Boolean);

function spelled(word: string): string {
  const lower = word.toLowerCase();
  if (capitals.has(lower)) return word.toUpperCase();
  if (capitals.has(lower.replace(/s$/, ''))) return `${lower.slice(0, -1).toUpperCase()}s`;
  return /^\p{Lu}{2,}$/u.test(word) ? word : lower;
}

/** A name as words: `first_name` is "First name". */
export const wordsFor = (name: string): string => capitalised(wordsOf(name).map(spelled).join(' ')) || name;

/** What the documents of a model are called together, such as "Tickets". */
export const labelOfModel = ({ name, label }: NamedModel): string => label ?? pluralOf(wordsFor(name));

/**
 * What the form of a new document is called: "New ticket". A label of one's own is not inflected, since its language is unknown, unless it is
 * what the name would yield.
 */
export const labelOfNew = ({ name, label = labelOfModel({ name }) }: NamedModel): string => {
  if (label !== labelOfModel({ name })) return `${label}: new document`;
  const words = singularOf(wordsFor(name));
  const [first = ''] = words.split(' ', 1);
  return `New ${/^\p{Lu}{2,}/u.test(first) ? words : words.charAt(0).toLowerCase() + words.slice(1)}`;
};

/** What a part of a path is called, without the paths before it. */
function derived(part: string, field: Field | undefined): string {
  const own = fixed[part];
  if (own !== undefined) return own;
  if (field?.link !== undefined) {
    const [, before, many] = /^(.*[^_])(?:_id|Id|_ID|ID)(s?)$/.exec(part) ?? [];
    const words = wordsFor(before ?? part);
    return many === 's' || field.array ? pluralOf(words) : words;
  }
  const words = wordsFor(part);
  return field?.input === 'date' ? words.replace(/(?<=.) at$/, '') : words;
}

/** What a path is called below its parents, such as "City" for `address.city`. */
export const shortLabel = ({ fields, nested }: Named, path: string): string =>
  fields[path]?.label ?? nested?.[path]?.label ?? derived(path.slice(path.lastIndexOf('.') + 1), fields[path]);

const longLabel = (model: Named, path: string): string =>
  path
    .split('.')
    .map((_, at, parts) => shortLabel(model, parts.slice(0, at + 1).join('.')))
    .join(': ');

const labels = new WeakMap<Model['fields'], ReadonlyMap<string, string>>();

/** The labels of all paths of a model; those that would be alike where people see both have their path beside them. */
function labelsOf(model: Named): ReadonlyMap<string, string> {
  const known = labels.get(model.fields);
  if (known !== undefined) return known;
  const paths = Object.keys(model.fields);
  const made = new Map(paths.map((path) => [path, longLabel(model, path)]));
  const all = paths.filter((path) => model.fields[path]?.hidden !== true).map((path) => made.get(path));
  const alike = new Set(all.filter((label, at) => all.indexOf(label) < at));
  for (const [path, label] of made) if (alike.has(label)) made.set(path, `${label} (${path})`);
  labels.set(model.fields, made);
  return made;
}

/** What a path of a model is called, such as "Team" for `team_id`, "Created" for `createdAt`, and "Address: City" for `address.city`. */
export const labelOf = (model: Named, path: string): string => labelsOf(model).get(path) ?? longLabel(model, path);

/** Paths with their labels, as the choices of an input. */
export const choicesOf = (model: Named, paths: readonly string[]): { value: string; label: string }[] =>
  paths.map((value) => ({ value, label: labelOf(model, value) }));

/** What is shown for an icon: an emoji or a text of up to two characters as it is, of a name the first letter. */
export function iconOf({ icon }: { readonly icon?: string }): string | undefined {
  const characters = [...new Intl.Segmenter().segment(icon ?? '')].map(({ segment }) => segment);
  return characters.length > 2 ? characters[0]?.toUpperCase() : icon;
}

/** Models by their groups in the order of names; those without one come first. */
export const groupsOf = <One extends Grouped>(models: readonly One[]): (readonly [group: string, members: One[]])[] =>
  [...new Set(models.map(({ group = '' }) => group))]
    .sort((one, other) => one.localeCompare(other))
    .map((name) => [name, models.filter(({ group = '' }) => group === name)]);

/** Labels that a sentence has at most. */
const maxLabels = 5;

/** Labels in a sentence: "Title, Year and 3 more". */
export function listText(labels: readonly string[]): string {
  const texts =
    labels.length > maxLabels ? [...labels.slice(0, maxLabels), `${labels.length - maxLabels} more`] : labels;
  return texts.length < 2 ? (texts[0] ?? '') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1) ?? ''}`;
}
