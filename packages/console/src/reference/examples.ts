/** Requests of a model that the caller may send, as curl and as client code. Pure. */
import { isInList, isSecret } from '../api/fields.ts';
import type { Field, OwnModel } from '../api/models.ts';

export interface Example {
  readonly title: string;
  readonly curl: string;
  readonly code: string;
}

/** A text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const credential = '-H "authorization: Bearer $TOKEN"';

/** The requests that the rights of the caller allow. @param url of the API */
export const examplesOf = (model: OwnModel, url: string): readonly Example[] => {
  const { c, r, u, d } = model.rights.rows;
  const places = {
    list: `${url}/api/${encodeURIComponent(model.name)}`,
    one: `"${url}/api/${encodeURIComponent(model.name)}/$ID"`,
    events: `${url}/events/${encodeURIComponent(model.name)}`,
    documents: `client.model(${JSON.stringify(model.name)})`,
  };
  return [
    ...(r === 'none' ? [] : reads(model, places)),
    ...(c === 'none' ? [] : [creation(model, places)]),
    ...(u === 'none' ? [] : changes(model, places)),
    ...(d === 'none' ? [] : [deletion(places)]),
  ];
};

interface Places {
  readonly list: string;
  /** In quotation marks for the shell. */
  readonly one: string;
  readonly events: string;
  /** The documents of the model in client code. */
  readonly documents: string;
}

function reads(model: OwnModel, { list, one, events, documents }: Places): readonly Example[] {
  const path = Object.keys(model.fields).find((each) => isFilter(model, each));
  const value = path === undefined ? undefined : sampleValue(model.fields[path]);
  const filter = path === undefined ? '' : `&filter[${encodeURIComponent(path)}]=${encodeURIComponent(String(value))}`;
  const selection = path === undefined ? '' : `filter: ${JSON.stringify({ [path]: value })}, `;
  return [
    {
      title: 'List',
      curl: `curl -g ${credential} ${quoted(`${list}?limit=10${filter}`)}`,
      code: `const page = await ${documents}.list({ ${selection}limit: 10 });`,
    },
    {
      title: 'Read one',
      curl: `curl ${credential} ${one}`,
      code: `const document = await ${documents}.one(id);`,
    },
    {
      title: 'Follow changes',
      curl: `curl -N ${credential} ${quoted(events)}`,
      code: `for await (const { event, item } of ${documents}.watch()) console.log(event, item);`,
    },
  ];
}

/** A request with a body as curl. */
const sending = (method: string, body: object, address: string): string =>
  `curl -X ${method} ${credential} -H 'content-type: application/json' \\\n  -d ${quoted(JSON.stringify(body))} ${address}`;

function creation(model: OwnModel, { list, documents }: Places): Example {
  const body = sampleOf(model, 'c');
  return {
    title: 'Create',
    curl: sending('POST', body, quoted(list)),
    code: `const document = await ${documents}.create(${JSON.stringify(body)});`,
  };
}

function changes(model: OwnModel, { one, documents }: Places): readonly Example[] {
  const body = Object.fromEntries(Object.entries(sampleOf(model, 'u')).slice(0, 1));
  if (Object.keys(body).length === 0) return [];
  return [
    {
      title: 'Change',
      curl: sending('PUT', body, one),
      code: `const document = await ${documents}.set(id, ${JSON.stringify(body)});`,
    },
  ];
}

const deletion = ({ one, documents }: Places): Example => ({
  title: 'Delete',
  curl: `curl -X DELETE ${credential} ${one}`,
  code: `await ${documents}.remove(id);`,
});

/** Whether a list can be filtered by one plain value of a path. */
function isFilter({ fields, rights }: OwnModel, path: string): boolean {
  const field = fields[path];
  const isPlain = field?.input === 'text' || field?.input === 'number' || field?.input === 'boolean';
  return isPlain && !path.startsWith('_') && !isSecret(path) && rights.fields[path]?.includes('r') === true;
}

/** A body: the required fields, or else the first ones, that the caller may write. */
function sampleOf(model: OwnModel, letter: 'c' | 'u'): Readonly<Record<string, unknown>> {
  const { fields, rights } = model;
  const paths = Object.keys(fields).filter(
    (path) =>
      rights.fields[path]?.includes(letter) === true &&
      !path.startsWith('_') &&
      fields[path]?.input !== 'object' &&
      !isInList(model, path),
  );
  const required = paths.filter((path) => fields[path]?.required === true && fields[path].default === undefined);
  const body: Record<string, unknown> = {};
  for (const path of required.length > 0 ? required : paths.slice(0, 2)) setAt(body, path, sampleValue(fields[path]));
  return body;
}

/** Sets the value at a dotted path. */
function setAt(body: Record<string, unknown>, path: string, value: unknown): void {
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) {
    define(body, name, value);
    return;
  }
  const inner = (Object.hasOwn(body, name) ? body[name] : {}) as Record<string, unknown>;
  setAt(inner, rest.join('.'), value);
  define(body, name, inner);
}

/** Names come from model files, and may be any. */
const define = (body: object, name: string, value: unknown): unknown =>
  Object.defineProperty(body, name, { value, enumerable: true, configurable: true, writable: true });

function sampleValue(field: Field | undefined): unknown {
  if (field === undefined) return null;
  const value = field.enum?.find((each) => each !== null) ?? plainValue(field);
  return field.array ? [value] : value;
}

function plainValue({ input, min, max, link }: Field): unknown {
  if (link !== undefined) return `<id of ${link}>`;
  switch (input) {
    case 'number':
      return min ?? max ?? 1;
    case 'date':
      return min ?? max ?? '2026-01-31T12:00:00.000Z';
    case 'boolean':
      return true;
    case 'id':
      return '<id>';
    case 'object':
    case 'json':
      return {};
    case 'text':
      return 'text';
  }
}
