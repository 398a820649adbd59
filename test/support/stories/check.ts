/** Compares what reports a write with what it has done to the stored documents. */
import { expect } from '@jest/globals';
import type { Json } from './bodies.ts';
import {
  type Difference,
  differences,
  eventOf,
  isSame,
  leafPaths,
  shown,
  type Step,
  typed,
  withoutStamps,
} from './differences.ts';
import type { ModelPlan } from './models.ts';
import { type Call, keyOf, type Reports, stepOf } from './reports.ts';
import type { Written } from './ways.ts';

/** The stored documents of each model, by their ids. */
export type Documents = ReadonlyMap<string, ReadonlyMap<string, Json>>;

/** One document, before and after a write. */
interface Subject {
  readonly plan: ModelPlan;
  readonly key: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/** Documents that a write has changed, or of which anything was reported. */
function subjectsOf(plans: readonly ModelPlan[], before: Documents, after: Documents, reports: Reports): Subject[] {
  return plans.flatMap((plan) => {
    const [was, is] = [before, after].map((all) => all.get(plan.name) ?? new Map<string, Json>());
    const isOfModel = (key: string): boolean => key.startsWith(`${plan.name} `);
    const reported = Object.values(reports).flatMap((all: ReadonlyMap<string, unknown>) =>
      [...all.keys()].filter(isOfModel),
    );
    const stored = [...(was?.keys() ?? []), ...(is?.keys() ?? [])].map((id) => keyOf(plan.name, id));
    return [...new Set([...stored, ...reported])].flatMap((key) => {
      const id = key.slice(plan.name.length + 1);
      const subject = { plan, key, before: was?.get(id), after: is?.get(id) };
      return reported.includes(key) || !isSame(subject.before, subject.after) ? [subject] : [];
    });
  });
}

/**
 * Holds what was reported of one write against the documents before and after it: each change of a document is reported by all that report its
 * model, with the same images, and nothing else is.
 */
export function checkWrite(
  plans: readonly ModelPlan[],
  [before, after]: readonly [Documents, Documents],
  written: Written,
  reports: Reports,
): void {
  const subjects = subjectsOf(plans, before, after, reports);
  const isRefused = written.status >= 400 && written.keepsSome !== true;
  if (isRefused) expect(subjects.filter((one) => !isSame(one.before, one.after)).map(({ key }) => key)).toEqual([]);
  for (const subject of subjects) new Story(subject, written, reports).check();
}

type Form = (row: Json | undefined) => Json | undefined;

/** The changes of one document by one write, one by one. */
interface Chain {
  readonly steps: readonly Step[];
  /** The form in which documents are compared: what histories show has no types. */
  readonly form: Form;
  /** Whether changes of nothing but stamps may be missing, or all but the first and the last document are unknown. */
  readonly knows: 'all' | 'no stamps' | 'ends';
}

/** What is reported of the changes of one document by one write. */
class Story {
  readonly #isChanged: boolean;
  readonly #chain: Chain;

  constructor(
    private readonly subject: Subject,
    private readonly written: Written,
    private readonly reports: Reports,
  ) {
    this.#isChanged = !isSame(subject.before, subject.after);
    this.#chain = this.#chainOf();
  }

  check(): void {
    this.#checkSteps();
    this.#checkHistory();
    this.#checkWebhook();
    this.#checkChanged();
    this.#checkAudit();
    this.#checkEvents();
  }

  /** Of a write that changes a document several times, the images of one reporter stand for the model that is kept beside it. */
  #chainOf(): Chain {
    const { plan, key, before, after } = this.subject;
    const alone = this.#isChanged ? [stepOf(before, after)] : [];
    const of = <T>(all: ReadonlyMap<string, readonly T[]>): readonly T[] => all.get(key) ?? [];
    if (this.written.steps === 'one') return { steps: alone, form: typed, knows: 'all' };
    if (plan.hasWebhook) return { steps: of(this.reports.webhook), form: typed, knows: 'all' };
    if (plan.hasHistory) {
      const states = [shown(before), ...of(this.reports.history).map((entry) => entry.after)];
      const steps = states.slice(1).map((state, at) => stepOf(states[at], state));
      return { steps, form: shown, knows: 'all' };
    }
    if (this.#callsChanged() && plan.changed === 'documents')
      return { steps: of(this.reports.storedCalls), form: (row) => typed(withoutStamps(row)), knows: 'no stamps' };
    return { steps: alone, form: typed, knows: 'ends' };
  }

  #callsChanged(): boolean {
    return this.subject.plan.changed !== 'none' && this.written.skipsChanged !== true;
  }

  /** They lead from the document before the write to the one after it. */
  #checkSteps(): void {
    const { steps, form } = this.#chain;
    const { before, after } = this.subject;
    const states = [before, ...steps.map((step) => step.after)].map(form);
    const befores = steps.map((step) => form(step.before));
    this.#expect('each document before a change is the one after the last change', befores, states.slice(0, -1));
    this.#expect('the last document', states.at(-1), form(after));
    const { maxSteps = Infinity } = this.written;
    this.#expect('changes at most', Math.min(steps.length, maxSteps), steps.length);
    this.#expect('operations', opsOf(steps), opsOf(steps.map((step) => stepOf(step.before, step.after))));
  }

  #checkHistory(): void {
    const { plan, key, before, after } = this.subject;
    const entries = this.reports.history.get(key) ?? [];
    const { steps, knows } = this.#chain;
    if (!plan.hasHistory) return this.#expect('history', entries, []);
    if (knows === 'all') this.#expect('operations of the history', opsOf(entries), opsOf(steps));
    if (knows === 'all') this.#expect('states of the history', afterOf(entries), afterOf(steps));
    this.#expect('an entry of the history', entries.length > 0, steps.length > 0);
    if (entries.length > 0) this.#expect('the last state of the history', entries.at(-1)?.after, shown(after));
    const states = [shown(before), ...entries.map((entry) => entry.after)];
    for (const [at, { op, changes }] of entries.entries()) {
      const [from = {}, to = {}] = [states[at], states[at + 1]];
      const expected = op === 'create' ? differences({}, created(to)) : differences(from, to);
      if (op !== 'remove') this.#expect('changes of the history', byPath(changes), byPath(expected));
    }
  }

  #checkWebhook(): void {
    const deliveries = (this.reports.webhook.get(this.subject.key) ?? []).map(typedStep);
    this.#expect('deliveries', deliveries, this.subject.plan.hasWebhook ? this.#chain.steps.map(typedStep) : []);
  }

  #checkChanged(): void {
    const { key, plan } = this.subject;
    const { steps, form, knows } = this.#chain;
    const formOf = ({ op, before, after, paths }: Call) => ({
      ...{ op, before: form(before), after: form(after), paths: [...paths].sort() },
    });
    const expected = this.#callsChanged()
      ? steps
          .map((step) => formOf({ ...step, paths: leafPaths(step.before, step.after) }))
          .filter(({ op, paths }) => op !== 'change' || paths.length > 0)
      : [];
    const calls = (this.reports.calls.get(key) ?? []).map(formOf);
    const stored = (this.reports.storedCalls.get(key) ?? []).map(formOf);
    this.#expect('stored calls of changed', stored, plan.changed === 'documents' ? expected : []);
    // what is rolled back has called it, too
    if (knows === 'ends' && !this.written.hasFailed)
      this.#expect('a call of changed', calls.length > 0, expected.length > 0);
    if (knows !== 'ends')
      this.#expect('calls of changed', calls, this.written.hasFailed ? expect.arrayContaining(expected) : expected);
  }

  #checkAudit(): void {
    const { plan, key } = this.subject;
    const { steps, knows } = this.#chain;
    const records = (this.reports.audit.get(key) ?? []).map(({ op, paths }) => ({ op, paths: [...paths].sort() }));
    const pathsOf = (step: Step): string[] => differences(step.before ?? {}, step.after ?? {}).map(({ path }) => path);
    const expected = plan.isAudited ? steps.map((step) => ({ op: step.op, paths: pathsOf(step).sort() })) : [];
    if (knows === 'all') this.#expect('records of the audit log', records, expected);
    else this.#expect('a record of the audit log', records.length > 0, expected.length > 0);
  }

  /** Changes in one unit of work are one event. */
  #checkEvents(): void {
    const { before, after, key } = this.subject;
    const { steps, knows } = this.#chain;
    const { steps: units, isSilent } = this.written;
    const events = this.reports.events.get(key) ?? [];
    // the feed removes doubles
    const published = this.reports.published.get(key) ?? [];
    this.#expect('changes are published once', published, [...new Set(published)]);
    const changes = units === 'several units' ? steps : steps.length === 0 ? [] : [{ before, after }];
    const expected = isSilent === true ? [] : changes.map(eventOf).filter((event) => event !== undefined);
    const names = events.map(({ event }) => event);
    if (knows === 'all') this.#expect('events', names, expected);
    // of a document that is created and deleted, both are events
    else if (expected.length > 0) this.#expect('an event', names.length > 0, true);
    const last = events.at(-1);
    if (last === undefined || last.event === 'del') return;
    const { id: _, ...item } = last.item;
    this.#expect('the document of the last event', item, shown(after));
  }

  /** A failure names the document, and what has reported it. */
  #expect(what: string, value: unknown, expected: unknown): void {
    const name = `${this.subject.key}: ${what}`;
    expect({ [name]: value }).toEqual({ [name]: expected });
  }
}

/** A new document as lists of entries show it: that it is not deleted is no change. */
const created = ({ _deleted, ...row }: Json): Json => (_deleted === true ? { ...row, _deleted } : row);

const opsOf = (steps: readonly Pick<Step, 'op'>[]): readonly string[] => steps.map(({ op }) => op);

const afterOf = (steps: readonly { readonly after: Json | undefined }[]): readonly unknown[] =>
  steps.map(({ after }) => shown(after));

const byPath = (changes: readonly Difference[]): readonly Difference[] =>
  [...changes].sort((one, other) => (one.path < other.path ? -1 : 1));

const typedStep = ({ op, before, after }: Step) => ({ op, before: typed(before), after: typed(after) });
