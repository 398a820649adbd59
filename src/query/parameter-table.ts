/** The request parameters and flags. */

/** A request parameter. */
export interface ParameterRow {
  readonly name: string;
  readonly form: string;
  readonly meaning: string;
  /** The value is on or off; any other is a 400 at every endpoint, even where the flag has no effect. */
  readonly flag?: true;
  /** It signs in a request, and must not go into addresses, stored requests or functions of models. */
  readonly credential?: true;
}

/**
 * The request parameters, one row each. A name that is not in this table or in the config and does not begin with `_` is a 400.
 */
export const parameterRows: readonly ParameterRow[] = [
  { name: 'limit', form: 'limit=<whole number>', meaning: 'Maximum number of documents in the answer' },
  {
    name: 'page',
    form: 'page=<whole number from 1>',
    meaning: 'Number of the page; adds count, count_is and page_count',
  },
  { name: 'after', form: 'after=<cursor>', meaning: 'The page after a cursor: next_cursor of another page' },
  { name: 'before', form: 'before=<cursor>', meaning: 'The page before a cursor: prev_cursor of another page' },
  { name: 'count', form: 'count=true|exact|capped|estimated', meaning: 'Adds count, count_is and page_count' },
  { name: 'sort', form: 'sort=-createdAt,title or sort[title]=1|-1|asc|desc', meaning: 'Order' },
  {
    name: 'fields',
    form: 'fields=a,b, fields=-a,-b or fields=*',
    meaning: 'Fields to include, or to exclude; `*` for all that are stored, for admins',
  },
  { name: 'filter', form: 'filter[<field>]=<value> or $op:<value>', meaning: 'Selects documents' },
  { name: 'search', form: 'search=<text> or search[<field>]=<text>', meaning: 'Full text, or text in one field' },
  {
    name: 'populate',
    form: 'populate=<link>, populate[]=<link>, populate[<link>]=<fields>',
    meaning: 'Shows linked documents, in both directions',
  },
  {
    name: 'autopopulate',
    form: 'autopopulate=1',
    meaning: 'Shows all linked documents that the caller may read',
    flag: true,
  },
  { name: 'showDeleted', form: 'showDeleted=true', meaning: 'Shows soft-deleted documents too', flag: true },
  { name: '_permaDelete', form: '_permaDelete=1', meaning: 'DELETE: removes permanently', flag: true },
  {
    name: '_cascade',
    form: '_cascade=1',
    meaning: 'DELETE: also deletes the documents that link to this one',
    flag: true,
  },
  { name: '_silence', form: '_silence=true', meaning: 'Suppresses the event and the post-hook of a write', flag: true },
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
  },
  { name: 'allowDiskUse', form: 'allowDiskUse=true', meaning: 'Aggregation may use the disk', flag: true },
  { name: 'group', form: 'group=<name>', meaning: 'A group of a user' },
  { name: 'since', form: 'since=<position>', meaning: 'Events or changes after this position' },
  {
    name: 'snapshot',
    form: 'snapshot=true',
    meaning: 'Events: sends all documents first, then the changes',
    flag: true,
  },
