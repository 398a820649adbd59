/** The documents that the links of a file name by their titles: read for many rows at once. */
import { client } from '../api/client.ts';
import { titleField, valueAt } from '../api/fields.ts';
import { labelOfModel } from '../api/labels.ts';
import { type Field, isReadable, type OwnModel } from '../api/models.ts';
import type { Links, Plan } from './columns.ts';
import { exactValue, type ReadValue } from './exact-numbers.ts';
import type { SourceRecord } from './source.ts';
import { valueOfCell } from './values.ts';

interface FoundPage {
  readonly documents: readonly Readonly<Record<string, unknown>>[];
  /** Whether these are all. */
  readonly isWhole: boolean;
}

/** Titles of one request: as many as an address holds. */
const batch = 100;

/** Titles that are kept, beyond which those of earlier rows are read again. */
const maxKept = 20_000;

const several = Symbol('several documents have the title');
type Known = string | number | typeof several | undefined;

const forms: Readonly<Record<string, RegExp>> = {
  ObjectId: /^[\da-f]{24}$/i,
  Number: /^-?\d+(\.\d+)?$/,
  UUID: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
};

/** Whether a text is an id, and not a title; undefined where it may be either. */
function isIdFor({ type }: Field, text: string): boolean | undefined {
  return forms[type]?.test(text);
}

interface Target {
  readonly model: OwnModel;
  readonly title: string;
}

export class LinkTitles implements Links {
  /** The ids by model and text; undefined for a text that nothing has. */
  readonly #known = new Map<string, Map<string, Known>>();

  constructor(readonly models: ReadonlyMap<string, OwnModel>) {}

  /** Reads the documents that records name. @throws DossierError */
  async load(records: readonly SourceRecord[], model: OwnModel, { mapping, hasTexts }: Plan): Promise<void> {
    for (const [column, path] of Object.entries(mapping)) {
      const field = model.fields[path];
      const target = field && this.#targetOf(field);
      if (field === undefined || target === undefined) continue;
      const texts = records
        .flatMap(({ values }) => membersOf(valueOf(values[column], field, hasTexts).value))
        .filter((one): one is string => typeof one === 'string' && isIdFor(field, one) !== true)
        .map((text) => text.trim());
      await this.#loadTexts(target, field, [...new Set(texts)]);
    }
  }

  read(given: unknown, field: Field, hasTexts: boolean): ReadValue | undefined {
    const target = this.#targetOf(field);
    if (target === undefined) return undefined;
    const { value, fault } = valueOf(given, field, hasTexts);
    if (fault !== undefined || value === undefined || value === null)
      return { value, ...(fault === undefined ? {} : { fault }) };
    if (!Array.isArray(value)) return this.#one(value, field, target);
    const all = value.map((one) => this.#one(one, field, target));
    const faulty = all.find((one) => one.fault !== undefined);
    return { value: all.map((one) => one.value), ...(faulty?.fault === undefined ? {} : { fault: faulty.fault }) };
  }

  #one(value: unknown, field: Field, { model, title }: Target): ReadValue {
    if (typeof value !== 'string') return { value };
    const isId = isIdFor(field, value);
    if (isId === true) return { value: field.type === 'Number' ? Number(value) : value };
    const text = value.trim();
    const id = this.#known.get(model.name)?.get(text);
    // where ids are texts, it may be the id of a document that comes later
    if (id === undefined && isId === undefined) return { value };
    const of = `of ${labelOfModel(model)} that has the ${title} ${JSON.stringify(text.slice(0, maxShown))}`;
    if (id === undefined) return { value, fault: `must be a document ${of}: there is none` };
    if (id === several) return { value, fault: `must be the one document ${of}: there are several, so give its id` };
    return { value: id };
  }

  #targetOf({ link }: Field): Target | undefined {
    const model = link === undefined ? undefined : this.models.get(link);
    const title = isReadable(model) ? titleField(model) : undefined;
    return model === undefined || title === undefined || title === '_id' ? undefined : { model, title };
  }

  async #loadTexts(target: Target, field: Field, texts: readonly string[]): Promise<void> {
    const { name } = target.model;
    let known = this.#known.get(name);
    if (known === undefined || known.size > maxKept) this.#known.set(name, (known = new Map<string, Known>()));
    const mayBeIds = forms[field.type] === undefined;
    const unknown = texts.filter((text) => text !== '' && known.has(text) !== true);
    for (let at = 0; at < unknown.length; at += batch) {
      const part = unknown.slice(at, at + batch);
      const ids = mayBeIds ? (await findByList(name, '_id', part)).documents.map(({ _id }) => _id) : [];
      for (const id of ids) if (typeof id === 'string') known.set(id, id);
      await this.#loadTitles(
        target,
        known,
        part.filter((text) => !known.has(text)),
      );
    }
  }

  async #loadTitles({ model, title }: Target, known: Map<string, Known>, texts: readonly string[]): Promise<void> {
    if (texts.length === 0) return;
    const { documents, isWhole } = await findByList(model.name, title, texts);
    const found = new Map<string, Known>();
    for (const document of documents) {
      const text = String(valueAt(document, title));
      found.set(text, found.has(text) ? several : (document['_id'] as string | number));
    }
    // a page that is full has a title twice, so there are fewer the next time
    const rest = isWhole ? [] : texts.filter((text) => found.get(text) !== several);
    for (const text of texts) if (isWhole || found.get(text) === several) known.set(text, found.get(text));
    await this.#loadTitles({ model, title }, known, rest);
  }
}

const maxShown = 60;

/** The value of a link as the file has it: a title stays a text, whatever the type of the ids. */
const valueOf = (given: unknown, field: Field, hasTexts: boolean): ReadValue =>
  hasTexts && given !== undefined
    ? valueOfCell(String(given), field.input === 'id' ? field : { ...field, input: 'text' })
    : exactValue(given, field);

const membersOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** Documents of one request, as in tables. */
const pageSize = 50;

/** Finds documents by the values of a path: more than there are values, or all. */
async function findByList(model: string, path: string, values: readonly string[]): Promise<FoundPage> {
  const options = { filter: { [path]: { $in: values } }, fields: [path], sort: '_id', limit: pageSize };
  const documents: FoundPage['documents'][number][] = [];
  let after: string | undefined;
  do {
    const page = await client.model(model).list({ ...options, ...(after === undefined ? {} : { after }) });
    documents.push(...page.data);
    after = page.next_cursor;
  } while (after !== undefined && documents.length <= values.length);
  return { documents, isWhole: after === undefined };
}
