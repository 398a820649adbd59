/** The parameters of requests in the OpenAPI document. */
import type { Interceptor } from '../../operations/interceptor.ts';
import { countModes } from '../../query/page.ts';
import { flagNames, type ParameterRow, parameterRows } from '../../query/parameter-table.ts';
import { flag, type JsonSchema, text } from './shapes.ts';

/** The query string of a function, whose names the model defines. */
export const functionParameters: ParameterRow = {
  name: 'parameters',
  form: '<name>=<value>',
  meaning: 'The parameters of the function',
};

/** The component for the `limit` of an export, which may be `all`. */
export const exportLimit = 'exportLimit';

/** Headers that name revisions. */
const headers = {
  'If-None-Match': 'ETags that the caller has: 304 when the document has one of them',
  'If-Match': 'ETags on which the change builds: 412 when the document has none of them',
} as const;

/** A value in a query string, which is sent as a string. */
const sent: JsonSchema = { type: ['string', 'number', 'boolean'] };
const whole: JsonSchema = { type: 'integer', minimum: 1 };

/** Parameters that are neither flags nor plain text. */
const typed: Readonly<Record<string, JsonSchema>> = {
  limit: { schema: whole },
  page: { schema: whole },
  count: { schema: { anyOf: [flag, { enum: countModes }] } },
  // `filter[title]=x`; without an example the viewer fills in names that do not exist
  filter: { style: 'deepObject', explode: true, example: {}, schema: { type: 'object', additionalProperties: sent } },
  // each member is a parameter of the query string
  [functionParameters.name]: {
    style: 'form',
    explode: true,
    example: {},
    schema: { type: 'object', additionalProperties: sent },
  },
};

const headerOf = (name: string, description: string): object => ({ name, in: 'header', description, schema: text });

/** Those of the table, and headers. */
const components: Readonly<Record<string, object>> = Object.fromEntries([
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
  ...Object.entries(headers).map(([name, description]) => [name, headerOf(name, description)]),
]) as Readonly<Record<string, object>>;

/** `components.parameters`. @param interceptors whose headers are among them */
export const parameterComponents = (interceptors: readonly Interceptor[]): Readonly<Record<string, object>> => ({
  ...components,
  ...Object.fromEntries(interceptors.map(({ header, meaning }) => [header, headerOf(header, meaning)])),
});

function parameterOf({ name, form, meaning, values }: ParameterRow): object {
  const ofFlag = values === undefined ? flag : { oneOf: [flag, { enum: values }] };
  return {
    name,
    in: 'query',
    description: `${meaning}: \`${form}\``,
    ...(typed[name] ?? { schema: flagNames.includes(name) ? ofFlag : text }),
  };
}
