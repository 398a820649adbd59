/** Accumulators as window functions. */
import type { Value } from '../../values/types.ts';
import type { AccumulatorReader, Gathering } from '../accumulators/accumulator.ts';
import { scopeOf } from '../expressions/scope.ts';
import { Memory } from '../memory.ts';
import type { Span } from './window.ts';
import type { WindowReader } from './window-function.ts';

/** An accumulator over windows. While a window only grows at its end, the running result is continued. */
export const accumulated =
  (read: AccumulatorReader): WindowReader =>
  (operand, { compiler, window }, name) => {
    const start = read(operand, compiler, name);
    const { context } = compiler;
    return async ({ docs, frame, memory }) => {
      const spanAt = window(docs);
      const results: Value[] = [];
      let last: { readonly span: Span; readonly gathering: Gathering; readonly result: Value } | undefined;
      for (let at = 0; at < docs.length; at += 1) {
        const span = spanAt(at);
        if (last?.span.from === span.from && last.span.to === span.to) {
          results.push(last.result);
          continue;
        }
        const continues = last?.span.from === span.from && last.span.to < span.to;
        const gathering = continues && last ? last.gathering : start(new Memory(context, name));
        for (let place = continues && last ? last.span.to + 1 : span.from; place <= span.to; place += 1) {
          const doc = docs[place];
          if (doc === undefined) break;
          gathering.add(scopeOf(doc, frame));
          if (context.due()) await context.yield();
        }
        last = { span, gathering, result: gathering.result() };
        memory.keep(last.result);
        results.push(last.result);
        await context.yield();
      }
      return results;
    };
  };
