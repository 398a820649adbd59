/** The limits of one filter: 10 levels, 200 conditions, 1,000 values in a list, 10 patterns and 10 conditions through links. */
import { tooDeep, tooMany } from '../errors/errors.ts';

export const filterLimits = { levels: 10, conditions: 200, values: 1000, patterns: 10, links: 10 } as const;

/** Counts the conditions, patterns and links of one filter. */
export class FilterBudget {
  #conditions = 0;
  #patterns = 0;
  #links = 0;

  condition(): void {
    this.#conditions += 1;
    if (this.#conditions > filterLimits.conditions) throw tooMany('conditions in a filter', filterLimits.conditions);
  }

  pattern(): void {
    this.#patterns += 1;
    if (this.#patterns > filterLimits.patterns) throw tooMany('regular expressions in a filter', filterLimits.patterns);
  }

  /** Each may be a read of its own. */
  link(): void {
    this.#links += 1;
    if (this.#links > filterLimits.links) throw tooMany('conditions through links in a filter', filterLimits.links);
  }

  level(depth: number): void {
    if (depth > filterLimits.levels) throw tooDeep('a filter', filterLimits.levels);
  }

  values(count: number): void {
    if (count > filterLimits.values) throw tooMany('values in a list', filterLimits.values);
  }
}
