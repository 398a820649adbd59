/** How changes of each model are written, and when its middleware and its rules run. */
import type { ModelEntry } from '../../models/entry.ts';
import { type MiddlewareRuns, middlewareRuns, type RuleRuns, ruleRuns } from '../../models/mongoose/middleware-runs.ts';
import type { Registry } from '../../models/registry.ts';

export interface ModelDetails {
  readonly name: string;
  readonly file: string;
  /** How `PUT`, `PATCH` and bulk updates change documents: by one atomic update, or by loading and saving each. */
  readonly changes: 'atomic' | 'load and save';
  /** The middleware, the rules or the option that decides it; empty for a model without any. */
  readonly because: readonly string[];
  readonly middleware: readonly MiddlewareRuns[];
  readonly rules: readonly RuleRuns[];
}

/** The models of files, without internal ones. */
export const modelDetails = ({ served }: Registry): readonly ModelDetails[] =>
  served.flatMap((model) => (model.file === undefined ? [] : [detailsOf(model, model.file)]));

const detailsOf = (model: ModelEntry, file: string): ModelDetails => ({
  name: model.name,
  file,
  changes: model.changesBySave ? 'load and save' : 'atomic',
  because: reasonsOf(model),
  middleware: middlewareRuns(model),
  rules: ruleRuns(model),
});

function reasonsOf({ options, saveHooks, documentRules }: ModelEntry): readonly string[] {
  const { save_on_put: asked } = options;
  if (asked !== undefined) return [`save_on_put: ${asked}`];
  return [...saveHooks, ...documentRules.map(({ path, kind }) => `${path} (${kind})`)];
}

const ways: Readonly<Record<ModelDetails['changes'], string>> = {
  atomic: 'changes are one atomic update',
  'load and save': 'changes load and save the document',
};

/** A section of lines: a model, and what runs at which requests. Middleware and rules of equal requests share a line. */
export function linesOf({ name, file, changes, because, middleware, rules }: ModelDetails): readonly string[] {
  const reasons = because.length === 0 ? '' : `, because of ${because.join(', ')}`;
  const running = new Map<string, string[]>();
  const add = (key: string, text: string): void => void running.set(key, [...(running.get(key) ?? []), text]);
  for (const { title, path, runs, instead } of middleware) {
    const text = path === undefined ? title : `${title} of ${path}`;
    if (instead === undefined) add(`${runs.join(', ')}`, text);
    else add(`no request: ${instead}`, text);
  }
  for (const { path, kind, runs } of rules) add(`with the document at ${runs.join(', ')}`, `${path} (${kind})`);
  const lines = [...running].map(([when, texts]) => `  ${texts.join(', ')}: ${when}`);
  return [`Model ${name} (${file}): ${ways[changes]}${reasons}`, ...lines];
}
