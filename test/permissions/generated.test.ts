/**
 * Row rules and field letters hold everywhere: random models, users and requests, whose answers, effects and events are held against an
 * oracle that shares no code with the server. RULES_REQUESTS is the number of requests, RULES_SEED selects them: a
 * failure tells the one that repeats it.
 */
import { expect, test } from '@jest/globals';
import { bulk } from './bulk.ts';
import { isGiven, may, shown } from './oracle.ts';
import { patch, upsert } from './patching.ts';
import { aggregate } from './pipelines.ts';
import * as reads from './reads.ts';
import { distinct, walk } from './values.ts';
import { openWorld, type State, type Who, type World } from './world.ts';
import * as writes from './writes.ts';

const requests = Number(process.env['RULES_REQUESTS'] ?? 200);
const seed = Number(process.env['RULES_SEED'] ?? 1000);
/** Requests to one world; then another one is made. */
const perWorld = 100;

const { change, create, remove, changeUser } = writes;
const writings = [
  change,
  change,
  change,
  patch,
  patch,
  patch,
  upsert,
  upsert,
  create,
  create,
  remove,
  changeUser,
  bulk,
  bulk,
  bulk,
  bulk,
];
const { list, one, count, csv, rights, call } = reads;
const readings = [list, list, list, one, one, count, csv, aggregate, aggregate, rights, call, walk, walk, distinct];

/** The texts that stand nowhere but in one field of one row. */
const canaries = (text: string): readonly string[] => text.match(/«[^»]*»/g) ?? [];

/** What a caller may know: what is in the rows that they may read, and what they sent. */
function readableCanaries(world: World, who: Who, states: readonly State[]): ReadonlySet<string> {
  const known = states.flatMap((state) => {
    const caller = world.caller(who, state);
    return world.models.flatMap((model) =>
      [...(state[model.name]?.values() ?? [])]
        .filter((row) => isGiven(model, caller, 'r') && may(model, caller, 'r', row))
        .flatMap((row) => canaries(JSON.stringify(shown(model, caller, row)))),
    );
  });
  const { asked } = world.last() ?? {};
  return new Set([...known, ...canaries(decodeURIComponent(asked?.path ?? '') + JSON.stringify(asked?.body ?? ''))]);
}

/** One request of a caller. @returns what is stored after it */
async function step(world: World, state: State): Promise<State> {
  const isWrite = world.chance.is(0.5);
  const question = reads.question(world, state, isWrite ? 'u' : 'r');
  const after = isWrite ? await write(world, question) : state;
  if (!isWrite) await world.chance.one(readings)(question);
  const allowed = readableCanaries(world, question.who, [state, after]);
  const known = canaries(world.last()?.answer.text ?? '');
  expect(known.filter((canary) => !allowed.has(canary))).toEqual([]);
  return after;
}

async function write(world: World, question: reads.Question): Promise<State> {
  const done = await world.chance.one(writings)(question);
  const after = await world.stored();
  writes.expectChange(question, done, after);
  await world.received(question.state, after);
  return after;
}

const worlds = Array.from({ length: Math.ceil(requests / perWorld) }, (_, at) => seed + at);

async function run(own: number): Promise<void> {
  const world = await openWorld(own);
  let state = await world.stored();
  let refused = 0;
  try {
    for (let at = 0; at < perWorld; at++) {
      state = await step(world, state);
      const { status = 0 } = world.last()?.answer ?? {};
      if (status >= 400 && status < 500) refused += 1;
    }
  } catch (error) {
    const asked = JSON.stringify(world.last()?.asked);
    const models = JSON.stringify(world.models);
    throw new Error(`RULES_SEED=${own}, after ${asked}\n${String(error)}\nin ${models}`, { cause: error });
  } finally {
    await world.close();
  }
  // a generator whose requests are refused proves nothing
  expect(refused).toBeLessThan(perWorld * 0.9);
}

/** The next world runs beside each: half of the time is waiting for events. */
const runs = new Map<number, Promise<void>>();
function started(own: number): Promise<void> {
  const known = runs.get(own) ?? run(own);
  runs.set(own, known);
  // its own test reports a failure
  known.catch(() => undefined);
  return known;
}

test.each(worlds)(
  'the world of seed %d',
  async (own) => {
    const running = started(own);
    if (worlds.includes(own + 1)) void started(own + 1);
    await running;
    runs.delete(own);
  },
  60_000 + perWorld * 400,
);
