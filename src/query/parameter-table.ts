/** The request parameters and flags. */

/** A request parameter. */
export interface ParameterRow {
  readonly name: string;
  readonly form: string;
  readonly meaning: string;
  /** The value is on or off; any other is a 400 at every endpoint, even where the flag has no effect. */
  readonly flag?: true;
  /** The value is a whole number from 1, at every endpoint. Those that take it may limit it, or accept a word in its place. */
  readonly number?: true;
  /** It may have brackets or be given several times; any other that is or has is a 400 at every endpoint. */
  readonly parts?: true;
  /** Further values of a flag, which lists take. */
  readonly values?: readonly string[];
  /** It signs in a request, and must not go into addresses, stored requests or functions of models. */
  readonly credential?: true;
  /** Other endpoints refuse it: without effect, an answer would be taken for another one, such as for a filtered list. */
  readonly own?: true;
}

/**
 * The request parameters, one row each. A name that is not in this table or in the config and does not begin with `_` is a 400.
 */
export const parameterRows: readonly ParameterRow[] = [
  { name: 'limit', form: 'limit=<whole number>', meaning: 'Maximum number of documents in the answer', number: true },
  {
    name: 'page',
    form: 'page=<whole number from 1>',
    meaning: 'Number of the page; adds count, count_is and page_count',
    number: true,
  },
  { name: 'after', form: 'after=<cursor>', meaning: 'The page after a cursor: next_cursor of another page' },
  { name: 'before', form: 'before=<cursor>', meaning: 'The page before a cursor: prev_cursor of another page' },
  { name: 'count', form: 'count=true|exact|capped|estimated', meaning: 'Adds count, count_is and page_count' },
  { name: 'sort', form: 'sort=-createdAt,title or sort[title]=1|-1|asc|desc', meaning: 'Order', parts: true },
  {
    name: 'fields',
    form: 'fields=a,b, fields=-a,-b or fields=*',
    meaning: 'Fields to include, or to exclude; `*` for all that are stored, for admins',
    parts: true,
  },
  { name: 'filter', form: 'filter[<field>]=<value> or $op:<value>', meaning: 'Selects documents', parts: true },
  {
    name: 'search',
    form: 'search=<text> or search[<field>]=<text>',
    meaning: 'Full text, or text in one field',
    parts: true,
  },
  {
    name: 'populate',
    form: 'populate=<link>, populate[]=<link>, populate[<link>]=<fields>',
    meaning: 'Shows linked documents, in both directions',
    parts: true,
  },
  {
    name: 'autopopulate',
    form: 'autopopulate=1',
    meaning: 'Shows all linked documents that the caller may read',
    flag: true,
  },
  {
    name: 'showDeleted',
    form: 'showDeleted=true|only',
    meaning: 'Shows soft-deleted documents too; lists and counts with `only` have no others',
    flag: true,
    values: ['only'],
  },
  { name: '_permaDelete', form: '_permaDelete=1', meaning: 'DELETE: removes permanently', flag: true },
  {
    name: '_cascade',
    form: '_cascade=1',
    meaning: 'DELETE: also deletes the documents that link to this one; a change that restores it restores them, too',
    flag: true,
  },
  { name: '_silence', form: '_silence=true', meaning: 'Suppresses the event and the post-hook of a write', flag: true },
  {
    name: 'changed',
    form: 'changed=true',
    meaning: 'Calls the functions `changed` of the project with the documents of `/setup/data`',
    flag: true,
  },
  {
    name: 'password_override',
    form: 'password_override=1',
    meaning: 'Stores a given bcrypt hash; admins only',
    flag: true,
  },
  {
    name: 'on',
    form: 'on=<field>,<field>',
    meaning: 'PUT without an id: the fields of a unique index that identify the document',
    parts: true,
  },
  { name: 'allowDiskUse', form: 'allowDiskUse=true', meaning: 'Aggregation may use the disk', flag: true },
  { name: 'group', form: 'group=<name>', meaning: 'A group of a user', parts: true },
  {
    name: 'since',
    form: 'since=<position>',
    meaning: 'Events or changes after this position; entries of a history from a time on',
  },
  {
    name: 'snapshot',
    form: 'snapshot=true',
    meaning: 'Events: sends all documents first, then the changes',
    flag: true,
  },
  {
    name: 'explain',
    form: 'explain=true',
    meaning: 'Reads: how the database finds the documents, in place of them; admins only',
    flag: true,
    own: true,
  },
  {
    name: 'position',
    form: 'position=true',
    meaning: 'Lists: adds the position from which their changes can be followed',
    flag: true,
    own: true,
  },
  { name: 'until', form: 'until=<time>', meaning: 'Entries of a history up to a time' },
  { name: 'who', form: 'who=<id>', meaning: 'Entries of a history of this user' },
  { name: 'op', form: 'op=create|change|delete|restore|remove', meaning: 'Entries of a history of this kind' },
  { name: 'at', form: 'at=<time>', meaning: 'The document as it was at this time, of a model with history', own: true },
  { name: 'status', form: 'status=<status>', meaning: 'Only those that are in this state', own: true },
  { name: 'request_id', form: 'request_id=<id>', meaning: 'Only lines of the log about this request', own: true },
  { name: 'rights', form: 'rights=true', meaning: 'Adds what the caller may do with each model', flag: true },
  { name: 'own', form: 'own=true', meaning: "Adds the server's own models, such as `_webhook`", flag: true },
  { name: 'id', form: 'id=<id>', meaning: 'The document whose rights are listed' },
  {
    name: 'user',
    form: 'user=<id>',
    meaning: 'The user whose rights, sessions, keys or second factor are meant; admins only',
  },
  { name: 'apikey', form: 'apikey=<key>', meaning: 'Authenticates the request', credential: true },
  { name: 'jwt', form: 'jwt=<JWT>', meaning: 'Authenticates the request', credential: true },
  {
    name: 'ticket',
    form: 'ticket=<ticket>',
    meaning: 'Authenticates an event stream or a WebSocket',
    credential: true,
  },
];

export const parameterNames: ReadonlySet<string> = new Set(
  parameterRows.filter(({ own }) => own !== true).map((row) => row.name),
);

export const flagNames: readonly string[] = parameterRows.filter(({ flag }) => flag).map(({ name }) => name);

const credentialNames: readonly string[] = parameterRows.filter(({ credential }) => credential).map(({ name }) => name);

/** Whether a parameter holds a credential, in any case of letters and with any brackets. */
export const isCredential = (name: string): boolean =>
  credentialNames.includes(name.replace(/\[.*$/, '').toLowerCase());

/** Rows of the table by their names. @throws Error for an unknown name */
export const parametersNamed = (...names: readonly string[]): readonly ParameterRow[] =>
  names.map((name) => {
    const row = parameterRows.find((one) => one.name === name);
    if (row === undefined) throw new Error(`no parameter is named ${name}`);
    return row;
  });

/** The parameters of lists. */
export const listParameters = parametersNamed(
  'limit',
  'page',
  'after',
  'before',
  'count',
  'sort',
  'fields',
  'filter',
  'search',
  'populate',
  'autopopulate',
  'showDeleted',
);

/** Those of lists of one model, whose changes can be followed. */
export const positionedParameters = [...listParameters, ...parametersNamed('position')];
