/** Who may use a route, as a row of operations says it. */
import { letters } from '../../models/letters.ts';
import type { Registry } from '../../models/registry.ts';
import { suggestion } from '../../nearest.ts';
import { admin, open, type PlainAccess, signedIn } from '../../operations/operation.ts';
import { reservedGroups } from '../../policy/principal.ts';
import type { CheckedRoute } from './definition.ts';
import { RouteFault, shownValue } from './faults.ts';

const accepted = "'all', 'user', 'admin', { group: 'name' } or { model: 'name', letter: 'r' }";

/** @throws RouteFault for an access that is unknown, or names an unknown model, letter or group */
export function accessOf({ name, access }: CheckedRoute, registry: Registry): PlainAccess {
  if (access === 'all') return open('the project opens this route to every caller');
  if (access === 'user') return signedIn;
  if (access === 'admin') return admin;
  const parts: Readonly<Record<string, unknown>> = typeof access === 'object' && access !== null ? { ...access } : {};
  const keys = Object.keys(parts).sort().join();
  if (keys === 'group') return groupAccess(name, parts['group']);
  if (keys === 'letter,model') return rightAccess(name, parts, registry);
  throw new RouteFault(`${name}: access must be ${accepted}, got ${shownValue(access)}`);
}

function groupAccess(name: string, group: unknown): PlainAccess {
  if (typeof group !== 'string' || group.trim() === '' || reservedGroups.has(group))
    throw new RouteFault(`${name}: access.group must be the name of a group, got ${shownValue(group)}`);
  return { kind: 'group', group };
}

function rightAccess(name: string, parts: Readonly<Record<string, unknown>>, registry: Registry): PlainAccess {
  const letter = letters.find((one) => one === parts['letter']);
  if (letter === undefined)
    throw new RouteFault(
      `${name}: access.letter must be one of ${letters.join(', ')}, got ${shownValue(parts['letter'])}`,
    );
  const wanted = parts['model'];
  const model = typeof wanted === 'string' ? registry.find(wanted) : undefined;
  if (model !== undefined) return { kind: 'right', model, letter };
  const known = registry.served.map((entry) => entry.name);
  const hint = typeof wanted === 'string' ? suggestion(wanted, known) : '';
  throw new RouteFault(`${name}: access.model must be the name of a model, got ${shownValue(wanted)}${hint}`);
}
