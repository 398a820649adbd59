/** The presentation of a plan's rows. */
import type { Policy } from '../policy/policy.ts';
import { hiddenBesideScore, hiddenInStored, type Presentation } from '../policy/presentation.ts';
import type { Fields } from '../query/fields.ts';
import type { Hidden } from '../query/schema-view.ts';

interface Presented {
  readonly policy: Pick<Policy, 'view' | 'ownRows'>;
  readonly fields: Fields | undefined;
  /** Whether rows have the `score` of a search. */
  readonly scored: boolean;
  /** Whether only the identity of users is shown, which has no `id`. */
  readonly identityOnly: boolean;
}

export function presentationOf({ policy, fields, scored, identityOnly }: Presented): Presentation {
  const { view, ownRows } = policy;
  const hiddenIn = hiddenOf(fields, scored);
  return {
    hidden: hiddenIn(view.hidden),
    ownRows: ownRows && { ...ownRows, hidden: hiddenIn(ownRows.hidden) },
    fields,
    withId: !identityOnly && !view.schema.hasOwnId,
    withScore: scored,
  };
}

function hiddenOf(fields: Fields | undefined, scored: boolean): (hidden: Hidden) => Hidden {
  if (fields?.mode === 'stored') return hiddenInStored;
  return scored ? hiddenBesideScore : (hidden) => hidden;
}
