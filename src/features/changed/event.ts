/** What the functions of the project receive of a change. */
import { programLog } from '../../api/programs.ts';
import type { ChangedEvent } from '../../define/changed.ts';
import type { Row } from '../../models/mongoose.ts';
import { BSON } from '../../models/object-id.ts';
import { isPlainObject } from '../../models/plain-object.ts';
import { operator, writeCallerOf } from '../../policy/principal.ts';
import type { Services } from '../../services.ts';
import type { AuthorInUnit } from '../../write/contract.ts';
import type { ChangedDocument } from './changed-documents.ts';

/** The address of what the server does by itself, in the audit log. */
const insideServer = 'server';

/** Most functions look at a part of it, so each part is made when it is read. */
export function eventFor(
  services: Services,
  { model, event, paths, ...images }: ChangedDocument,
  author: AuthorInUnit,
): ChangedEvent {
  const { cause, origin } = author;
  const principal = cause?.principal ?? operator;
  const before = once(() => frozenCopy(images.before));
  const after = once(() => frozenCopy(images.after));
  const api = once(() => services.apis.of(requestOf(author)));
  const log = once(() => programLog(services.log, { ...idOf(cause?.requestId), changed: model.name }));
  return {
    event,
    model: model.name,
    id: String((images.after ?? images.before)?.['_id']),
    get before() {
      return before();
    },
    get after() {
      return after();
    },
    paths,
    caller: writeCallerOf(principal),
    via: origin?.via,
    get api() {
      return api();
    },
    get log() {
      return log();
    },
    get signal() {
      return cause?.signal ?? new AbortController().signal;
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

const idOf = (id: string | undefined): { readonly id?: string } => (id === undefined ? {} : { id });

/** What the `api` takes over: the caller of the request, or for a write of the server itself the operator. */
const requestOf = ({ cause, unit, progress }: AuthorInUnit): Parameters<Services['apis']['of']>[0] => ({
  ...{ unit, progress },
  principal: cause?.principal ?? operator,
  address: cause?.address ?? insideServer,
  ip: cause?.ip ?? insideServer,
  headers: {},
  requestId: cause?.requestId,
  depth: cause?.depth,
  get signal() {
    return cause?.signal ?? new AbortController().signal;
  },
});

/** A copy with values as the driver reads them, which nothing can change. */
function frozenCopy(row: Row | undefined): Row | undefined {
  return row && freeze(BSON.deserialize(BSON.serialize(row)));
}

function freeze<T>(value: T): T {
  if (!Array.isArray(value) && !isPlainObject(value)) return value;
  for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
}
