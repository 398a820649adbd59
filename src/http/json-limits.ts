/** The limits of JSON that callers send, in bodies and in messages of the WebSocket. */
import { dangerousKey, tooDeep } from '../errors.ts';

const maxLevels = 100;

/**
 * Walks level by level, without recursion, and stops at the limit. It also refuses the key `__proto__`.
 * @param what the failure names @throws 400
 */
export function checkJson(value: unknown, what: string): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxLevels) throw tooDeep(what, maxLevels);
    const next: unknown[] = [];
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue;
      if (Object.hasOwn(one, '__proto__')) throw dangerousKey('__proto__');
      for (const inner of Array.isArray(one) ? (one as readonly unknown[]) : Object.values(one))
        if (typeof inner === 'object' && inner !== null) next.push(inner);
    }
    level = next;
  }
}
