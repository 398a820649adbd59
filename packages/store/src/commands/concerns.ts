/** Read and write concerns. The store is a single member, so it satisfies most of them. */
import { notSupported, StoreError, unknownName } from 'dossier-language/errors';
import type { Doc, Value } from 'dossier-language/values';
import { toDouble } from 'dossier-language/values';
import { checkFields, docOf, flagOf } from './arguments.ts';
import type { Command } from './context.ts';

const readFields: ReadonlySet<string> = new Set(['level', 'afterClusterTime', 'atClusterTime', 'provenance']);
const readLevels: ReadonlySet<Value> = new Set(['local', 'available', 'majority', 'linearizable', 'snapshot']);
const writeFields: ReadonlySet<string> = new Set(['w', 'j', 'fsync', 'wtimeout', 'provenance']);

/** Read concern levels that a transaction may use. */
const transactionLevels: ReadonlySet<Value> = new Set(['local', 'majority', 'snapshot']);

/** Commands for which MongoDB supports `snapshot` outside of transactions. */
const snapshotReaders: ReadonlySet<string> = new Set(['find', 'aggregate', 'distinct']);

/**
 * Checks `readConcern` and `writeConcern`.
 * @throws StoreError 2 for an unknown level, 72 for a level that the command does not support, 115 for a level that the
 * store does not support, 79 or 100 if more members are required than exist, 40415 for an unknown field
 */
export function checkConcerns(command: Command, body: Doc): void {
  const reading = docOf(body, 'readConcern');
  if (reading !== undefined) checkRead(command, body, reading);
  checkWrite(docOf(body, 'writeConcern'));
}

function checkRead({ name, kind }: Command, body: Doc, concern: Doc): void {
  checkFields(concern, readFields, 'readConcern');
  const { level = 'local', atClusterTime } = concern;
  if (!readLevels.has(level))
    throw unknownName(2, `Enumeration value '${String(level)}' for field 'readConcern.level' is not a valid value.`);
  if (!flagOf(body, 'autocommit', true)) checkReadInTransaction(body, level);
  else if (level === 'snapshot') {
    if (snapshotReaders.has(name)) throw notSupported("the read concern 'snapshot' outside of a transaction");
    throw new StoreError(
      72,
      `Command ${name} does not support { readConcern: { level: "snapshot", provenance: "clientSupplied" } } :: caused by :: read concern not supported`,
    );
  }
  if (level === 'linearizable' && typeof kind === 'function' && kind(body) === 'write')
    throw new StoreError(72, "$out and $merge cannot be used with a 'linearizable' read concern level");
  if (atClusterTime !== undefined) throw notSupported("the option 'atClusterTime' of readConcern");
}

function checkReadInTransaction(body: Doc, level: Value): void {
  if (!flagOf(body, 'startTransaction'))
    throw new StoreError(72, 'Only the first command in a transaction may specify a readConcern');
  if (!transactionLevels.has(level))
    throw new StoreError(
      72,
      "The readConcern level must be either 'local' (default), 'majority' or 'snapshot' in order to run in a transaction",
    );
}

/**
 * Every write is acknowledged by the majority and journaled. A write that requires more members is refused before it
 * starts.
 */
function checkWrite(concern: Doc | undefined): void {
  if (concern === undefined) return;
  checkFields(concern, writeFields, 'writeConcern');
  const { w = 1 } = concern;
  if (typeof w === 'string' && w !== 'majority') throw unknownName(79, `No write concern mode named '${w}' found`);
  if ((toDouble(w) ?? 1) > 1) throw unknownName(100, 'Not enough data-bearing nodes: the store is one member');
}
