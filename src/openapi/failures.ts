/** Which statuses a failure of an operation can have. */
import type { Endpoint } from '../operations/operation.ts';
import { statusRows } from '../operations/statuses.ts';
import type { OperationRow } from './operations.ts';

/** Any request can meet these: by its parameters, its credentials, the number of requests, and the state of the server. */
const always: readonly number[] = [400, 401, 429, 500, 503];

/** `components.responses`: one for each status, and one for statuses that a model's function or a hook chose. */
export const failureComponents: Readonly<Record<string, object>> = Object.fromEntries([
  ...statusRows.map(([status, meaning]) => [String(status), responseOf(meaning)]),
  ['failure', responseOf('Any other failure')],
]) as Readonly<Record<string, object>>;

function responseOf(description: string): object {
  return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/_failure' } } } };
}

/** The failures of an operation, by status. */
export function failuresOf({ access, path }: Endpoint, row: OperationRow): Readonly<Record<string, object>> {
  const statuses = [
    ...always,
    ...(access.kind === 'open' ? [] : [403]),
    ...(path.includes('/:') ? [404] : []),
    ...(row.body === undefined ? [] : [413, 415]),
    ...(row.lists === true ? [413] : []),
    ...(row.conflicts === true ? [409] : []),
    ...(row.parameters?.includes('since') === true ? [410] : []),
    ...(row.condition === 'If-Match' ? [412] : []),
  ];
  const references = statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }]);
  return { ...Object.fromEntries(references), default: { $ref: '#/components/responses/failure' } } as Readonly<
    Record<string, object>
  >;
}
