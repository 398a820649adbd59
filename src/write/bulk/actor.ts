/** What a bulk write is made from, and its time: it stops between two commands, and reports what is done, before the limit of the whole request ends it. */
import type { ModelActor } from '../../context.ts';
import { busy, tookTooLong } from '../../errors/errors.ts';
import { monotonicClock } from '../../ports/core.ts';
import type { ValuesIntent } from '../intents.ts';

/** A list of operations, each with a target of its own. */
export interface BulkIntent extends ValuesIntent {
  readonly input: readonly unknown[];
  /** Whether deletions are permanent. */
  readonly permanently: boolean;
}

/** A bulk write has four time limits (`operations/invoke.ts`); in the last one it begins no more commands. */
const beginning = 3;

/** The actor of a bulk write. */
export interface BulkActor extends ModelActor {
  readonly intent: BulkIntent;
  /** Milliseconds, at least one, in which a command may begin. @throws 503 when there are none, or the caller has disconnected */
  readonly timeLeft: () => number;
}

/** Begins to count the time. */
export function withBulkTime(actor: ModelActor, intent: BulkIntent): BulkActor {
  const { signal } = actor;
  const { settings } = actor.services;
  const elapsed = actor.services.of(monotonicClock);
  const end = elapsed() + beginning * settings.query_limits.max_time_ms;
  const timeLeft = (): number => {
    if (signal.aborted) throw busy();
    const left = Math.floor(end - elapsed());
    if (left < 1) throw tookTooLong();
    return left;
  };
  return { ...actor, intent, timeLeft };
}
