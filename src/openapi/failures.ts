/** Which statuses a failure of an operation can have. */
import type { Endpoint } from '../middleware/endpoint.ts';
import { statusRows } from '../middleware/statuses.ts';
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
export function failuresOf(endpoint: Endpoint, row: OperationRow): Readonly<Record<string, object>> {
  const { access, method, path } = endpoint;
  const statuses = [
    ...always,
    ...(access.kind === 'open' ? [] : [403]),
    ...(path.includes('/:') ? [404] : []),
    // a body is read wherever one is sent, and an answer with documents has a limit
    ...(method === 'GET' ? [] : [413, 415]),
    ...(path.includes('/:model') ? [413] : []),
    ...(row.conflicts === true ? [409] : []),
    ...(row.parameters?.includes('since') === true ? [410] : []),
    ...(row.condition === 'If-Match' ? [412] : []),
    ...(writes(endpoint, row) ? [507] : []),
    ...(row.failures ?? []),
  ];
  const references = statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }]);
  return { ...Object.fromEntries(references), default: { $ref: '#/components/responses/failure' } } as Readonly<
    Record<string, object>
  >;
}

/** Whether an operation can meet a database that is full: all but reads, of which some have a body. */
const writes = ({ method, changes }: Endpoint, { lists, conflicts }: OperationRow): boolean =>
  conflicts === true || changes === true || (method !== 'GET' && lists !== true);
