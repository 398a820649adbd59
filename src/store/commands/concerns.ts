/** Which guarantees a client may ask for with a command: one member answers for all, so most are kept by themselves. */
import { notSupported, unknownName } from '../errors.ts';
import type { Doc, Value } from '../values/types.ts';
import { toDouble } from '../values/number.ts';
import { checkFields, docOf } from './arguments.ts';

const readFields: ReadonlySet<string> = new Set(['level', 'afterClusterTime', 'atClusterTime', 'provenance']);
const readLevels: ReadonlySet<Value> = new Set(['local', 'available', 'majority', 'linearizable', 'snapshot']);
const writeFields: ReadonlySet<string> = new Set(['w', 'j', 'fsync', 'wtimeout', 'provenance']);

/**
 * Checks `readConcern`, `writeConcern` and `apiVersion`.
 * @throws StoreError 2 for an unknown level, 79 or 100 for members that there are not, 322 for another API, 40415 for an
 * unknown field
 */
export function checkConcerns(body: Doc): void {
  checkRead(docOf(body, 'readConcern'));
  checkWrite(docOf(body, 'writeConcern'));
  if (body['apiVersion'] !== undefined && body['apiVersion'] !== '1') throw unknownName(322, 'API version must be "1"');
}

function checkRead(concern: Doc | undefined): void {
  if (concern === undefined) return;
  checkFields(concern, readFields, 'readConcern');
  const { level = 'local', atClusterTime } = concern;
  if (!readLevels.has(level))
    throw unknownName(2, `Enumeration value '${String(level)}' for field 'readConcern.level' is not a valid value.`);
  if (atClusterTime !== undefined) throw notSupported("the option 'atClusterTime' of readConcern");
}

/** All writes are acknowledged by the majority and in the journal. Nothing is written where more members are wanted. */
function checkWrite(concern: Doc | undefined): void {
  if (concern === undefined) return;
  checkFields(concern, writeFields, 'writeConcern');
  const { w = 1 } = concern;
  if (typeof w === 'string' && w !== 'majority') throw unknownName(79, `No write concern mode named '${w}' found`);
  if ((toDouble(w) ?? 1) > 1) throw unknownName(100, 'Not enough data-bearing nodes: the store is one member');
}
