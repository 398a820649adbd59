/** The parameters of requests as the document describes them. */
import { flagNames, type ParameterRow, parameterRows } from '../../query/parameters.ts';
import { flag, type JsonSchema, text } from './shapes.ts';

/** The query string of a function, whose names only its model knows. */
export const functionParameters: ParameterRow = {
  name: 'parameters',
  form: '<name>=<value>',
  meaning: 'What the function is given',
};

/** The component for the `limit` of an export, which may be lifted. */
export const exportLimit = 'exportLimit';

/** Headers that name revisions. */
const headers = {
  'If-None-Match': 'ETags that the caller has: 304 when the document has one of them',
  'If-Match': 'ETags on which the change builds: 412 when the document has none of them',
} as const;

/** A value in a query string, which is sent as text. */
const sent: JsonSchema = { type: ['string', 'number', 'boolean'] };
const whole: JsonSchema = { type: 'integer', minimum: 1 };

/** Parameters that are neither flags nor plain text. */
const typed: Readonly<Record<string, JsonSchema>> = {
  limit: { schema: whole },
  page: { schema: whole },
  // `filter[title]=x`; without an example the viewer fills in names that no model has
  filter: { style: 'deepObject', explode: true, example: {}, schema: { type: 'object', additionalProperties: sent } },
  // its members are names of the query string themselves
  [functionParameters.name]: {
    style: 'form',
    explode: true,
    example: {},
    schema: { type: 'object', additionalProperties: sent },
  },
};

/** `components.parameters`: those of the table, and headers. */
export const parameterComponents: Readonly<Record<string, object>> = Object.fromEntries([
  ...parameterRows.map((row) => [row.name, parameterOf(row)]),
  [
    exportLimit,
    {
      name: 'limit',
      in: 'query',
      description: 'Rows of a page, or `limit=all` for a whole large collection',
      schema: { oneOf: [whole, { const: 'all' }] },
    },
  ],
  [
    functionParameters.name,
    {
      name: functionParameters.name,
      in: 'query',
      description: functionParameters.meaning,
      ...typed[functionParameters.name],
    },
  ],
  ...Object.entries(headers).map(([name, description]) => [name, { name, in: 'header', description, schema: text }]),
]) as Readonly<Record<string, object>>;

function parameterOf({ name, form, meaning }: ParameterRow): object {
  return {
    name,
    in: 'query',
    description: `${meaning}: \`${form}\``,
    ...(typed[name] ?? { schema: flagNames.includes(name) ? flag : text }),
  };
}
