/** Slow reads and writes, and advice on indexes (docs/indexes.md). */
import { type Adviser, adviser, type Core, type Feature, ownService, provide } from '../../core.ts';
import { readWatch } from '../../read/ports.ts';
import type { IndexAdvice } from './advice.ts';
import { indexesConfig } from './config.ts';
import { indexBuilt, indexDropped } from './events.ts';
import { adviceModel, adviceStore } from './kept.ts';
import { adviceFor, indexOperations } from './operations.ts';
import { slowReads } from './slow.ts';

/** Advice on indexes among all advice for operators. */
const adviseOnIndexes =
  ({ services }: Core): Adviser =>
  async (principal, opened) => {
    const { advice } = await adviceFor(services, principal);
    const known = advice.filter(
      ({ reason, since }) => reason !== 'unused' || opened === undefined || (since !== undefined && since < opened),
    );
    return known.map((one) => ({ kind: 'index', about: one.model, advice: sentence(one) }));
  };

function sentence({ reason, index, for: what, name }: IndexAdvice): string {
  const key = JSON.stringify(index);
  if (reason === 'missing')
    return `reads of ${what} have no index: run dossier indexes --apply, and add ${key} to the model file`;
  if (reason === 'redundant') return `${name ?? key} is the beginning of ${what}, which serves its reads: remove it`;
  return `no read has used ${name ?? key} since the start: remove it from the model file if that lasts`;
}

export const indexes: Feature = {
  name: 'indexes',
  config: indexesConfig,
  operations: [indexOperations],
  accountEvents: [indexBuilt, indexDropped],
  models: [adviceModel],
  provides: [
    provide(ownService, adviceStore),
    provide(ownService, slowReads),
    provide(adviser, adviseOnIndexes),
    provide(readWatch, slowReads),
  ],
};
