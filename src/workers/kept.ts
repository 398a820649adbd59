/** What the primary keeps of workers that have ended, so that the figures of the whole server never go back. */
import { bothCounts } from '../metrics/request-counts.ts';
import { byShape } from '../read/slow-reads.ts';
import type { Topics } from '../shared/contract.ts';

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
export const keptTopics = Object.keys(merges) as readonly (keyof Answers)[];
export const isKeptTopic = (topic: string): topic is keyof Answers => Object.hasOwn(merges, topic);

/** Answers by topic: the last ones of a worker, or those of all that have ended. */
export class KeptAnswers {
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
