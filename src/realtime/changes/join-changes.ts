/** Joins what a transaction did to one document, step by step, to one change: no other request has seen the steps. */
import type { Change } from './contract.ts';

export function joinChanges(changes: readonly Change[]): readonly Change[] {
  if (changes.length < 2) return changes;
  const byDocument = new Map<string, Change[]>();
  for (const change of changes) {
    const key = `${change.model.name} ${change.id}`;
    const steps = byDocument.get(key);
    if (steps === undefined) byDocument.set(key, [change]);
    else steps.push(change);
  }
  return byDocument.size === changes.length ? changes : [...byDocument.values()].map(joined);
}

function joined(steps: readonly Change[]): Change {
  const [first] = steps;
  const last = steps.at(-1);
  if (first === undefined || last === undefined || first === last) return first as Change;
  const wasThere = first.event !== 'post';
  const isThere = steps.reduce((there, { event }) => (event === 'put' ? there : event === 'post'), wasThere);
  const event = isThere ? (wasThere ? 'put' : 'post') : 'del';
  // a document that was created and deleted again is no change
  const silent = steps.every((step) => step.silent) || (!wasThere && !isThere);
  const { __v } = last.before ?? {};
  const version = last.after === undefined && typeof __v === 'number' ? __v + 1 : undefined;
  return { ...last, event, before: first.before, silent, joined: true, version };
}
