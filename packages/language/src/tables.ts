/** The names of everything that the languages support. */
import { accumulators, unsupported as accumulatorsLeftOut } from './aggregate/accumulators/index.ts';
import { unsupported as expressionsLeftOut } from './aggregate/expressions/literals.ts';
import { operators as expressions } from './aggregate/expressions/operators.ts';
import { stages, unsupported as stagesLeftOut } from './aggregate/stages/index.ts';
import { windowFunctions } from './aggregate/windows/index.ts';
import { operators as fieldOperators, unsupported as conditionsLeftOut } from './query/operators.ts';
import { documentOperators, unsupported as filtersLeftOut } from './query/parse.ts';
import { operators as updateOperators } from './update/operators.ts';

const namesOf = (table: ReadonlyMap<string, unknown>, leftOut: readonly string[] = []): ReadonlySet<string> =>
  new Set([...table.keys()].filter((name) => !leftOut.includes(name)));

/** The names in each table, such as `$match` among the stages. Any other name is refused. */
export const supported = {
  accumulators: namesOf(accumulators, accumulatorsLeftOut),
  /** Top-level operators of a filter, such as `$and`. */
  documentOperators: namesOf(documentOperators, filtersLeftOut),
  expressions: namesOf(expressions, expressionsLeftOut),
  /** Conditions on a field of a filter, such as `$gt`. */
  fieldOperators: namesOf(fieldOperators, conditionsLeftOut),
  stages: namesOf(stages, stagesLeftOut),
  updateOperators: new Set([...namesOf(updateOperators), '$rename']),
  windowFunctions: namesOf(windowFunctions),
} as const;
