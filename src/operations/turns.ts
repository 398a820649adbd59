/** How the requests of an operation wait for each other. */
import type { Context, ModelContext } from '../context.ts';
import { callerKey } from '../policy/principal.ts';
import { onDocument } from '../write/unit.ts';
import { isOfModel, type Operation } from './operation.ts';

type InTurn = <T>(context: Context, run: () => Promise<T>) => Promise<T>;

/** How the requests of an operation wait for others: those with many writes for others of their caller, units for those on their document. */
export function turnsOf(operation: Operation): { readonly unitInTurn: InTurn; readonly bulkInTurn: InTurn } {
  const atOnce: InTurn = (_context, run) => run();
  // what encloses a call of `api` may hold the turn that it would wait for
  const bulkInTurn: InTurn = (context, run) =>
    (context.depth ?? 0) > 0 ? run() : context.services.shares.bulks(callerKey(context), context, run);
  // units on one document would conflict, and each would begin again
  const documentInTurn: InTurn = (context, run) =>
    Object.hasOwn(context.params, 'id') ? onDocument(context as ModelContext, context.params['id'], run) : run();
  if (operation.isBulk === true) return { unitInTurn: bulkInTurn, bulkInTurn };
  return { unitInTurn: isOfModel(operation) ? documentInTurn : atOnce, bulkInTurn: atOnce };
}
