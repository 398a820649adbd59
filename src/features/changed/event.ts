/** What the functions of the project receive of a change. */
import type { WriteUse } from '../../api/for-write.ts';
import type { ChangedEvent } from '../../define/changed.ts';
import type { Row } from '../../models/mongoose.ts';
import { BSON } from '../../models/object-id.ts';
import { operator, writeCallerOf } from '../../policy/principal.ts';
import { deepFreeze } from '../../settings/freeze.ts';
import type { Author } from '../../write/contract.ts';
import type { ChangedDocument } from './changed-documents.ts';

/** @returns what a function of the change receives, for what that may use: the copies of the documents are made once, when one reads them */
export function eventFor(
  { model, id, event, paths, ...images }: ChangedDocument,
  { cause, origin }: Author,
): (use: WriteUse) => ChangedEvent {
  const caller = writeCallerOf(cause?.principal ?? operator);
  let [before, after]: [Row?, Row?] = [];
  return (use) => ({
    ...{ event, model: model.name, id, paths, caller, via: origin?.via },
    get before() {
      return (before ??= frozenCopy(images.before));
    },
    get after() {
      return (after ??= frozenCopy(images.after));
    },
    get api() {
      return use.api;
    },
    get log() {
      return use.log;
    },
    get signal() {
      return use.signal;
    },
  });
}

/** A copy with values as the driver reads them, which nothing can change. */
const frozenCopy = (row: Row | undefined): Row | undefined => row && deepFreeze(BSON.deserialize(BSON.serialize(row)));
