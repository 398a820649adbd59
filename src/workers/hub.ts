/** The state that the workers of one server share. It is kept in the primary, and workers call it. */
import { randomUUID } from 'node:crypto';
import type { Snapshot } from '../metrics/metrics.ts';
import { bothCounts } from '../metrics/request-counts.ts';
import { withEndedProcess } from '../metrics/table.ts';
import { byShape } from '../read/slow-reads.ts';
import type { ChangesMessage, Topics, Window } from '../shared/contract.ts';
import { ProcessState } from '../shared/process.ts';
import type { FeedStart, Needs } from './contract.ts';

/** Milliseconds that a worker has to handle the message of another one; it is not waited for longer. */
const maxHandlingMs = 5000;

/** A call of a worker, by name. */
export interface HubCalls {
  readonly broadcast: { readonly topic: string; readonly message: unknown };
  readonly broadcastInOrder: { readonly message: ChangesMessage; readonly count: number };
  readonly count: { readonly key: string; readonly window: Window };
  readonly counts: { readonly keys: readonly string[] };
  readonly takeLease: { readonly key: string; readonly holder: string; readonly ms: number };
  readonly freeLease: { readonly key: string; readonly holder: string };
  /** @property permits undefined where the worker looks them up */
  readonly acquire: {
    readonly keys: readonly string[];
    readonly grant: number;
    readonly permits: readonly number[] | undefined;
  };
  readonly release: { readonly grant: number };
  readonly metrics: Snapshot;
  readonly failedLogin: { readonly minute: number; readonly key: string };
  readonly declare: Needs;
  readonly beginFeed: undefined;
}

/** The calls that the hub makes to a worker. */
export type CallWorker = (name: 'receive' | 'permits' | 'needed', value: unknown) => Promise<unknown>;

interface Member {
  readonly call: CallWorker;
  readonly releases: Map<number, () => void>;
  /** The keys of its leases, by holder. */
  readonly leases: Map<string, string>;
  needs: Needs;
  /** What the others need, as it was sent last. */
  needed: string;
  /** Its metrics, as they were read last. */
  metrics: Snapshot;
  /** Its figures, as they were read last. */
  readonly kept: KeptAnswers;
  isGone: boolean;
}

/** The connection of one worker to the hub. */
export interface HubConnection {
  readonly answer: (name: string, value: unknown) => unknown;
  /** Releases what the worker holds. */
  readonly leave: () => void;
}

const nothing: Needs = { all: false, documents: [] };

type Handlers = { readonly [N in keyof HubCalls]: (member: Member, value: HubCalls[N]) => unknown };

export class WorkerHub {
  readonly #members = new Set<Member>();
  readonly #state: ProcessState;
  /** What workers have counted that have ended. */
  #ended: Snapshot = [];
  readonly #endedKept = new KeptAnswers();
  readonly #feed = { name: randomUUID() as string, next: 1 };
  readonly #handlers: Handlers = {
    broadcast: (member, message) => this.#broadcast(member, message),
    broadcastInOrder: (_member, { message, count }) => this.#broadcastInOrder(message, count),
    count: (_member, { key, window }) => this.#state.count(key, window),
    counts: (_member, { keys }) => this.#state.counts(keys),
    takeLease: ({ leases }, { key, holder, ms }) => {
      const isTaken = this.#state.leases.take(key, holder, ms);
      if (isTaken) leases.set(holder, key);
      return isTaken;
    },
    freeLease: ({ leases }, { key, holder }) => {
      leases.delete(holder);
      this.#state.leases.free(key, holder);
    },
    acquire: (member, wanted) => this.#acquire(member, wanted),
    release: ({ releases }, { grant }) => {
      releases.get(grant)?.();
      releases.delete(grant);
    },
    metrics: (member, own) => this.#metrics(member, own),
    failedLogin: (_member, { minute, key }) => this.#state.failedLogin(minute, key),
    declare: (member, needs) => this.#declare(member, needs),
    beginFeed: (): FeedStart => ({ ...this.#feed }),
  };

  /** @param logged the lines of the log that no worker has: of the primary, and of workers that have ended */
  constructor(
    now: () => number = Date.now,
    private readonly logged: () => readonly string[] = () => [],
  ) {
    this.#state = new ProcessState(now);
  }

  /** Connects a worker. @param call calls the worker, in order */
  join(call: CallWorker): HubConnection {
    const member: Member = {
      call,
      releases: new Map(),
      leases: new Map(),
      needs: nothing,
      needed: '',
      metrics: [],
      kept: new KeptAnswers(),
      isGone: false,
    };
    this.#members.add(member);
    void this.#sendNeeded();
    return {
      answer: (name, value) => this.#handlers[name as keyof HubCalls](member, value as never),
      leave: () => this.#leave(member),
    };
  }

  #leave(member: Member): void {
    member.isGone = true;
    this.#ended = withEndedProcess(this.#ended, member.metrics);
    this.#endedKept.add(member.kept.all);
    this.#members.delete(member);
    for (const release of member.releases.values()) release();
    member.releases.clear();
    for (const [holder, key] of member.leases) this.#state.leases.free(key, holder);
    member.leases.clear();
    void this.#sendNeeded();
  }

  /** Reads the figures and metrics of all workers, so that those of one that is killed later are known. */
  async readKept(): Promise<void> {
    await Promise.all([...keptTopics.map((topic) => this.#readKept(topic)), this.#readMetrics([...this.#members])]);
  }

  async #readKept(topic: (typeof keptTopics)[number]): Promise<void> {
    await Promise.all(
      [...this.#members].map(async (one) => {
        const answer = await this.#handled(one, { topic, message: undefined });
        if (answer !== unhandled && !one.isGone) one.kept.set(topic, answer);
      }),
    );
  }

  #others(member: Member): readonly Member[] {
    return [...this.#members].filter((one) => one !== member);
  }

  async #broadcast(member: Member, message: HubCalls['broadcast']): Promise<readonly unknown[]> {
    const { topic } = message;
    if (isKeptTopic(topic)) {
      // the asking one is read too: what it is about to show must be known when it ends
      await this.#readKept(topic);
      return [this.#endedKept, ...this.#others(member).map(({ kept }) => kept)].flatMap((kept) => kept.of(topic));
    }
    const logged = topic === 'log lines' ? [this.logged()].filter(({ length }) => length > 0) : [];
    const answers = await Promise.all(this.#others(member).map((one) => this.#handled(one, message)));
    return [...answers.filter((answer) => answer !== unhandled), ...logged];
  }

  /** Reads the metrics of all workers. One that does not answer has those of the last time. */
  async #metrics(member: Member, own: Snapshot): Promise<readonly Snapshot[]> {
    member.metrics = own;
    await this.#readMetrics(this.#others(member));
    return [this.#ended, ...[...this.#members].map(({ metrics }) => metrics)].filter(({ length }) => length > 0);
  }

  async #readMetrics(members: readonly Member[]): Promise<void> {
    await Promise.all(
      members.map(async (one) => {
        const answer = await this.#handled(one, { topic: 'metrics', message: undefined });
        if (answer !== unhandled && !one.isGone) one.metrics = answer as Snapshot;
      }),
    );
  }

  async #broadcastInOrder(given: ChangesMessage, count: number): Promise<void> {
    const message: ChangesMessage = { ...given, first: this.#feed.next };
    this.#feed.next += count;
    await Promise.all([...this.#members].map((one) => this.#handled(one, { topic: 'changes', message })));
  }

  /** The answer of a worker; `unhandled` when it is not ready, has ended, failed or does not react. */
  #handled(member: Member, message: HubCalls['broadcast']): Promise<unknown> {
    return new Promise((done) => {
      const late = setTimeout(() => done(unhandled), maxHandlingMs).unref();
      const end = (answer: unknown): void => {
        clearTimeout(late);
        done(answer);
      };
      member.call('receive', message).then(end, () => end(unhandled));
    });
  }

  async #acquire(member: Member, { keys, grant, permits }: HubCalls['acquire']): Promise<void> {
    const look = async (): Promise<readonly number[]> =>
      permits ?? ((await member.call('permits', grant)) as readonly number[]);
    const release = await this.#state.permits.acquire(keys, look);
    if (member.isGone) release();
    else member.releases.set(grant, release);
  }

  #declare(member: Member, needs: Needs): Promise<void> {
    member.needs = needs;
    return this.#sendNeeded();
  }

  /** Sends each worker what the others need, where that has changed. */
  async #sendNeeded(): Promise<void> {
    await Promise.all(
      [...this.#members].map(async (member) => {
        const others = [...this.#members].filter((one) => one !== member).map(({ needs }) => needs);
        const needed: Needs = {
          all: others.some(({ all }) => all),
          documents: [...new Set(others.flatMap(({ documents }) => documents))].sort(),
        };
        const text = JSON.stringify(needed);
        if (text === member.needed) return;
        member.needed = text;
        await member.call('needed', needed).catch(() => undefined);
      }),
    );
  }
}

const unhandled = Symbol('unhandled');

/** Maximum shapes of slow reads that are kept of ended workers: those that took most time. */
const maxShapes = 200;

type Answers = { readonly [T in keyof typeof merges]: Topics[T]['answer'] };

/** How the answers of two workers become one, by topic. */
const merges = {
  requests: bothCounts,
  'slow reads': (a: Topics['slow reads']['answer'], b: Topics['slow reads']['answer']) =>
    byShape([...a, ...b]).slice(0, maxShapes),
};

/** The topics whose answers are kept. */
const keptTopics = Object.keys(merges) as readonly (keyof Answers)[];
const isKeptTopic = (topic: string): topic is keyof Answers => Object.hasOwn(merges, topic);

/** Answers by topic: the last ones of a worker, or those of all that have ended. */
class KeptAnswers {
  #answers: Partial<Answers> = {};

  of(topic: keyof Answers): readonly unknown[] {
    const answer = this.#answers[topic];
    return answer === undefined ? [] : [answer];
  }

  set(topic: keyof Answers, answer: unknown): void {
    this.#answers = { ...this.#answers, [topic]: answer };
  }

  add({ requests, 'slow reads': slow }: Partial<Answers>): void {
    const before = this.#answers;
    if (requests !== undefined)
      this.set('requests', before.requests === undefined ? requests : merges.requests(before.requests, requests));
    if (slow !== undefined) this.set('slow reads', merges['slow reads'](before['slow reads'] ?? [], slow));
  }

  get all(): Partial<Answers> {
    return this.#answers;
  }
}
